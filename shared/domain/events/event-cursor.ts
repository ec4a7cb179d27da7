import { invalid, ServiceError } from '../errors.ts';
import { dayMs, hourMs, type Instant } from '../time.ts';

/** How long the list keeps an event. */
export const eventsKeptMs = 30 * dayMs;
/** A reader that began with the oldest event has this long for its next request. */
const graceMs = hourMs;

/** A position in the list of events: the first `index` events of this page, and all pages before it, have been read. */
export type EventPosition = { page: number; index: number };

/** `time`: no event that was listed since then is missing behind the position. */
export type EventCursor = EventPosition & { time: Instant };

/** Pages that were listed before are not shown to a reader with a cursor. */
export const shownFrom = (now: Instant): Instant => now - eventsKeptMs - graceMs;

/** The cursor behind an event that was listed at that time. */
export const cursorBehind = (at: EventPosition, listed: Instant, now: Instant): EventCursor => ({
  ...at,
  time: Math.max(listed, now - eventsKeptMs),
});

const expired = 'the cursor is older than the list of events; begin without "after", or with "now"';
const pattern = /^[0-9a-z]{1,11}-[0-9a-z]{1,5}-[0-9a-z]{1,11}$/;

export const cursorText = ({ page, index, time }: EventCursor): string =>
  [page, index, time].map((number) => number.toString(36)).join('-');

/** @throws ServiceError INVALID, CURSOR_EXPIRED when events behind it may have left the list */
export const cursorOf = (text: string, now: Instant): EventCursor => {
  if (!pattern.test(text)) throw invalid('after', 'must be "now", or "next" of an earlier answer');
  const [page = 0, index = 0, time = 0] = text.split('-').map((part) => Number.parseInt(part, 36));
  if (time < shownFrom(now))
    throw new ServiceError('CURSOR_EXPIRED', `after: ${expired}`, [
      { field: 'after', code: 'NOT_VALID', message: expired },
    ]);
  return { page, index, time };
};
