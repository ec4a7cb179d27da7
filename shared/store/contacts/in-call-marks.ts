import type { Instant } from '../../domain/time.ts';
import { type Database, type Item, ifPresent, keys, unlessLost } from '../table/index.ts';
import { inCallMark } from './contact-items.ts';

type Called = { taskId: string; dataSourceId: string; seq: number };

/** Marks the contact as called by a task. Answers the contact as it is now; `undefined` when it was deleted. */
export const showInCall = (
  database: Database,
  { taskId, dataSourceId, seq }: Called,
  until: Instant,
): Promise<Item | undefined> =>
  unlessLost(() =>
    database.update(keys.contact(dataSourceId, seq), {
      UpdateExpression: 'SET #call = :until ADD leases :one',
      ...ifPresent,
      ExpressionAttributeNames: { '#call': inCallMark(taskId) },
      ExpressionAttributeValues: { ':until': until, ':one': 1 },
    }),
  );

/**
 * Removes the mark of a call that was not made, unless the mark is of a later call. Answers the contact as it is now;
 * `undefined` when it had no such mark.
 */
export const showNoCall = (
  database: Database,
  { taskId, dataSourceId, seq }: Called,
  until: Instant,
): Promise<Item | undefined> =>
  unlessLost(() =>
    database.update(keys.contact(dataSourceId, seq), {
      UpdateExpression: 'REMOVE #call',
      ConditionExpression: '#call = :until',
      ExpressionAttributeNames: { '#call': inCallMark(taskId) },
      ExpressionAttributeValues: { ':until': until },
    }),
  );
