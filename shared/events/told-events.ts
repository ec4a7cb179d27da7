import type { ServiceEvent } from '../domain/events/service-event.ts';
import { type FormatTime, formatOrNull, type Instant } from '../domain/time.ts';
import { type Attributes, clearedMark, type Item, itemOf, keys } from '../store/table/index.ts';
import { type DomainEvent, eventsOf } from './change-events.ts';

/** An item before and after a write, with typed attribute values as the table's stream has them. */
export type ImageChange = { before?: Attributes | undefined; after?: Attributes | undefined };

const dataOf = (event: DomainEvent, format: FormatTime): ServiceEvent['data'] => {
  if (event.type !== 'contact.settled') return event.data;
  return { ...event.data, lastCallTime: formatOrNull(event.data.lastCallTime, format) };
};

const textOf = (image: Attributes | undefined, name: string) => (image?.[name]?.S ?? '') as string;
const recordSort = keys.task('').sk;
const importSort = keys.import('', '').sk;

/**
 * Only changes of task items and imports, deletions of tasks and data sources, and ended erasures become events. The
 * others, mostly contacts, are far more and need not be read. The stream's filter in lib/triggers.ts says the same.
 */
export const mayTell = ({ before, after }: ImageChange): boolean => {
  if (before === undefined || (after ?? before)[clearedMark] !== undefined) return false;
  if (after === undefined)
    return keys.erasures.includes(textOf(before, 'pk')) || textOf(before, 'sk') === recordSort;
  return textOf(after, 'pk').startsWith('TASK#') || textOf(after, 'sk').startsWith(importSort);
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
