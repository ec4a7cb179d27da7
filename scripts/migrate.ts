import { parseArgs } from 'node:util';
import { dataFormat, migrate, OtherDataFormat } from '../shared/store/data-format.ts';
import { Database } from '../shared/store/database.ts';
import { documentClient } from '../shared/store/document-client.ts';

/** `npm run migrate -- --table <TableName>`: with the AWS credentials of the shell, while nobody writes. */
const { table } = parseArgs({ options: { table: { type: 'string' } } }).values;
if (table === undefined) {
  process.stderr.write('usage: npm run migrate -- --table <TableName>\n');
  process.exit(1);
}
try {
  const began = await migrate(new Database(documentClient(), table));
  process.stdout.write(
    began === dataFormat
      ? `${table} is in format ${dataFormat}; nothing to do\n`
      : `${table} was brought from format ${began} to ${dataFormat}\n`,
  );
} catch (error) {
  if (!(error instanceof OtherDataFormat)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
