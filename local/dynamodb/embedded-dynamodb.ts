import { unknownOperation } from './errors.ts';
import { removeExpired, updateTimeToLive } from './expiry.ts';
import { batchGetItem, getItem, query, scan } from './reads.ts';
import { checked } from './requests.ts';
import { batchExecuteStatement } from './statements.ts';
import { Storage, type StorageOptions } from './storage.ts';
import { type Table, Tables } from './tables.ts';
import { Transactions } from './transactions.ts';
import { batchWriteItem, deleteItem, putItem, updateItem } from './writes.ts';

/** Runs an operation on a request that no other code uses. @throws RequestRefused */
export type Perform = (operation: string, request: object) => Promise<object>;

export type EmbeddedDynamoDb = {
  perform: Perform;
  /** Removes items that have expired at this time, in epoch seconds. DynamoDB takes days for it. */
  removeExpired(seconds: number): Promise<number>;
  /** The stream of the table: changes that are kept until they are removed. */
  stream: Pick<Storage, 'readStream' | 'removeStreamed'>;
  /** Waits for the running writes. Later requests are rejected. */
  close(): Promise<void>;
};

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
    Scan: on(scan),
    PutItem: on(putItem),
    UpdateItem: on(updateItem),
    DeleteItem: on(deleteItem),
    BatchWriteItem: on(batchWriteItem),
    BatchExecuteStatement: on(batchExecuteStatement),
    TransactWriteItems: (request: Parameters<Transactions['write']>[0]) => transactions.write(request),
  };
};

/** DynamoDB inside this process, with its data in a folder or only in memory. */
export const openEmbeddedDynamoDb = async (options: StorageOptions): Promise<EmbeddedDynamoDb> => {
  const storage = await Storage.open(options);
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

  return {
    perform,
    removeExpired: (seconds) => removeExpired(storage, tables, seconds),
    stream: storage,
    close: () => storage.close(),
  };
};
