import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../../domain/errors.ts';
import { backoff } from './backoff.ts';
import type { Condition, Database, TransactItem, Update } from './database.ts';

/**
 * Optimistic writes: read, decide, write on the condition that nobody wrote since. A write that another
 * writer came before, or was there at the same moment as, is *lost*; it changed nothing.
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

/** What was read no longer holds: the condition of a single write failed, or a later read showed it. */
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

/** Refused only because others were writing the same items: the same write may go through now. */
const isContended = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  (error instanceof TransactionRefused &&
    error.refusals.some((refusal) => passing.has(refusal)) &&
    !isOutdated(error));

export const isLost = (error: unknown): boolean => isOutdated(error) || isContended(error);

/** Nothing lies under the key. */
export const ifAbsent = { ConditionExpression: 'attribute_not_exists(pk)' } as const satisfies Condition;

/** Nobody wrote the item since it was read in that version; `undefined`: it was not there. */
export const ifUnchanged = (version: number | undefined, attribute = 'v'): Condition =>
  version === undefined
    ? ifAbsent
    : { ConditionExpression: `${attribute} = :version`, ExpressionAttributeValues: { ':version': version } };

/** An update that sets some attributes, and the next version beside them, if nobody wrote the item since. */
export const setIfUnchanged = (version: number, { UpdateExpression: set, ...values }: Update): Update => ({
  UpdateExpression: `${set}, v = :nextVersion`,
  ConditionExpression: 'v = :version',
  ...(values.ExpressionAttributeNames && { ExpressionAttributeNames: values.ExpressionAttributeNames }),
  ExpressionAttributeValues: {
    ...values.ExpressionAttributeValues,
    ':version': version,
    ':nextVersion': version + 1,
  },
});

const attempts = 40;

const retried = async <T>(attempt: () => Promise<T>, isWorthIt: (error: unknown) => boolean): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isWorthIt(error)) throw error;
      if (tries >= attempts) throw new ServiceError('tooBusy', 'too many concurrent changes; try again');
      await backoff(tries);
    }
  }
};

/**
 * Read, decide, write; again from the read when the write was lost. The SDK does not retry cancelled
 * transactions. A condition that stands for a rule is told apart by `attempt` itself (`transactNamed`).
 */
export const optimistic = <T>(attempt: () => Promise<T>): Promise<T> => retried(attempt, isLost);

/** One write whose condition may not hold; `undefined` then. Others writing at the same moment are waited for. */
export const unlessLost = async <T>(write: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await retried(write, isContended);
  } catch (error) {
    if (isOutdated(error)) return undefined;
    throw error;
  }
};

/** One write that somebody else makes in its place when it is lost; whether it was made. */
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
 * One transaction of named steps. Answers the names of the steps whose condition did not hold: none
 * when everything was written. @throws TransactionRefused for any other reason
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
