import { spawnSync } from 'node:child_process';
import { embeddedClient } from '../../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../../local/dynamodb/embedded-dynamodb.ts';
import { ensureTable } from '../../../local/dynamodb/ensure-table.ts';
import { Database } from '../../../shared/store/table/index.ts';

/**
 * Run under a limit on the size of files: writes until one is refused, gets room again, and prints what
 * came of the writes and reads in between. Argument: folder.
 */
process.on('SIGXFSZ', () => {});
const engine = await openEmbeddedDynamoDb({ path: process.argv[2] ?? '' });
const client = embeddedClient(engine);
await ensureTable(client, 'table');
const database = new Database(client, 'table');
const limit = (bytes: string) => spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}`]);
const put = (number: number) =>
  database.put({ pk: 'a', sk: String(number), text: 'x'.repeat(50_000) }).then(
    () => true,
    () => false,
  );
const isThere = async (number: number) => (await database.get({ pk: 'a', sk: String(number) })) !== undefined;

let written = 0;
while (written < 1000 && (await put(written))) written++;
limit('1000:unlimited');
const refusedAgain = !(await put(written));
const readMeanwhile = await isThere(written - 1);
limit('unlimited');
const writtenAgain = await put(written);
const kept = (await isThere(0)) && (await isThere(written - 1)) && (await isThere(written));
await engine.close();
process.stdout.write(
  JSON.stringify({ wasFull: written < 1000, refusedAgain, readMeanwhile, writtenAgain, kept }),
);
