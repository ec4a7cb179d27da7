import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { costsPage } from './page.ts';

const file = path.join(import.meta.dirname, '../../docs/costs.md');
const page = costsPage();
await writeFile(file, page);
process.stdout.write(page);
