import type { TaskContact } from '../../domain/dialing/task-contact.ts';
import type { Database, Item } from '../table/index.ts';
import { keys, tableDefinition } from '../table/index.ts';

/** The place of a task contact in the index; one that was leased keeps its place in line. */
export type IndexPlace = {
  seq: number;
  version: number;
  /** When it came due, or when its lease ends. */
  since: number;
  isLeased: boolean;
  /** As it was when the contact got its place; only where calls are counted by number. */
  phoneNumber?: string;
};

export const placeOf = ({ sk, gsi1sk, state, until, v }: Item): IndexPlace => {
  const isLeased = state === 'leased';
  const since = isLeased ? (until as number) : Number.parseInt(gsi1sk as string, 10);
  const [, , phoneNumber] = (gsi1sk as string).split('#');
  const place = { seq: Number(sk), version: v as number, since, isLeased };
  return phoneNumber === undefined ? place : { ...place, phoneNumber };
};

/** Where the index has those who need no further call. */
const endedPartition = (contact: TaskContact): string | undefined => {
  const { taskId } = contact;
  if (contact.state === 'blocked') return keys.blocked(taskId);
  if (contact.state !== 'final') return undefined;
  if (contact.outcome === 'success') return keys.reached(taskId);
  return contact.outcome === 'failed'
    ? keys.failed(taskId, contact.recallNumber)
    : keys.unanswered(taskId, contact.recallNumber);
};

/** A contact that waits or is called again keeps its place in line; one that is through has one among its kind. */
export const indexKeys = (contact: TaskContact) => {
  const { taskId, seq, priority, phoneNumber } = contact;
  if (contact.state === 'waiting' || (contact.state === 'leased' && contact.isInLine))
    return { gsi1pk: keys.line(taskId, priority), gsi1sk: keys.indexSort(contact.due, seq, phoneNumber) };
  const gsi1pk = endedPartition(contact);
  return gsi1pk === undefined ? {} : { gsi1pk, gsi1sk: keys.indexSort(contact.lastCallTime ?? 0, seq) };
};

const sortOf = ({ gsi1sk }: Item) => (gsi1sk as string).split('#').slice(0, 2).join('#');

type PageRange = { after?: string | undefined; limit: number; isNewestFirst: boolean };

/** Sorts behind every phone number. */
const behindNumbers = '#~';

/**
 * Places of one partition of the index, in its order, behind the one that sorts under `after`; may lag. `sort` tells
 * no phone number: clients are given it.
 */
export const readPlaces = async (
  database: Database,
  partition: string,
  { after, limit, isNewestFirst }: PageRange,
): Promise<(IndexPlace & { sort: string })[]> => {
  const behind = after === undefined ? '' : ` AND gsi1sk ${isNewestFirst ? '<' : '>'} :after`;
  const place = isNewestFirst ? after : `${after}${behindNumbers}`;
  const items = await database.queryAll({
    IndexName: tableDefinition.index.name,
    KeyConditionExpression: `gsi1pk = :pk${behind}`,
    ExpressionAttributeValues: { ':pk': partition, ...(after !== undefined && { ':after': place }) },
    ScanIndexForward: !isNewestFirst,
    Limit: limit,
  });
  return items.map((item) => ({ ...placeOf(item), sort: sortOf(item) }));
};
