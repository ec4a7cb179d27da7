import { invalid } from '../rules/errors.ts';
import { dayMs, type Instant, minuteMs, minutesOf } from './time.ts';
import { instantAt, isTimeZone, steadyTimeAt } from './zones.ts';

/** `HH:MM`, 00:00-24:00; the end is excluded. */
export type ClockRange = { start: string; end: string };

/** When a task may call, by the clock of one time zone. */
export type Schedule = {
  dailyStartTime: string;
  dailyEndTime: string;
  /** IANA name; default: the service's zone. */
  timeZone?: string | undefined;
  /** 1-7, 1 = Monday; default: all. */
  weekdays?: readonly number[] | undefined;
  /** `YYYY-MM-DD`. */
  excludedDates?: readonly string[] | undefined;
  /** Within the daily window, without overlap. */
  breaks?: readonly ClockRange[] | undefined;
  /** `YYYY-MM-DD HH:MM`; no calls before. */
  callFrom?: string | null | undefined;
  /** `YYYY-MM-DD HH:MM`; the task is stopped at this time. */
  callUntil?: string | null | undefined;
  /** The service's hours. No task calls outside them. */
  callingHours?: ClockRange | undefined;
};

/** The field of a contact that names a zone of its own. */
export const zoneField = 'timeZone';

/** The zone that a contact names, if it is a known zone. */
export const ownZoneOf = (contact: Readonly<Record<string, string>>): string | undefined => {
  const own = contact[zoneField];
  return own !== undefined && isTimeZone(own) ? own : undefined;
};

/** The clock by which a contact is called: that of its own zone, of its task, or of the service. */
export const zoneOf = (
  contact: Readonly<Record<string, string>> | undefined,
  task: Pick<Schedule, 'timeZone'>,
  serviceZone: string,
): string => (contact && ownZoneOf(contact)) ?? task.timeZone ?? serviceZone;

/** Settings of the service for the hours of all tasks. */
export type ServiceHours = {
  /** IANA name of the zone of tasks without a zone of their own. */
  zone: string;
  callingHours?: ClockRange | undefined;
};

const daysOfWeek = 7;
/** 1970-01-01 was a Thursday, three days after a Monday. */
const firstWeekday = 3;
const searchedMs = 400 * dayMs;

/** The time and date of a wall clock in milliseconds, as if its zone were UTC. */
type WallTime = number;

const weekdayOf = (day: WallTime) => ((Math.floor(day / dayMs) + firstWeekday) % daysOfWeek) + 1;
const dateOf = (day: WallTime) => new Date(day).toISOString().slice(0, 10);

type Milliseconds = { start: number; end: number };
const ofDay = ({ start, end }: ClockRange): Milliseconds => ({
  start: minutesOf(start) * minuteMs,
  end: minutesOf(end) * minuteMs,
});

const wholeDay: ClockRange = { start: '00:00', end: '24:00' };

/** The daily window within the service's hours and without the breaks, in milliseconds of a day. */
export const openHours = (schedule: Schedule): Milliseconds[] => {
  const { dailyStartTime, dailyEndTime, breaks = [], callingHours = wholeDay } = schedule;
  const window = ofDay({ start: dailyStartTime, end: dailyEndTime });
  const pauses = breaks.map(ofDay).sort((a, b) => a.start - b.start);
  const starts = [window.start, ...pauses.map(({ end }) => end)];
  const ends = [...pauses.map(({ start }) => start), window.end];
  const allowed = ofDay(callingHours);
  return starts
    .map((start, i) => ({
      start: Math.max(start, allowed.start),
      end: Math.min(ends[i] as number, allowed.end),
    }))
    .filter(({ start, end }) => start < end);
};

const opensOn = ({ weekdays, excludedDates = [] }: Schedule, day: WallTime): boolean =>
  (weekdays === undefined || weekdays.includes(weekdayOf(day))) &&
  (excludedDates.length === 0 || !excludedDates.includes(dateOf(day)));

/** The first open moment from `from` to before `until`. The clock does not change in between. */
const firstOpen = (
  schedule: Schedule,
  hours: readonly Milliseconds[],
  from: WallTime,
  until: WallTime,
): WallTime | undefined => {
  for (let day = Math.floor(from / dayMs) * dayMs; day < until; day += dayMs) {
    if (!opensOn(schedule, day)) continue;
    const open = hours.find(({ end }) => from < day + end);
    if (open !== undefined && day + open.start < until) return Math.max(from, day + open.start);
  }
  return undefined;
};

/** Most tasks are always open and need no calendar. Their dates are not considered here. */
export const isAlwaysOpen = ({
  dailyStartTime,
  dailyEndTime,
  weekdays,
  excludedDates = [],
  breaks = [],
  callingHours = wholeDay,
}: Schedule) =>
  callingHours.start === wholeDay.start &&
  callingHours.end === wholeDay.end &&
  dailyStartTime === '00:00' &&
  dailyEndTime === '24:00' &&
  (weekdays === undefined || weekdays.length === daysOfWeek) &&
  excludedDates.length === 0 &&
  breaks.length === 0;

/**
 * When the dates of a task begin and end; `until` is excluded. Of a moment that the clock shows
 * twice, the first counts.
 */
const datesOf = (task: Pick<Schedule, 'callFrom' | 'callUntil' | 'timeZone'>, serviceZone: string) => {
  const zone = zoneOf(undefined, task, serviceZone);
  const instant = (moment: string | null | undefined) => (moment ? instantAt(moment, zone) : undefined);
  return {
    from: instant(task.callFrom) ?? Number.NEGATIVE_INFINITY,
    until: instant(task.callUntil) ?? Number.POSITIVE_INFINITY,
  };
};

