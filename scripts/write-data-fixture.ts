import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { dataFixtures, writeDataFolder } from '../test/support/engines/data-folder.ts';

/**
 * `npm run write-data-fixture -- 0.2.0` writes a data folder of this version, which later versions
 * must read.
 */
const version = process.argv[2] ?? '';
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write('usage: npm run write-data-fixture -- <version>\n');
  process.exit(1);
}
const scratch = await mkdtemp(path.join(os.tmpdir(), 'data-fixture-'));
await writeDataFolder(path.join(dataFixtures, version), path.join(scratch, 'copy'));
await rm(scratch, { recursive: true, force: true });
process.stdout.write(`written: test/fixtures/data/${version}\n`);
