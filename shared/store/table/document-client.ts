import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readItemsDirectly } from './item-reader.ts';

/** Absent optional fields are left out of items; binaries come back as Uint8Array. */
export const documentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient(config);
  // Without a logger too it copies each request and answer for the log, half the CPU time of a large read.
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(readItemsDirectly(client), {
    marshallOptions: { removeUndefinedValues: true },
  });
};
