import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { ServiceError } from '../domain/errors.ts';
import { backoff } from './backoff.ts';
import { ConditionFailed, type Refusal, TransactionRefused } from './database.ts';

const attempts = 40;

/** Thrown inside `optimistic` to say: what was read is out of date, read it again. */
export class Outdated extends Error {}

const passing: ReadonlySet<Refusal> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

/** Refused only because others were writing the same items: the same write may go through now. */
export const isPassing = (error: unknown): boolean =>
  error instanceof TransactionConflictException ||
  (error instanceof TransactionRefused &&
    error.refusals.some((refusal) => passing.has(refusal)) &&
    !error.refusals.includes('ConditionalCheckFailed'));

/** Refused because another writer came first, or was there at the same moment. */
export const isLost = (error: unknown): boolean =>
  error instanceof ConditionFailed ||
  isPassing(error) ||
  (error instanceof TransactionRefused && error.refusals.includes('ConditionalCheckFailed'));

/**
 * Read, decide, write with a condition; begin again when another writer came first. The SDK does not
 * retry cancelled transactions. `attempt` turns each real refusal into a ServiceError itself and
 * throws Outdated for a lost race.
 */
export const optimistic = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Outdated) && !(error instanceof ConditionFailed) && !isPassing(error))
        throw error;
      if (tries >= attempts) throw new ServiceError('tooBusy', 'too many concurrent changes; try again');
      await backoff(tries);
    }
  }
};

/** A single conditional write; `undefined` when its condition did not hold. */
export const unlessRefused = <T>(write: () => Promise<T>): Promise<T | undefined> =>
  optimistic(async () => {
    try {
      return await write();
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  });
