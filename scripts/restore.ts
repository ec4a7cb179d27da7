import { parseArgs } from 'node:util';
import { copyTable, documentClient } from '../shared/store/table/index.ts';

/**
 * `npm run restore -- --from <restored table> --to <TableName> [--replace]`: uses the AWS credentials of the
 * shell. Nothing else may write to the tables meanwhile. Start it again if it was interrupted.
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
try {
  const counts = await copyTable(documentClient(), { from, to, replaces: replace, onProgress });
  process.stdout.write(`${from} has ${counts.from} items\n${to} has ${counts.to} items\n`);
  if (counts.from !== counts.to) {
    process.stderr.write(
      'the numbers differ: the tables were written to meanwhile, or items expired in the target\n',
    );
    process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
