import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { s3Client } from '../../../shared/platform/objects/s3-objects.ts';
import { documentClient } from '../../../shared/platform/table/database.ts';
import { embeddedClientConfig } from '../engines/engine-door.ts';
import { retriesAtOnce } from './retries-at-once.ts';

export const tableName = 'outbound';
export const bucket = 'outbound';
export const region = 'us-east-1';
export const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
export const endpoint = 'http://bucket.local';

type Handler = { handle: (request: never, options: never) => Promise<{ response: unknown }> };
type Sending = { send: (command: never, options: object) => Promise<never> };

const requestHandler = {
  handle: (request: never, { handler, ...options }: { handler: Handler }) =>
    handler.handle(request, options as never),
} as never;

/**
 * Making a client takes longer than most calls: one for all worlds is told with each call who is to
 * answer it.
 */
const answeredBy = <C extends object>(client: C, handler: object): C => {
  const send = (command: never, options?: object) =>
    (client as Sending).send(command, { ...options, handler });
  return Object.assign(Object.create(client), { send });
};

const table = documentClient(embeddedClientConfig({ requestHandler }));
const files = s3Client({ region, endpoint, credentials, forcePathStyle: true, requestHandler });
for (const { config } of [table, files]) config.retryStrategy = async () => retriesAtOnce as never;

/** Every call of it goes through the SDK, whose retries come at once. */
export const tableAnsweredBy = (handler: object): DynamoDBDocumentClient => answeredBy(table, handler);
export const filesAnsweredBy = (handler: object): S3Client => answeredBy(files, handler);
