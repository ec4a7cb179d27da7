import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { documentClient } from '../shared/platform/table/database.ts';

const hints: Record<string, string> = {
  'Region is missing': 'no AWS region is set: set AWS_REGION to the region of the stage',
  'Requested resource not found': 'the table does not exist in this account and region',
  'The provided key element does not match the schema': 'the table is not a table of this service',
};

/** Runs a command on tables of AWS, with the credentials of the shell. A failure is one line. */
export const runOnTables = async (
  command: (client: DynamoDBDocumentClient) => Promise<void>,
): Promise<void> => {
  try {
    await command(documentClient());
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(`${hints[message] ?? message}\n`);
    process.exitCode = 1;
  }
};
