import type { FormatTime, Instant } from '../domain/time.ts';
import { itemOfImage, type StoredImage } from '../store/table/index.ts';
import { type DomainEvent, eventsOf } from './change-events.ts';

export const eventSource = 'outbound.tasks';

const detailType = {
  TaskStateChanged: 'Task State Changed',
  ContactOutcome: 'Contact Outcome Final',
} as const satisfies Record<DomainEvent['type'], string>;

export type PublishedEvent = {
  detailType: (typeof detailType)[DomainEvent['type']];
  time: Instant;
  /** `id` is the same each time the same event is published. */
  detail: { id: string } & Record<string, unknown>;
};

export type ImageChange = { before?: StoredImage | undefined; after?: StoredImage | undefined };

const detailOf = (event: DomainEvent, format: FormatTime): PublishedEvent['detail'] => {
  const { id, type, detail } = event;
  if (type === 'TaskStateChanged') return { id, ...detail };
  const { lastCallTime } = detail;
  return { id, ...detail, lastCallTime: lastCallTime === null ? null : format(lastCallTime) };
};

/** Only the items of tasks: the rest, contacts above all, is far more and never an event. */
const isOfTask = (image: StoredImage | undefined) => image?.pk?.S?.startsWith('TASK#') ?? false;

/** What the world outside is told about a committed change of an item, if anything. */
export const publishedEvents = (
  { before, after }: ImageChange,
  time: Instant,
  format: FormatTime,
): PublishedEvent[] => {
  if (!isOfTask(before) || !isOfTask(after)) return [];
  const change = { before: before && itemOfImage(before), after: after && itemOfImage(after) };
  return eventsOf(change).map((event) => ({
    detailType: detailType[event.type],
    time,
    detail: detailOf(event, format),
  }));
};
