import { parseArgs } from 'node:util';
import { copyTable } from '../shared/app/copy-table.ts';
import { runOnTables } from './table-command.ts';

/**
 * `npm run restore -- --from <restored table> --to <TableName> [--replace]`: uses the AWS
 * credentials of the shell. Nothing else may write to the tables meanwhile. Start it again if it
 * was interrupted.
 */
const { from, to, replace } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, replace: { type: 'boolean', default: false } },
}).values;
if (from === undefined || to === undefined || from === to) {
  process.stderr.write('usage: npm run restore -- --from <restored table> --to <TableName> [--replace]\n');
  process.exit(1);
}
const linesEvery = 10_000;
let shown = 0;
const onProgress = (copied: number) => {
  if (copied - shown < linesEvery) return;
  shown = copied;
  process.stdout.write(`${copied} items copied\n`);
};
await runOnTables(async (client) => {
  const counts = await copyTable(client, { from, to, replaces: replace, onProgress });
  process.stdout.write(`${from} has ${counts.from} items\n${to} has ${counts.to} items\n`);
  if (counts.from !== counts.to)
    throw new Error(
      'the numbers differ: the tables were written to meanwhile, or items expired in the target',
    );
});
