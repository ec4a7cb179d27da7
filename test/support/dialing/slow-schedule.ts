import fc from 'fast-check';
import type { Schedule } from '../../../shared/platform/time/schedule.ts';
import type { FormatTime } from '../../../shared/platform/time/time.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const at = (iso: string) => Date.parse(iso);

const clocksOf = new Map<string, FormatTime>();
const clockIn = (zone: string): FormatTime => {
  const clock = clocksOf.get(zone) ?? timeIn(zone);
  clocksOf.set(zone, clock);
  return clock;
};

const momentsOf = new Map<string, number>();
/**
 * The first minute at which a clock of the zone shows that moment or a later one. Clocks are never
 * 16 hours from UTC.
 */
export const firstShown = (moment: string, zone: string): number => {
  const known = momentsOf.get(`${moment} ${zone}`);
  if (known !== undefined) return known;
  let instant = at(`${moment.replace(' ', 'T')}Z`) - 16 * 60 * minute;
  while (clockIn(zone)(instant).slice(0, 16) < moment) instant += minute;
  momentsOf.set(`${moment} ${zone}`, instant);
  return instant;
};

const isWithinDates = ({ callFrom, callUntil, timeZone }: Schedule & { timeZone: string }, instant: number) =>
  (!callFrom || firstShown(callFrom, timeZone) <= instant) &&
  (!callUntil || instant < firstShown(callUntil, timeZone));

/**
 * Whether a wall clock and a calendar in the zone allow calls: read off as a person would. Dates
 * are read off the clock of the task's zone, hours off the clock of `zone`.
 */
export const isOpen = (
  schedule: Schedule & { timeZone: string },
  instant: number,
  zone: string = schedule.timeZone,
): boolean => {
  if (!isWithinDates(schedule, instant)) return false;
  const shown = clockIn(zone)(instant);
  const [date = '', clock = ''] = [shown.slice(0, 10), shown.slice(11, 16)];
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay() || 7;
  return (
    schedule.dailyStartTime <= clock &&
    clock < schedule.dailyEndTime &&
    (schedule.weekdays ?? [weekday]).includes(weekday) &&
    !(schedule.excludedDates ?? []).includes(date) &&
    !(schedule.breaks ?? []).some(({ start, end }) => start <= clock && clock < end) &&
    (schedule.callingHours?.start ?? '00:00') <= clock &&
    clock < (schedule.callingHours?.end ?? '24:00')
  );
};

/** Minute by minute; `undefined` when none of the next `days` has one. */
export const firstOpenMinute = (
  schedule: Schedule & { timeZone: string },
  from: number,
  days: number,
  zone: string = schedule.timeZone,
) => {
  if (isOpen(schedule, from, zone)) return from;
  const next = Math.floor(from / minute) * minute + minute;
  for (let instant = next; instant < from + days * day; instant += minute) {
    if (isOpen(schedule, instant, zone)) return instant;
  }
  return undefined;
};

const clockOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Ends of the window and of its breaks, often in the small hours, in which clocks are changed. */
const clocks = fc
  .uniqueArray(fc.oneof(fc.nat({ max: 24 * 60 }), fc.nat({ max: 4 * 60 })), { minLength: 2, maxLength: 8 })
  .map((minutes) => minutes.sort((a, b) => a - b).map(clockOf));

/** Clocks that jump an hour, half an hour; at midnight, around Ramadan; and some that do not. */
const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Havana',
  'Africa/Casablanca',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Apia',
  'Asia/Shanghai',
  'UTC',
];

const changes = [
  '2024-03-10T07:00Z',
  '2024-11-03T06:00Z',
  '2025-03-30T01:00Z',
  '2025-10-26T01:00Z',
  '2025-04-05T15:00Z',
  '2025-10-04T15:30Z',
  '2026-03-08T05:00Z',
  '2026-02-15T02:00Z',
  '2021-04-03T14:00Z',
].map(at);

export const instants = fc.oneof(
  fc.integer({ min: at('2023-01-01T00:00Z'), max: at('2031-01-01T00:00Z') }),
  fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * day, max: day })).map(([a, b]) => a + b),
);

const dateNear = (instant: number, days: number) => new Date(instant + days * day).toISOString().slice(0, 10);
const momentNear = (instant: number) => new Date(instant).toISOString().slice(0, 16).replace('T', ' ');

/**
 * Minutes from the moment: often close to it, sometimes before or after all that is looked through.
 */
const distances = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.integer({ min: -4 * 24 * 60, max: 4 * 24 * 60 }),
);

/** A moment and a schedule around it. */
export const situations = fc
  .record({
    from: instants,
    zone: fc.constantFrom(...zones),
    clocks,
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), { nil: undefined }),
    excluded: fc.uniqueArray(fc.integer({ min: -1, max: 4 }), { maxLength: 3 }),
    dates: fc.uniqueArray(distances, { maxLength: 2 }),
    isLast: fc.boolean(),
    calling: fc.option(clocks, { nil: undefined }),
    ownZone: fc.constantFrom(...zones),
  })
  .map(({ from, zone, clocks: [start = '', ...rest], weekdays, excluded, ...others }) => {
    const dates = others.dates.sort((a, b) => a - b).map((minutes) => momentNear(from + minutes * minute));
    const [callFrom, callUntil] = dates.length === 1 && others.isLast ? [undefined, dates[0]] : dates;
    const callingHours = others.calling && { start: others.calling[0]!, end: others.calling.at(-1)! };
    const end = rest.pop() ?? '';
    const breaks = Array.from({ length: Math.floor(rest.length / 2) }, (_, i) => ({
      start: rest[2 * i] ?? '',
      end: rest[2 * i + 1] ?? '',
    })).reverse();
    const excludedDates = excluded.map((days) => dateNear(from, days));
    return {
      from,
      ownZone: others.ownZone,
      schedule: {
        ...{ timeZone: zone, dailyStartTime: start, dailyEndTime: end, breaks, excludedDates },
        ...(weekdays && { weekdays }),
        ...(callFrom && { callFrom }),
        ...(callUntil && { callUntil }),
        ...(callingHours && { callingHours }),
      },
    };
  });
