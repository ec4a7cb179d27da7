import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../../domain/errors.ts';
import { backoff } from './backoff.ts';
import type { Condition, Database, TransactItem, Update } from './database.ts';

/**
 * Optimistic writes: read, decide, write on the condition that the item has not changed since. A write is
 * *lost* when another writer was faster or wrote at the same moment. A lost write changed nothing.
 */

/** Why DynamoDB refused one item of a transaction, in the order of the items. */
export type Refusal =
  | 'None'
  | 'ConditionalCheckFailed'
  | 'TransactionConflict'
  | 'ThrottlingError'
  | 'ProvisionedThroughputExceeded'
  | 'ItemCollectionSizeLimitExceeded'
  | 'ValidationError';

/** What was read is no longer true: the condition of a write failed, or a later read showed it. */
export class Lost extends Error {}

/** A transaction that changed nothing; `refusals[i]` belongs to item i. */
export class TransactionRefused extends Error {
  readonly refusals: readonly Refusal[];
  constructor(refusals: readonly Refusal[]) {
    super(`transaction refused: ${refusals.join(', ')}`);
    this.refusals = refusals;
  }
}

const passing: ReadonlySet<Refusal> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

const isOutdated = (error: unknown): boolean =>
  error instanceof Lost ||
  (error instanceof TransactionRefused && error.refusals.includes('ConditionalCheckFailed'));

/** Refused only because other writers were at the same items: the same write may succeed now. */
const isContended = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  (error instanceof TransactionRefused &&
    error.refusals.some((refusal) => passing.has(refusal)) &&
    !isOutdated(error));

export const isLost = (error: unknown): boolean => isOutdated(error) || isContended(error);

/** There is no item under the key. */
export const ifAbsent = { ConditionExpression: 'attribute_not_exists(pk)' } as const satisfies Condition;

/** As `ifAbsent`, or the item has expired: DynamoDB removes expired items up to days late. `now` in epoch seconds. */
export const ifAbsentOrExpired = (now: number): Condition => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #ttl < :seconds',
  ExpressionAttributeNames: { '#ttl': 'ttl' },
  ExpressionAttributeValues: { ':seconds': now },
});

/** The item still has the version that was read; `undefined`: it still does not exist. */
export const ifUnchanged = (version: number | undefined, attribute = 'v'): Condition =>
  version === undefined
    ? ifAbsent
    : { ConditionExpression: `${attribute} = :version`, ExpressionAttributeValues: { ':version': version } };

const joinedBy =
  (word: 'AND' | 'OR') =>
  (...conditions: readonly Condition[]): Condition => {
    const expressions = conditions.flatMap(({ ConditionExpression: each }) => each ?? []);
    const names = Object.assign({}, ...conditions.map((each) => each.ExpressionAttributeNames));
    const values = Object.assign({}, ...conditions.map((each) => each.ExpressionAttributeValues));
    return {
      // DynamoDB refuses redundant parentheses, and empty maps.
      ...(expressions.length > 0 && {
        ConditionExpression:
          expressions.length === 1
            ? expressions[0]!
            : expressions.map((each) => `(${each})`).join(` ${word} `),
      }),
      ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
      ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
    };
  };

/** Conditions joined; a name or value that two of them use means the same in both. */
export const allOf = joinedBy('AND');
export const anyOf = joinedBy('OR');

/** The update, made only if all conditions hold. */
export const onlyIf = (update: Update, ...conditions: readonly Condition[]): Update => ({
  ...allOf(update, ...conditions),
  UpdateExpression: update.UpdateExpression,
});

/** Sets attributes, except those that are `undefined`, and removes others. */
export const setAttributes = (
  values: Readonly<Record<string, unknown>>,
  removed: readonly string[] = [],
): Update => {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  const names = [...set.map(([name]) => name), ...removed];
  const remove = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
  return {
    UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}${remove}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
  };
};

/** Sets attributes and the next version, if the item still has the version that was read. */
export const setIfUnchanged = (
  version: number,
  values: Readonly<Record<string, unknown>>,
  removed: readonly string[] = [],
): Update => onlyIf(setAttributes({ ...values, v: version + 1 }, removed), ifUnchanged(version));

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
 * Read, decide, write; starts again from the read when the write was lost. The SDK does not retry cancelled
 * transactions. Where a condition stands for a rule, `write` tells it apart with `transactNamed`.
 */
export const optimistic = <T>(write: () => Promise<T>): Promise<T> => retry(write, isLost);

/** One write; `undefined` when its condition does not hold. Retries while other writers are at the same item. */
export const unlessLost = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await retry(write, isContended);
  } catch (error) {
    if (isOutdated(error)) return undefined;
    throw error;
  }
};

/** One write that needs no retry, because the writer that was faster wrote the same. Answers whether it was made. */
export const unlessContended = async (write: () => Promise<unknown>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
};

/**
 * One transaction of named steps. Answers the names of the steps whose condition did not hold. When
 * everything was written, there are none. @throws TransactionRefused for any other reason
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
