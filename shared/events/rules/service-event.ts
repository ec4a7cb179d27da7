import { invalid, ServiceError } from '../../platform/rules/errors.ts';
import { dayMs, hourMs, type Instant } from '../../platform/time/time.ts';

/** Every kind of event, in the order of the documentation. */
export const eventTypes = [
  'task.state_changed',
  'task.deleted',
  'call.ended',
  'call.annotated',
  'contact.settled',
  'contact.erased',
  'import.ended',
  'data_source.deleted',
  'webhook.disabled',
] as const;

export type EventType = (typeof eventTypes)[number];

/** What the service tells other systems: ids, states, outcomes and counts, never a phone number. */
export type ServiceEvent = {
  /**
   * The same each time the event is sent, so that a receiver can drop repeats. Unique over all
   * types.
   */
  id: string;
  type: EventType;
  /** ISO 8601, UTC. */
  time: string;
  data: Readonly<Record<string, unknown>>;
};

export const isEventType = (text: string): text is EventType =>
  (eventTypes as readonly string[]).includes(text);

export type EventFilter = (event: ServiceEvent) => boolean;

/**
 * `types` are separated by commas; absent: all types.
 * @throws ServiceError INVALID naming a type that does not exist
 */
export const eventFilter = (types: string | undefined, taskId: string | undefined): EventFilter => {
  const wanted = types?.split(',').map((type) => type.trim());
  const unknown = wanted?.find((type) => !isEventType(type));
  if (unknown !== undefined)
    throw invalid('types', `"${unknown}" is not a type of events; there are ${eventTypes.join(', ')}`);
  return ({ type, data }) =>
    (wanted === undefined || wanted.includes(type)) && (taskId === undefined || data.taskId === taskId);
};

/** How long the list keeps an event. */
export const eventsKeptMs = 30 * dayMs;
/** Time that a reader who began with the oldest event has for its next request. */
const graceMs = hourMs;

/**
 * A position in the list of events. All sheets before `sheet` were read, and the first `sheetIndex`
 * events of the sheet. Of the pages of release 0.5, all pages before `page` were read, and the
 * first `index` events of the page. A position that release 0.5 stored has no sheet: none was read.
 */
export type EventPosition = { page: number; index: number; sheet?: number; sheetIndex?: number };

/** `time`: no event that was listed after this time is missing behind the position. */
export type EventCursor = EventPosition & { time: Instant };

export const isSamePosition = (one: EventPosition, other: EventPosition): boolean =>
  positionNumbers(one).every((number, at) => number === positionNumbers(other)[at]);

const positionNumbers = ({ page, index, sheet = 0, sheetIndex = 0 }: EventPosition) => [
  page,
  index,
  sheet,
  sheetIndex,
];

/** Earlier pages are not shown to a reader with a cursor. */
export const shownFrom = (now: Instant): Instant => now - eventsKeptMs - graceMs;

/** The cursor behind an event that was listed at `listed`. */
export const cursorBehind = (at: EventPosition, listed: Instant, now: Instant): EventCursor => ({
  ...at,
  time: Math.max(listed, now - eventsKeptMs),
});

const expired = 'the cursor is older than the list of events; begin without "after", or with "now"';
/** Cursors of release 0.5 have the first three numbers only. */
const pattern = /^[0-9a-z]{1,11}-[0-9a-z]{1,5}-[0-9a-z]{1,11}(-[0-9a-z]{1,11}-[0-9a-z]{1,5})?$/;

export const cursorText = ({ page, index, time, sheet = 0, sheetIndex = 0 }: EventCursor): string =>
  [page, index, time, sheet, sheetIndex].map((number) => number.toString(36)).join('-');

/** @throws ServiceError INVALID; CURSOR_EXPIRED if events behind it may have left the list */
export const cursorOf = (text: string, now: Instant): EventCursor => {
  if (!pattern.test(text)) throw invalid('after', 'must be "now", or "next" of an earlier answer');
  const numbers = text.split('-').map((part) => Number.parseInt(part, 36));
  const [page = 0, index = 0, time = 0, sheet = 0, sheetIndex = 0] = numbers;
  if (time < shownFrom(now))
    throw new ServiceError('CURSOR_EXPIRED', `after: ${expired}`, [
      { field: 'after', code: 'NOT_VALID', message: expired },
    ]);
  return { page, index, time, sheet, sheetIndex };
};
