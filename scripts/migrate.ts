import { parseArgs } from 'node:util';
import {
  Database,
  dataFormat,
  documentClient,
  migrate,
  OtherDataFormat,
} from '../shared/store/table/index.ts';

/** `npm run migrate -- --table <TableName>`: uses the AWS credentials of the shell. The service goes on meanwhile. */
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
