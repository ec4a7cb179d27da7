import { randomBytes } from 'node:crypto';
import { idFrom } from '../domain/ids.ts';
import { type FormatTime, type Instant, timeIn } from '../domain/time.ts';
import { type LazyPhoneForm, phoneFormIn } from './phone-country.ts';

/** Clock, ids and the service's place: what rules may not fetch for themselves. */
export type ClockAndIds = {
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
  phoneForm: LazyPhoneForm;
};

/** `country`: ISO 3166 code, or empty. @throws Error on another */
export const clockAndIds = (timeZone: string, now: () => Instant = Date.now, country = ''): ClockAndIds => ({
  now,
  newId: () => idFrom(randomBytes(16)),
  formatTime: timeIn(timeZone),
  phoneForm: phoneFormIn(country),
});
