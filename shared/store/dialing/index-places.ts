import { callbackLevel } from '../../domain/dialing/dial-state.ts';
import type { TaskContact } from '../../domain/dialing/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database, Item } from '../table/index.ts';
import { keys, tableDefinition, timeKey } from '../table/index.ts';

/** The place of a task contact in the index. A contact that is leased keeps its place in line. */
export type IndexPlace = {
  seq: number;
  version: number;
  /** When it came due, or when its lease ends. */
  since: number;
  isLeased: boolean;
};

const placeOf = ({ sk, gsi1sk, state, until, v }: Item): IndexPlace => {
  const isLeased = state === 'leased';
  const since = isLeased ? (until as number) : Number.parseInt(gsi1sk as string, 10);
  return { seq: Number(sk), version: v as number, since, isLeased };
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
      gsi1sk: keys.indexSort(contact.due, seq),
    };
  const gsi1pk = endedPartition(contact);
  return gsi1pk === undefined ? {} : { gsi1pk, gsi1sk: keys.indexSort(contact.lastCallTime ?? 0, seq) };
};

/** Release 0.2 put phone numbers behind the sort keys of contacts in line. Clients must not see them. */
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
