import { zoneField, zoneOf } from '../../platform/time/schedule.ts';
import type { Instant } from '../../platform/time/time.ts';
import { instantAt } from '../../platform/time/zones.ts';
import type { Fields } from './contact.ts';

/** The fields of a contact that say from when and until when it may be called. */
export const ownTimeFields = ['callAfter', 'callBefore'] as const;

/** The fields that decide when a contact may be called. */
export const timingFields = [zoneField, ...ownTimeFields] as const;

/** `before` is excluded. */
export type OwnTimes = { after?: Instant | undefined; before?: Instant | undefined };

/** A date, or a date with a time to the minute or to the second. */
const pattern = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?$/;

const instantOf = (text: string | undefined, zone: string, isEnd: boolean): Instant | undefined => {
  const [, date = '', time] = pattern.exec(text?.trim() ?? '') ?? [];
  if (time !== undefined) return instantAt(`${date} ${time}`, zone);
  const start = instantAt(`${date} 00:00`, zone);
  return start !== undefined && isEnd ? instantAt(`${dayAfter(date)} 00:00`, zone) : start;
};

const dayAfter = (date: string): string => {
  const day = new Date(`${date}T00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
};

/**
 * By the clock of the contact's own zone, else of the service. A value of another form is ignored.
 */
export const ownTimesOf = (fields: Fields, serviceZone: string): OwnTimes => {
  const { callAfter, callBefore } = fields;
  if (callAfter === undefined && callBefore === undefined) return {};
  const zone = zoneOf(fields, {}, serviceZone);
  return { after: instantOf(callAfter, zone, false), before: instantOf(callBefore, zone, true) };
};

/** Whether one of the contact's own times is no date or time. An empty field is none. */
export const hasUnreadableTime = (fields: Fields): boolean =>
  ownTimeFields.some((name) => {
    const text = fields[name]?.trim() ?? '';
    return text !== '' && instantOf(text, 'UTC', false) === undefined;
  });
