import { randomBytes } from 'node:crypto';
import { idFrom } from '../domain/ids.ts';
import { type FormatTime, type Instant, timeIn } from '../domain/time.ts';

/** Clock and ids: what rules may not fetch for themselves. */
export type Basics = { now: () => Instant; newId: () => string; formatTime: FormatTime };

export const createBasics = (timeZone: string, now: () => Instant = Date.now): Basics => ({
  now,
  newId: () => idFrom(randomBytes(16)),
  formatTime: timeIn(timeZone),
});
