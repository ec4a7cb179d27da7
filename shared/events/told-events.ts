import type { DynamoDBRecord } from 'aws-lambda';
import type { ServiceEvent } from '../domain/events/service-event.ts';
import { type FormatTime, formatOrNull, type Instant, secondMs } from '../domain/time.ts';
import {
  type Attributes,
  clearedMark,
  copiedMark,
  type Item,
  isCallKey,
  itemOf,
  keys,
} from '../store/table/index.ts';
import { type DomainEvent, eventsOf } from './change-events.ts';

/** An item before and after a write, with typed attribute values as the table's stream has them. */
export type ImageChange = { before?: Attributes | undefined; after?: Attributes | undefined };

/** The instants among the data of events. Events tell times as the API does. */
const timeNames: ReadonlySet<string> = new Set([
  'lastCallTime',
  'startTime',
  'endTime',
  'callbackTime',
  'updateTime',
]);

const dataOf = ({ data }: DomainEvent, format: FormatTime): ServiceEvent['data'] =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      timeNames.has(name) ? formatOrNull(value as Instant | null, format) : value,
    ]),
  );

const textOf = (image: Attributes | undefined, name: string) => (image?.[name]?.S ?? '') as string;
const recordSort = keys.task('').sk;
const importSort = keys.import('', '').sk;

/**
 * Only new records of calls, changes of task items, webhooks and imports, deletions of tasks and data sources, and ended erasures
 * become events. The others, mostly contacts, are far more and need not be read. The stream's filter in lib/triggers.ts
 * says the same.
 */
export const mayTell = ({ before, after }: ImageChange): boolean => {
  if (before === undefined) return isCallKey(textOf(after, 'pk')) && after?.[copiedMark] === undefined;
  if ((after ?? before)[clearedMark] !== undefined) return false;
  if (after === undefined)
    return keys.erasures.includes(textOf(before, 'pk')) || textOf(before, 'sk') === recordSort;
  const pk = textOf(after, 'pk');
  return pk.startsWith('TASK#') || pk === keys.webhooks || textOf(after, 'sk').startsWith(importSort);
};

const itemIn = (image: Attributes | undefined) => image && (itemOf(image) as Item);

/** The events of a committed change of an item. */
export const toldEvents = (change: ImageChange, time: Instant, format: FormatTime): ServiceEvent[] => {
  if (!mayTell(change)) return [];
  return eventsOf({ before: itemIn(change.before), after: itemIn(change.after) }).map((event) => ({
    id: event.id,
    type: event.type,
    time: new Date(time).toISOString(),
    data: dataOf(event, format),
  }));
};

/** The events of a record of the table's stream. */
export const eventsInRecord = ({ dynamodb = {} }: DynamoDBRecord, format: FormatTime): ServiceEvent[] => {
  const change = { before: dynamodb.OldImage, after: dynamodb.NewImage };
  return toldEvents(change, (dynamodb.ApproximateCreationDateTime ?? 0) * secondMs, format);
};
