import {
  CreateTableCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTableInput, tableDefinition } from '../../shared/platform/table/table.ts';

/** Creates the table, unless an earlier run has created it. */
export const ensureTable = async (
  client: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
): Promise<void> => {
  try {
    await client.send(new CreateTableCommand(createTableInput(tableName)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  const TimeToLiveSpecification = { AttributeName: tableDefinition.timeToLive, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
};
