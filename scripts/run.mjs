// `node scripts/run.mjs local/main.ts --option` runs a program of the project.
import { pathToFileURL } from 'node:url';
import { bundled } from './bundled.mjs';

const [entry, ...args] = process.argv.slice(2);
const file = await bundled(entry);
process.setSourceMapsEnabled(true);
process.argv.splice(1, process.argv.length, file, ...args);
await import(pathToFileURL(file).href);
