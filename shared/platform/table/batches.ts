import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  BatchWriteCommand,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb';
import { backoff, concurrently } from './concurrency.ts';
import type { Item, Key } from './keys.ts';

const getLimit = 100;
const writeLimit = 25;
const statementLimit = 25;
const writesAtOnce = 8;

/** Errors after which one INSERT of a batch may be sent again unchanged. */
const passingErrors: ReadonlySet<string> = new Set([
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
  'TransactionConflict',
  'InternalServerError',
]);

/** `unsure`: the key is taken, perhaps by this insertion itself, whose first answer was lost. */
export type Insertion = 'inserted' | 'taken' | 'unsure';

/** New values of some attributes, written if the item still has that version. */
export type VersionedUpdate = { key: Key; version: number; set: Readonly<Record<string, unknown>> };

const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** Calls `send` with what is left, with pauses, until nothing is left. */
const untilNone = async <T>(all: T[], send: (pending: T[]) => Promise<T[]>): Promise<void> => {
  let pending = all;
  for (let tries = 0; pending.length > 0; tries++) {
    if (tries > 0) await backoff(tries);
    pending = await send(pending);
  }
};

/** Many items of a table in few calls. What DynamoDB leaves unprocessed is sent again. */
export class Batches {
  readonly #client: Pick<DynamoDBDocumentClient, 'send'>;
  readonly #table: string;
  readonly #isConsistent: boolean;

  constructor(client: Pick<DynamoDBDocumentClient, 'send'>, table: string, isConsistent = true) {
    this.#client = client;
    this.#table = table;
    this.#isConsistent = isConsistent;
  }

  /**
   * The keys may be none and may repeat.
   * @returns items in the order of the keys; undefined for a key without an item
   */
  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    const asked = new Map(keys.map((key) => [nameOf(key), key]));
    const found = new Map<string, Item>();
    const getSome = async (pending: Key[]) => {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({
          RequestItems: { [this.#table]: { Keys: pending, ConsistentRead: this.#isConsistent } },
        }),
      );
      for (const item of (Responses?.[this.#table] ?? []) as Item[]) found.set(nameOf(item), item);
      return (UnprocessedKeys?.[this.#table]?.Keys ?? []) as Key[];
    };
    await Promise.all(chunksOf([...asked.values()], getLimit).map((chunk) => untilNone(chunk, getSome)));
    return keys.map((key) => found.get(nameOf(key)));
  }

  put(items: readonly Item[]): Promise<void> {
    return this.#write(items.map((Item) => ({ PutRequest: { Item } })));
  }

  delete(keys: readonly Key[]): Promise<void> {
    return this.#write(keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
  }

  async #write(requests: NonNullable<unknown>[]): Promise<void> {
    const writeSome = async (pending: NonNullable<unknown>[]) => {
      const { UnprocessedItems } = await this.#client.send(
        new BatchWriteCommand({ RequestItems: { [this.#table]: pending } }),
      );
      return UnprocessedItems?.[this.#table] ?? [];
    };
    await concurrently(chunksOf(requests, writeLimit), writesAtOnce, (chunk) => untilNone(chunk, writeSome));
  }

  async insert(items: readonly Item[]): Promise<Insertion[]> {
    const insertions = new Array<Insertion>(items.length).fill('inserted');
    const sentAgain = new Set<number>();
    const insertSome = async (pending: number[]) => {
      const { Responses = [], $metadata } = await this.#client.send(
        new BatchExecuteStatementCommand({ Statements: pending.map((at) => this.#insertOf(items[at]!)) }),
      );
      const mayHaveLanded = (at: number) => sentAgain.has(at) || $metadata.attempts !== 1;
      return pending.filter((at, i) => {
        const code = Responses[i]?.Error?.Code;
        if (code === undefined) return false;
        if (code === 'DuplicateItem') {
          insertions[at] = mayHaveLanded(at) ? 'unsure' : 'taken';
          return false;
        }
        if (!passingErrors.has(code))
          throw new Error(`insert refused: ${code} ${Responses[i]?.Error?.Message}`);
        sentAgain.add(at);
        return true;
      });
    };
    const chunks = chunksOf([...items.keys()], statementLimit);
    await concurrently(chunks, writesAtOnce, (chunk) => untilNone(chunk, insertSome));
    return insertions;
  }

  /**
   * @returns for each update whether it was made. `false`: another write was first, or an earlier
   *   call made it and its answer was lost
   */
  async update(updates: readonly VersionedUpdate[]): Promise<boolean[]> {
    const made = new Array<boolean>(updates.length).fill(true);
    const updateSome = async (pending: number[]) => {
      const { Responses = [] } = await this.#client.send(
        new BatchExecuteStatementCommand({ Statements: pending.map((at) => this.#updateOf(updates[at]!)) }),
      );
      return pending.filter((at, i) => {
        const error = Responses[i]?.Error;
        if (error?.Code === 'ConditionalCheckFailed') made[at] = false;
        else if (error?.Code !== undefined && !passingErrors.has(error.Code))
          throw new Error(`update refused: ${error.Code} ${error.Message}`);
        return error?.Code !== undefined && made[at];
      });
    };
    const chunks = chunksOf([...updates.keys()], statementLimit);
    await concurrently(chunks, writesAtOnce, (chunk) => untilNone(chunk, updateSome));
    return made;
  }

  #updateOf({ key, version, set }: VersionedUpdate) {
    const values = { ...set, v: version + 1 };
    const sets = Object.keys(values).map((name) => `SET "${name}" = ?`);
    return {
      Statement: `UPDATE "${this.#table}" ${sets.join(' ')} WHERE "pk" = ? AND "sk" = ? AND "v" = ?`,
      Parameters: [...Object.values(values), key.pk, key.sk, version],
    };
  }

  #insertOf(item: Item) {
    const members = Object.keys(item).map((name) => `'${name}': ?`);
    return {
      Statement: `INSERT INTO "${this.#table}" VALUE {${members.join(', ')}}`,
      Parameters: Object.values(item),
    };
  }
}
