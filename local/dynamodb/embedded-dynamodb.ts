import { randomUUID } from 'node:crypto';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { RequestRefused, unknownOperation } from './errors.ts';
import { removeExpired, updateTimeToLive } from './expiry.ts';
import { query } from './query.ts';
import { batchGetItem, getItem } from './reads.ts';
import { checked } from './requests.ts';
import { batchExecuteStatement } from './statements.ts';
import { type OnWritten, Storage } from './storage.ts';
import { type Table, Tables } from './tables.ts';
import { Transactions } from './transactions.ts';
import { batchWriteItem, deleteItem, putItem, updateItem } from './writes.ts';

type RequestHandler = NonNullable<DynamoDBClientConfig['requestHandler']>;
/** For `new DynamoDBClient({ requestHandler, region, credentials })`. No socket is opened. */
export type EngineDoor = { requestHandler: RequestHandler };
export type EmbeddedDynamoDb = EngineDoor & {
  /** Removes the items that have expired by this time, in epoch seconds. DynamoDB does so within days. */
  removeExpired(seconds: number): Promise<number>;
  /** Waits for the running writes. Later requests are rejected. */
  close(): Promise<void>;
};

/** The settings of a client for the engine, without signatures (a quarter of a request's time) and user agent. */
export const embeddedClientConfig = ({ requestHandler }: EngineDoor): DynamoDBClientConfig => ({
  requestHandler,
  region: 'local',
  credentials: { accessKeyId: 'embedded', secretAccessKey: 'embedded' },
  signer: { sign: async (request) => request },
  defaultUserAgentProvider: async () => [],
});

/**
 * Runs an operation without its text on the wire. A handler may offer it. The request must have no other user.
 * @throws RequestRefused
 */
export type Perform = (operation: string, request: object) => Promise<object>;

type SerializedRequest = { headers: Record<string, string>; body: string | Uint8Array };
type Operation = (request: never) => object | Promise<object>;

const operationsOf = (storage: Storage, tables: Tables): Record<string, Operation> => {
  const transactions = new Transactions(storage, tables);
  const on =
    <T>(operation: (storage: Storage, tables: Tables, request: T) => object | Promise<object>) =>
    (request: T) =>
      operation(storage, tables, request);
  return {
    CreateTable: (request: Table) => ({ TableDescription: tables.create(checked('CreateTable', request)) }),
    UpdateTimeToLive: on(updateTimeToLive),
    GetItem: on(getItem),
    BatchGetItem: on(batchGetItem),
    Query: on(query),
    PutItem: on(putItem),
    UpdateItem: on(updateItem),
    DeleteItem: on(deleteItem),
    BatchWriteItem: on(batchWriteItem),
    BatchExecuteStatement: on(batchExecuteStatement),
    TransactWriteItems: (request: Parameters<Transactions['write']>[0]) => transactions.write(request),
  };
};

/** The bytes of the SDK also act as a string, but warn if they are used as one. So they are read as plain bytes. */
const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();

const answer = (statusCode: number, body: object) => ({
  response: {
    statusCode,
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': randomUUID() },
    body: Buffer.from(JSON.stringify(body)),
  },
});

/** DynamoDB inside this process, with its data in a folder or only in memory. */
export const openEmbeddedDynamoDb = async ({
  path,
  onWritten,
}: {
  path: string | ':memory:';
  /** Is told what a table's stream would hold, after it was written. At most once: the changes are not stored. */
  onWritten?: OnWritten;
}): Promise<EmbeddedDynamoDb> => {
  const storage = await Storage.open(path, onWritten);
  const tables = await Tables.load(storage);
  const operations = operationsOf(storage, tables);

  const perform: Perform = async (name, request) => {
    try {
      await storage.usable();
      const operation = operations[name];
      if (!operation) throw unknownOperation();
      return await operation(request as never);
    } finally {
      // A refusal or a read may depend on a write that is not on disk yet.
      await storage.settled();
    }
  };

  const handle = async ({ headers, body }: SerializedRequest) => {
    const target = headers['x-amz-target'] ?? '';
    try {
      return answer(200, await perform(target.slice(target.indexOf('.') + 1), JSON.parse(textOf(body))));
    } catch (error) {
      if (error instanceof RequestRefused) return answer(400, error.body);
      throw error;
    }
  };

  return {
    requestHandler: { handle: Object.assign(handle, { perform }) } as RequestHandler,
    removeExpired: (seconds) => removeExpired(storage, tables, seconds),
    close: () => storage.close(),
  };
};
