/**
 * The table, without a rule of the service. What other rooms may rely on:
 *
 * - `Database`: reads see every write before them, except reads of the index and of `lagging`. A
 *   write whose condition fails throws `Lost` and has changed nothing. Batches are complete, or
 *   they throw: items that DynamoDB did not process are sent again.
 * - `optimistic` repeats read, decide and write while other writers are faster. `transactNamed`
 *   says which condition of a transaction failed. `unlessLost` and `tryWrite` make one write whose
 *   condition may fail.
 * - `ClaimAttributes`: an exclusive right to work on something, which expires by itself. A late
 *   owner does no harm if each of its writes asks for `ifOwnedBy`.
 * - `NamedRecords` and `NumberedList`: records with a unique name, listed with exact totals, page
 *   by page.
 * - `keys`: the keys of all items, declared in one place.
 * - `assertFormat`: no function works on data of another version's format.
 */

import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { Batches, type Insertion, type VersionedUpdate } from './batches.ts';
import type { Condition, Range, Update } from './expressions.ts';
import { readItemsDirectly } from './item-reader.ts';
import type { Item, Key } from './keys.ts';

/** Fields that are `undefined` are not written. Binaries come back as Uint8Array. */
export const documentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient(config);
  // It copies each request and answer even without a logger, which takes half the CPU time of a
  // large read.
  client.middlewareStack.remove('loggerMiddleware');
  return DynamoDBDocumentClient.from(readItemsDirectly(client), {
    marshallOptions: { removeUndefinedValues: true },
  });
};

export type { Item };
export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Why DynamoDB refused one item of a transaction, in the order of the items. */
export type Refusal =
  | 'None'
  | 'ConditionalCheckFailed'
  | 'TransactionConflict'
  | 'ThrottlingError'
  | 'ProvisionedThroughputExceeded'
  | 'ItemCollectionSizeLimitExceeded'
  | 'ValidationError';

/** Data has changed since it was read: the condition of a write failed, or a read showed it. */
export class Lost extends Error {}

/** A transaction that changed nothing; `refusals[i]` belongs to item i. */
export class TransactionRefused extends Error {
  readonly refusals: readonly Refusal[];
  constructor(refusals: readonly Refusal[]) {
    super(`transaction refused: ${refusals.join(', ')}`);
    this.refusals = refusals;
  }
}

export type TableClient = Pick<DynamoDBDocumentClient, 'send'>;

/** Adds the table's name to every call. Only reads of the index may lag. */
export class Database {
  readonly #client: TableClient;
  readonly #table: string;
  readonly #isConsistent: boolean;
  readonly #batches: Batches;

  constructor(client: TableClient, table: string, isConsistent = true) {
    this.#client = client;
    this.#table = table;
    this.#isConsistent = isConsistent;
    this.#batches = new Batches(client, table, isConsistent);
  }

  /** The same table, read at half the price. A write may show a moment later. */
  get lagging(): Database {
    return new Database(this.#client, this.#table, false);
  }

  async get(key: Key): Promise<Item | undefined> {
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: key, ConsistentRead: this.#isConsistent }),
    );
    return Item as Item | undefined;
  }

  /** @returns items in the order of the keys; undefined for a key without an item */
  batchGet(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    return this.#batches.get(keys);
  }

