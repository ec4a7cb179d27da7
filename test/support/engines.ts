import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { embeddedClient } from '../../local/dynamodb/embedded-client.ts';
import { openEmbeddedDynamoDb } from '../../local/dynamodb/embedded-dynamodb.ts';
import { Database } from '../../shared/store/database.ts';
import { documentClient } from '../../shared/store/document-client.ts';
import { createTableInput } from '../../shared/store/table.ts';

export type OpenTable = {
  database: Database;
  client: DynamoDBDocumentClient;
  tableName: string;
  close(): Promise<void>;
};
/** Each `open` gives a fresh, empty table. */
export type Engine = { name: string; open(): Promise<OpenTable> };

const newTable = async (client: DynamoDBDocumentClient) => {
  const tableName = `test-${randomUUID()}`;
  await client.send(new CreateTableCommand(createTableInput(tableName)));
  return { client, tableName, database: new Database(client, tableName) };
};

const embedded: Engine = {
  name: 'the embedded engine',
  async open() {
    const engine = await openEmbeddedDynamoDb({ path: ':memory:' });
    return { ...(await newTable(embeddedClient(engine))), close: () => engine.close() };
  },
};

const dynamoDbLocal = (endpoint: string): Engine => ({
  name: 'DynamoDB Local',
  async open() {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const table = await newTable(documentClient({ endpoint, region: 'local', credentials }));
    const close = async () => {
      await table.client.send(new DeleteTableCommand({ TableName: table.tableName }));
      table.client.destroy();
    };
    return { ...table, close };
  },
});

const endpoint = inject('dynamoDbLocal');

/** `describe.each(engines)('… on $name', ({ open }) => …)`: the same outcomes on every engine. */
export const engines: Engine[] = [embedded, ...(endpoint === null ? [] : [dynamoDbLocal(endpoint)])];
