import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../rules/errors.ts';
import { backoff } from './concurrency.ts';
import { type Database, Lost, type Refusal, type TransactItem, TransactionRefused } from './database.ts';
import { allOf, anyOf, type Condition } from './expressions.ts';
import type { Item, Key } from './keys.ts';

/**
 * Optimistic writes: read, decide, write on the condition that the item has not changed since. A
 * write is *lost* if another writer was faster or wrote at the same moment. A lost write has
 * changed nothing.
 */

const passing: ReadonlySet<Refusal> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

const isOutdated = (error: unknown): boolean =>
  error instanceof Lost ||
  (error instanceof TransactionRefused && error.refusals.includes('ConditionalCheckFailed'));

/** Refused only because other writers use the same items. The same write may succeed now. */
export const isContended = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  (error instanceof TransactionRefused &&
    error.refusals.some((refusal) => passing.has(refusal)) &&
    !isOutdated(error));

export const isLost = (error: unknown): boolean => isOutdated(error) || isContended(error);

const maxTries = 40;

const retry = async <T>(write: () => Promise<T>, isWorthIt: (error: unknown) => boolean): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isWorthIt(error)) throw error;
      if (tries >= maxTries)
        throw new ServiceError('TOO_MANY_CHANGES', 'too many concurrent changes; retry later');
      await backoff(tries);
    }
  }
};

/**
 * Repeats read, decide and write if the write was lost. The SDK does not retry cancelled
 * transactions. Where a condition stands for a rule, `write` tells it apart with `transactNamed`.
 */
export const optimistic = <T>(write: () => Promise<T>): Promise<T> => retry(write, isLost);

/**
 * One write, retried while other writers use the same item.
 * @returns undefined if its condition does not hold
 */
export const unlessLost = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await retry(write, isContended);
  } catch (error) {
    if (isOutdated(error)) return undefined;
    throw error;
  }
};

/**
 * One conditional write, retried while other writers use the same item.
 * @returns whether it was made
 */
export const tryWrite = async (write: () => Promise<unknown>): Promise<boolean> =>
  (await unlessLost(() => write().then(() => true))) ?? false;

/** One write without a retry. @returns undefined if it was lost */
export const unlessLostOnce = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await write();
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
};

/** Like `tryWrite`, without a retry: the faster writer or the next run writes the same. */
export const tryWriteOnce = async (write: () => Promise<unknown>): Promise<boolean> =>
  (await unlessLostOnce(() => write().then(() => true))) ?? false;

/**
 * One transaction of named steps.
 * @returns the names of the steps whose condition did not hold; none if everything was written
 * @throws TransactionRefused for any other reason
 */
export const transactNamed = async <Name extends string>(
  database: Database,
  steps: Record<Name, TransactItem>,
): Promise<ReadonlySet<Name>> => {
  const names = Object.keys(steps) as Name[];
  try {
    await database.transact(Object.values(steps));
    return new Set();
  } catch (error) {
    if (!(error instanceof TransactionRefused) || !isOutdated(error)) throw error;
    return new Set(names.filter((_, i) => error.refusals[i] === 'ConditionalCheckFailed'));
  }
};

/**
 * Owners that are known to be dead, told by the beginning of their ids. Their claims are free
 * before they expire.
 */
type DeadOwners = 'all' | { beginWith: string } | { doNotBeginWith: string };

/** The owner of a claim, and when the claim expires, in epoch milliseconds. */
export type ClaimRequest = {
  owner: string;
  until: number;
  now: number;
  dead?: DeadOwners | undefined;
};

/**
 * A claim is the exclusive right to work on something. It lies in two attributes of an item: the
 * owner, and the time at which the claim expires by itself. The work of a process that died is free
 * from then on. A late owner does no harm if each of its writes asks for `ifOwnedBy`.
 *
 * The owner is the id of a process or a run. Where one owner saves again and again, it may be a
 * token that each write changes, so that a write that arrives late undoes nothing. The agenda does
 * the same with its own two attributes: the due time of an entry and its token.
 */
export class ClaimAttributes {
  readonly #names: Record<'#claimOwner' | '#claimUntil', string>;

  /** The names of the two attributes. */
  constructor(owner: string, until: string) {
    this.#names = { '#claimOwner': owner, '#claimUntil': until };
  }

  /** The claim is free, expired, of a dead owner, or of this owner, whose first answer was lost. */
  ifFree({ owner, now, dead }: ClaimRequest): Condition {
    if (dead === 'all') return {};
    const free = {
      ConditionExpression:
        'attribute_not_exists(#claimUntil) OR #claimUntil <= :claimNow OR #claimOwner = :claimOwner',
      ExpressionAttributeNames: this.#names,
      ExpressionAttributeValues: { ':claimOwner': owner, ':claimNow': now },
    };
    return dead === undefined ? free : anyOf(free, ownedByDead(dead));
  }

  ifOwnedBy(owner: string | number): Condition {
    return {
      ConditionExpression: '#claimOwner = :claimOwner',
      ExpressionAttributeNames: { '#claimOwner': this.#names['#claimOwner'] },
      ExpressionAttributeValues: { ':claimOwner': owner },
    };
  }

  /** Writes an item with the claim in it. @returns whether the owner has the claim now */
  put(
    database: Database,
    item: Item,
    request: ClaimRequest,
    condition = this.ifFree(request),
  ): Promise<boolean> {
    const { '#claimOwner': owner, '#claimUntil': until } = this.#names;
    const claimed = { ...item, [owner]: request.owner, [until]: request.until };
    return tryWrite(() => database.put(claimed, condition));
  }

  /** Deletes an item that was written for its claim, unless the owner has lost the claim. */
  async release(database: Database, key: Key, owner: string, also: Condition = {}): Promise<void> {
    await unlessLost(() => database.delete(key, allOf(this.ifOwnedBy(owner), also)));
  }
}

const ownedByDead = (dead: Exclude<DeadOwners, 'all'>): Condition =>
  'beginWith' in dead
    ? {
        ConditionExpression: 'begins_with(#claimOwner, :dead)',
        ExpressionAttributeValues: { ':dead': dead.beginWith },
      }
    : {
        ConditionExpression: 'NOT begins_with(#claimOwner, :dead)',
        ExpressionAttributeValues: { ':dead': dead.doNotBeginWith },
      };