  /** Every item of the range, page by page; `Limit` bounds the whole answer, not one page. */
  async *query(range: Range): AsyncGenerator<Item> {
    let left = range.Limit ?? Number.POSITIVE_INFINITY;
    let from: Record<string, unknown> | undefined;
    do {
      const page = await this.#client.send(
        new QueryCommand({
          ConsistentRead: this.#isConsistent && range.IndexName === undefined,
          ...range,
          TableName: this.#table,
          ...(range.Limit === undefined ? {} : { Limit: left }),
          ExclusiveStartKey: from,
        }),
      );
      for (const item of (page.Items ?? []) as Item[]) {
        yield item;
        left--;
      }
      from = page.LastEvaluatedKey;
    } while (from !== undefined && left > 0);
  }

  async queryAll(range: Range): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this.query(range)) items.push(item);
    return items;
  }

  /** @throws Lost */
  async put(item: Item, condition: Condition = {}): Promise<void> {
    await orLost(this.#client.send(new PutCommand({ TableName: this.#table, Item: item, ...condition })));
  }

  /** @returns the item after the update, or as it was before @throws Lost */
  async update(key: Key, update: Update, answered: 'ALL_NEW' | 'ALL_OLD' = 'ALL_NEW'): Promise<Item> {
    const { Attributes } = await orLost(
      this.#client.send(
        new UpdateCommand({ TableName: this.#table, Key: key, ReturnValues: answered, ...update }),
      ),
    );
    return Attributes as Item;
  }

  /**
   * An update that must not be made twice, such as an addition without a version. It is not retried
   * once it may have been made. So an error does not say whether it was made.
   * @returns the item after the update
   * @throws Lost
   */
  async updateOnce(key: Key, update: Update): Promise<Item> {
    const command = new UpdateCommand({
      TableName: this.#table,
      Key: key,
      ReturnValues: 'ALL_NEW',
      ...update,
    });
    const { Attributes } = await orLost(this.#client.send(sentOnce(command)));
    return Attributes as Item;
  }

  /** @throws Lost */
  async delete(key: Key, condition: Condition = {}): Promise<void> {
    await orLost(this.#client.send(new DeleteCommand({ TableName: this.#table, Key: key, ...condition })));
  }

  putOf = (item: Item, condition: Condition = {}): TransactItem => ({
    Put: { TableName: this.#table, Item: item, ...condition },
  });

  updateOf = (key: Key, update: Update): TransactItem => ({
    Update: { TableName: this.#table, Key: key, ...update },
  });

  deleteOf = (key: Key, condition: Condition = {}): TransactItem => ({
    Delete: { TableName: this.#table, Key: key, ...condition },
  });

  checkOf = (key: Key, condition: Condition & { ConditionExpression: string }): TransactItem => ({
    ConditionCheck: { TableName: this.#table, Key: key, ...condition },
  });

  /** Writes all items or none. @throws TransactionRefused with one reason for each item */
  async transact(items: TransactItem[]): Promise<void> {
    try {
      await this.#client.send(new TransactWriteCommand({ TransactItems: items }));
    } catch (error) {
      if (error instanceof TransactionCanceledException) {
        throw new TransactionRefused(
          (error.CancellationReasons ?? []).map((reason) => (reason.Code ?? 'None') as Refusal),
        );
      }
      throw error;
    }
  }

  /** Unconditional puts, in no order. Either every item is written, or the call throws. */
  putAll(items: readonly Item[]): Promise<void> {
    return this.#batches.put(items);
  }

  /** Unconditional deletes, in no order. */
  deleteAll(keys: readonly Key[]): Promise<void> {
    return this.#batches.delete(keys);
  }

  /** Puts each item unless its key is taken, in no order. */
  insertAll(items: readonly Item[]): Promise<Insertion[]> {
    return this.#batches.insert(items);
  }

  /**
   * Updates each item that still has the version that was read, in no order.
   * @returns for each whether it was updated
   */
  updateAll(updates: readonly VersionedUpdate[]): Promise<boolean[]> {
    return this.#batches.update(updates);
  }
}

const isRefused = (error: unknown) => {
  const { httpStatusCode = 0 } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return httpStatusCode >= 400 && httpStatusCode < 500;
};

/**
 * The SDK may repeat a request that DynamoDB turned away, but no request that failed otherwise or
 * got no answer.
 */
const sentOnce = (command: UpdateCommand): UpdateCommand => {
  let doubt: unknown;
  command.middlewareStack.add(
    (next) => async (args) => {
      if (doubt !== undefined) throw new Error('the update may have been made', { cause: doubt });
      try {
        return await next(args);
      } catch (error) {
        if (!isRefused(error)) doubt = error;
        throw error;
      }
    },
    // The command of the document client brings its middleware twice.
    { step: 'finalizeRequest', priority: 'low', name: 'sendOnce', override: true },
  );
  return command;
};

const orLost = async <T>(sent: Promise<T>): Promise<T> => {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) throw new Lost(error.message);
    throw error;
  }
};
