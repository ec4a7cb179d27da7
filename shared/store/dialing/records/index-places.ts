import { callbackLevel } from '../../../domain/dialing/dial-state.ts';
import { deferralOf, type TaskContact } from '../../../domain/dialing/task-contact.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Database, type Item, keys, tableDefinition, timeKey } from '../../table/index.ts';

/** The place of a task contact in the index. A contact that is leased keeps its place in line. */
export type IndexPlace = {
  seq: number;
  version: number;
  /** When it came due, or when its lease ends. */
  since: number;
  isLeased: boolean;
  /** It was deferred, and is due later than it would have been. A leased contact may keep the mark. */
  isDeferred: boolean;
};

const placeOf = ({ sk, gsi1sk, state, until, v }: Item): IndexPlace => {
  const isLeased = state === 'leased';
  const since = isLeased ? (until as number) : Number.parseInt(gsi1sk as string, 10);
  const isDeferred = (gsi1sk as string).endsWith(keys.deferredMark);
  return { seq: Number(sk), version: v as number, since, isLeased, isDeferred };
};

/** The index partition of a contact that needs no further call. */
const endedPartition = (contact: TaskContact): string | undefined => {
  const { taskId } = contact;
  if (contact.state === 'blocked') return keys.blocked(taskId);
  if (contact.state !== 'final') return undefined;
  if (contact.outcome === 'success') return keys.reached(taskId);
  return contact.outcome === 'failed'
    ? keys.failed(taskId, contact.recallNumber)
    : keys.unanswered(taskId, contact.recallNumber);
};

/** A contact that waits or is called again has a place in line. A settled contact has a place by its outcome. */
export const indexKeys = (contact: TaskContact) => {
  const { taskId, seq, priority } = contact;
  if (contact.state === 'waiting' || (contact.state === 'leased' && contact.isInLine))
    return {
      gsi1pk: keys.line(taskId, contact.isCallback ? callbackLevel : priority),
      gsi1sk: `${keys.indexSort(contact.due, seq)}${deferralOf(contact) ? keys.deferredMark : ''}`,
    };
  const gsi1pk = endedPartition(contact);
  return gsi1pk === undefined ? {} : { gsi1pk, gsi1sk: keys.indexSort(contact.lastCallTime ?? 0, seq) };
};

/** Without what is behind it. Release 0.2 put phone numbers there, which clients must not see. */
const sortOf = ({ gsi1sk }: Item) => (gsi1sk as string).split('#').slice(0, 2).join('#');

type PageRange = {
  /** Places behind that `sort`. */
  after?: string | undefined;
  /** Places up to that time. Not with `isNewestFirst`. */
  until?: Instant | undefined;
  limit: number;
  isNewestFirst?: boolean;
};

/** Sort before and behind every sort key, and behind every sort key that begins with what stands before it. */
const [first, last, behind] = ['0', '~', '#~'];

/**
 * Places of one partition of the index, in its order. The answer may lag a moment behind the table.
 * Clients are given `sort` in page tokens.
 */
export const readPlaces = async (
  database: Database,
  partition: string,
  { after, until, limit, isNewestFirst = false }: PageRange,
): Promise<(IndexPlace & { sort: string })[]> => {
  const oldestFirst = {
    ':from': after === undefined ? first : `${after}${behind}`,
    ':to': until === undefined ? last : `${timeKey(until)}${behind}`,
  };
  const items = await database.queryAll({
    IndexName: tableDefinition.index.name,
    KeyConditionExpression: `gsi1pk = :pk AND gsi1sk ${isNewestFirst ? '< :to' : 'BETWEEN :from AND :to'}`,
    ExpressionAttributeValues: {
      ':pk': partition,
      ...(isNewestFirst ? { ':to': after ?? last } : oldestFirst),
    },
    ScanIndexForward: !isNewestFirst,
    Limit: limit,
  });
  return items.map((item) => ({ ...placeOf(item), sort: sortOf(item) }));
};
