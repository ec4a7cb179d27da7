import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readItemsDirectly } from './item-reader.ts';

/** Fields that are `undefined` are not written. Binaries come back as Uint8Array. */
export const documentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient(config);
  // It copies each request and answer even without a logger: half the CPU time of a large read.
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(readItemsDirectly(client), {
    marshallOptions: { removeUndefinedValues: true },
  });
};
