import type { FormatTime, Instant } from '../domain/time.ts';
import { type Attributes, type Item, itemOf, keys } from '../store/table/index.ts';
import { type DomainEvent, eventsOf } from './change-events.ts';

export const eventSource = 'outbound.tasks';

const detailType = {
  TaskStateChanged: 'Task State Changed',
  ContactSettled: 'Contact Outcome Final',
  ContactErased: 'Contact Erased',
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
  return { id, ...detail, lastCallTime: lastCallTime === null ? null : format(lastCallTime) };
};

const partitionOf = (image: Attributes | undefined) => (image?.pk?.S as string | undefined) ?? '';

/**
 * Only changes of task items and ended erasures become events. The others, mostly contacts, are far more and need not be
 * read. The stream's filter in lib/triggers.ts says the same.
 */
const mayTell = ({ before, after }: ImageChange): boolean =>
  after === undefined
    ? partitionOf(before) === keys.erasures
    : partitionOf(before).startsWith('TASK#') && partitionOf(after).startsWith('TASK#');

const itemIn = (image: Attributes | undefined) => image && (itemOf(image) as Item);

/** The events of a committed change of an item. */
export const publishedEvents = (
  { before, after }: ImageChange,
  time: Instant,
  format: FormatTime,
): PublishedEvent[] => {
  if (!mayTell({ before, after })) return [];
  return eventsOf({ before: itemIn(before), after: itemIn(after) }).map((event) => ({
    detailType: detailType[event.type],
    time,
    detail: detailOf(event, format),
  }));
};
