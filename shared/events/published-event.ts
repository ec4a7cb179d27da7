import { type FormatTime, formatOrNull, type Instant } from '../domain/time.ts';
import { type Attributes, clearedMark, type Item, itemOf, keys } from '../store/table/index.ts';
import { type DomainEvent, eventsOf } from './change-events.ts';

export const eventSource = 'outbound.tasks';

const detailType = {
  TaskStateChanged: 'Task State Changed',
  ContactSettled: 'Contact Outcome Final',
  ContactErased: 'Contact Erased',
  TaskDeleted: 'Task Deleted',
  DataSourceDeleted: 'Data Source Deleted',
} as const satisfies Record<DomainEvent['type'], string>;

export type PublishedEvent = {
  detailType: (typeof detailType)[DomainEvent['type']];
  time: Instant;
  /** `id` is the same each time the event is published. */
  detail: { id: string } & Record<string, unknown>;
};

/** An item before and after a write, with typed attribute values as the table's stream has them. */
export type ImageChange = { before?: Attributes | undefined; after?: Attributes | undefined };

const detailOf = (event: DomainEvent, format: FormatTime): PublishedEvent['detail'] => {
  const { id, type, detail } = event;
  if (type !== 'ContactSettled') return { id, ...detail };
  const { lastCallTime } = detail;
  return { id, ...detail, lastCallTime: formatOrNull(lastCallTime, format) };
};

const textOf = (image: Attributes | undefined, name: string) => (image?.[name]?.S ?? '') as string;
const recordSort = keys.task('').sk;

/**
 * Only changes of task items, deletions of tasks and data sources, and ended erasures become events. The others, mostly
 * contacts, are far more and need not be read. The stream's filter in lib/triggers.ts says the same.
 */
const mayTell = ({ before, after }: ImageChange): boolean => {
  if (before === undefined || (after ?? before)[clearedMark] !== undefined) return false;
  if (after === undefined)
    return keys.erasures.includes(textOf(before, 'pk')) || textOf(before, 'sk') === recordSort;
  return textOf(after, 'pk').startsWith('TASK#');
};

const itemIn = (image: Attributes | undefined) => image && (itemOf(image) as Item);

/** The events of a committed change of an item. */
export const publishedEvents = (change: ImageChange, time: Instant, format: FormatTime): PublishedEvent[] => {
  if (!mayTell(change)) return [];
  return eventsOf({ before: itemIn(change.before), after: itemIn(change.after) }).map((event) => ({
    detailType: detailType[event.type],
    time,
    detail: detailOf(event, format),
  }));
};
