import { parseArgs } from 'node:util';
import { migrate } from '../shared/app/migrations.ts';
import { dataFormat } from '../shared/platform/table/data-format.ts';
import { Database } from '../shared/platform/table/database.ts';
import { runOnTables } from './table-command.ts';

/**
 * `npm run migrate -- --table <TableName>`: uses the AWS credentials of the shell. The service runs
 * meanwhile.
 */
const { table } = parseArgs({ options: { table: { type: 'string' } } }).values;
if (table === undefined) {
  process.stderr.write('usage: npm run migrate -- --table <TableName>\n');
  process.exit(1);
}
await runOnTables(async (client) => {
  const began = await migrate(new Database(client, table));
  process.stdout.write(
    began === dataFormat
      ? `${table} is in format ${dataFormat}; nothing to do\n`
      : `${table} was brought from format ${began} to ${dataFormat}\n`,
  );
});