/**
 * The instant of `callUntil`, from which on no calls are made.
 * @returns infinity if the task has none
 */
export const endOf = (schedule: Pick<Schedule, 'callUntil' | 'timeZone'>, serviceZone: string): Instant =>
  datesOf(schedule, serviceZone).until;

/**
 * The first instant from `at` on that the dates allow, whatever the hours.
 * @returns undefined if the dates are over
 */
export const withinDatesFrom = (
  schedule: Schedule,
  at: Instant,
  serviceZone: string,
): Instant | undefined => {
  const { from, until } = datesOf(schedule, serviceZone);
  const first = Math.max(at, from);
  return first < until ? first : undefined;
};

/**
 * The first instant from `at` on at which the schedule allows calls; `at` itself while it is open.
 * Dates count in the task's zone, hours in `zone`.
 * @returns undefined if the task ends before, or its hours stay closed for 400 days
 */
export const openFrom = (
  schedule: Schedule,
  at: Instant,
  serviceZone: string,
  zone: string = zoneOf(undefined, schedule, serviceZone),
): Instant | undefined => {
  const first = withinDatesFrom(schedule, at, serviceZone);
  const opening = first === undefined ? undefined : openInHours(schedule, first, zone);
  return opening !== undefined && opening < endOf(schedule, serviceZone) ? opening : undefined;
};

/**
 * By the hours and days alone. The wall clock of the zone counts: an hour that the clock skips is
 * missing, an hour that it repeats is open both times.
 */
const openInHours = (schedule: Schedule, at: Instant, zone: string): Instant | undefined => {
  if (isAlwaysOpen(schedule)) return at;
  const hours = openHours(schedule);
  const end = at + searchedMs;
  for (let from = at; from < end; ) {
    const { until, offset } = steadyTimeAt(from, zone);
    const open = firstOpen(schedule, hours, from + offset, Math.min(until, end) + offset);
    if (open !== undefined) return open - offset;
    from = until;
  }
  return undefined;
};

/** When the hours that are open at `at` close. May be later if they open again at once. */
export const openUntil = (schedule: Schedule, at: Instant, serviceZone: string): Instant => {
  const end = endOf(schedule, serviceZone);
  if (isAlwaysOpen(schedule)) return end;
  const { until, offset } = steadyTimeAt(at, zoneOf(undefined, schedule, serviceZone));
  const time = (at + offset) % dayMs;
  const open = openHours(schedule).find(({ start, end }) => start <= time && time < end);
  return Math.min(end, until, at - time + (open?.end ?? time));
};

/** When the day after that instant begins. */
export const nextDayFrom = (at: Instant, zone: string): Instant => {
  const today = dateOf(at + steadyTimeAt(at, zone).offset);
  const notToday = { dailyStartTime: '00:00', dailyEndTime: '24:00', excludedDates: [today] };
  return openFrom(notToday, at, zone) ?? at + dayMs;
};

const isDate = (text: string): boolean => {
  const instant = Date.parse(`${text}T00:00Z`);
  return !Number.isNaN(instant) && dateOf(instant) === text;
};

const checkBreaks = ({ dailyStartTime, dailyEndTime, breaks = [] }: Schedule): void => {
  const sorted = [...breaks].sort((a, b) => minutesOf(a.start) - minutesOf(b.start));
  sorted.forEach(({ start, end }, i) => {
    const before = sorted[i - 1];
    if (minutesOf(start) >= minutesOf(end)) {
      throw invalid(
        'breaks',
        `a break must start before it ends (${start} is not before ${end})`,
        'OUT_OF_ORDER',
      );
    }
    if (minutesOf(start) < minutesOf(dailyStartTime) || minutesOf(end) > minutesOf(dailyEndTime)) {
      throw invalid(
        'breaks',
        `${start}-${end} is not within the daily window ${dailyStartTime}-${dailyEndTime}`,
      );
    }
    if (before !== undefined && minutesOf(start) < minutesOf(before.end)) {
      throw invalid('breaks', `${before.start}-${before.end} and ${start}-${end} overlap`);
    }
  });
  if (openHours({ dailyStartTime, dailyEndTime, breaks }).length === 0) {
    throw invalid('breaks', 'the breaks cover the whole daily window');
  }
};

const checkDates = ({ callFrom, callUntil }: Schedule): void => {
  for (const [field, moment] of Object.entries({ callFrom, callUntil })) {
    if (moment && instantAt(moment, 'UTC') === undefined) throw invalid(field, `${moment} is not a date`);
  }
  if (callFrom && callUntil && callFrom >= callUntil) {
    throw invalid(
      'callFrom',
      `must be before callUntil (${callFrom} is not before ${callUntil})`,
      'OUT_OF_ORDER',
    );
  }
};

/** @throws ServiceError invalid, naming the setting that is wrong, alone or with others */
export const checkSchedule = (schedule: Schedule): void => {
  const { dailyStartTime, dailyEndTime, timeZone, excludedDates = [] } = schedule;
  if (minutesOf(dailyStartTime) >= minutesOf(dailyEndTime)) {
    throw invalid(
      'dailyStartTime',
      `must be before dailyEndTime (${dailyStartTime} is not before ${dailyEndTime})`,
      'OUT_OF_ORDER',
    );
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw invalid('timeZone', 'must be an IANA time zone such as Europe/Berlin', 'UNKNOWN');
  }
  const wrong = excludedDates.find((date) => !isDate(date));
  if (wrong !== undefined) throw invalid('excludedDates', `${wrong} is not a date`);
  checkBreaks(schedule);
  checkDates(schedule);
};
