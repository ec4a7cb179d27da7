import path from 'node:path';
import { ensureTable } from '../../../local/dynamodb/ensure-table.ts';
import { Database, documentClient } from '../../../shared/platform/table/database.ts';
import { embeddedClientConfig, openEngine, shortClient } from './engine-door.ts';
import type { OpenTable } from './engines.ts';

const tableName = 'outbound';

/** The table of a service that keeps its data in that folder. */
export const openDiskTable = async (dataDir: string): Promise<OpenTable> => {
  const dynamoDb = await openEngine({ path: path.join(dataDir, 'dynamodb') });
  const client = shortClient(dynamoDb);
  await ensureTable(client, tableName);
  return {
    client,
    sdk: documentClient(embeddedClientConfig(dynamoDb)),
    tableName,
    database: new Database(client, tableName),
    close: dynamoDb.close,
  };
};
