import { createHash } from 'node:crypto';
import {
  type CancellationReason,
  ConditionFailed,
  invalid,
  RequestRefused,
  tokenMismatch,
  transactionCanceled,
} from './errors.ts';
import { checked } from './requests.ts';
import type { Storage } from './storage.ts';
import type { Tables } from './tables.ts';
import {
  checkOf,
  deleteOf,
  effectOf,
  type KeyRequest,
  type PutRequest,
  putOf,
  stageEffects,
  type UpdateRequest,
  updateOf,
  type Write,
} from './writes.ts';

type Action = { Put?: PutRequest; Update?: UpdateRequest; Delete?: KeyRequest; ConditionCheck?: KeyRequest };
type TransactWriteRequest = { TransactItems: Action[]; ClientRequestToken?: string };

const maxActions = 100;
/** Milliseconds for which DynamoDB remembers a client request token. */
const tokenLifetime = 10 * 60 * 1000;

const writeOf = (tables: Tables, { Put, Update, Delete, ConditionCheck }: Action): Write => {
  if (Put) return putOf(tables, checked('PutItem', Put));
  if (Update) return updateOf(tables, checked('UpdateItem', Update));
  if (Delete) return deleteOf(tables, checked('DeleteItem', Delete));
  if (ConditionCheck) return checkOf(tables, checked('DeleteItem', ConditionCheck));
  throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
};

const demandDistinct = (keys: string[]) => {
  if (new Set(keys).size < keys.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
};

const demandCount = (items: unknown[]) => {
  const limit = items.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${maxActions}`;
  if (items.length === 0 || items.length > maxActions) {
    throw invalid(
      "1 validation error detected: Value at 'transactItems' failed to satisfy constraint: " +
        `Member must have length ${limit}`,
    );
  }
};

const reasonOf = (error: unknown): CancellationReason => {
  if (error instanceof ConditionFailed) return { Code: 'ConditionalCheckFailed', Message: error.message };
  if (error instanceof RequestRefused) return { Code: 'ValidationError', Message: error.message };
  throw error;
};

/** Tokens of completed transactions, so that a repeated transaction has no second effect. */
class Tokens {
  readonly #done = new Map<string, { digest: string; at: number }>();

  /** @throws IdempotentParameterMismatchException */
  knows(token: string, digest: string): boolean {
    const now = Date.now();
    // A map keeps the order of insertion, so the oldest tokens come first.
    for (const [old, { at }] of this.#done) {
      if (at + tokenLifetime > now) break;
      this.#done.delete(old);
    }
    const done = this.#done.get(token);
    if (done && done.digest !== digest) throw tokenMismatch();
    return done !== undefined;
  }

  forget(token: string) {
    this.#done.delete(token);
  }

  add(token: string, digest: string) {
    this.#done.set(token, { digest, at: Date.now() });
  }
}

export class Transactions {
  readonly #storage: Storage;
  readonly #tables: Tables;
  readonly #tokens = new Tokens();

  constructor(storage: Storage, tables: Tables) {
    this.#storage = storage;
    this.#tables = tables;
  }

  write({ TransactItems, ClientRequestToken: token }: TransactWriteRequest) {
    const digest = createHash('sha256').update(JSON.stringify(TransactItems)).digest('base64');
    if (token !== undefined && this.#tokens.knows(token, digest)) return {};
    demandCount(TransactItems);
    const writes = TransactItems.map((action) => writeOf(this.#tables, action));
    demandDistinct(writes.map(({ key }) => key));
    const reasons: CancellationReason[] = [];
    const effects = writes.flatMap((write, i) => {
      reasons[i] = { Code: 'None' };
      try {
        return [effectOf(this.#storage, write)];
      } catch (error) {
        reasons[i] = reasonOf(error);
        return [];
      }
    });
    if (reasons.some(({ Code }) => Code !== 'None')) throw transactionCanceled(reasons);
    stageEffects(this.#storage, effects);
    if (token !== undefined) {
      this.#tokens.add(token, digest);
      this.#storage.settled().catch(() => this.#tokens.forget(token));
    }
    return {};
  }
}
