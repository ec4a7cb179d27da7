import type { Task } from './task.ts';
import { type Instant, minutesOf } from './time.ts';

const minutesPerHour = 60;
const wholeDay = 24 * minutesPerHour;
const minuteMs = 60_000;

type Clock = (instant: Instant) => number;

const clocks = new Map<string, Clock>();

const utcClock: Clock = (instant) => Math.floor(instant / minuteMs) % wholeDay;

const clockOf = (zone: string): Clock => {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (instant) => minutesOf(format.format(instant));
};

/** Minutes since midnight that a wall clock in the zone shows. @throws RangeError when the zone is no IANA name */
const wallClockMinutes = (instant: Instant, zone: string): number => {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    // Making a formatter takes far longer than using it.
    clock = zone === 'UTC' ? utcClock : clockOf(zone);
    clocks.set(zone, clock);
  }
  return clock(instant);
};

/**
 * Whether the task may call now: the wall clock shows the daily start or later, but not yet the end. On
 * the day the clock is put forward an hour of the window may be missing, on the day it is put back the
 * window is open in both of the repeated hours.
 */
export const isWindowOpen = (
  { dailyStartTime, dailyEndTime }: Pick<Task, 'dailyStartTime' | 'dailyEndTime'>,
  now: Instant,
  zone: string,
): boolean => {
  const [start, end] = [minutesOf(dailyStartTime), minutesOf(dailyEndTime)];
  if (start === 0 && end === wholeDay) return true;
  const minutes = wallClockMinutes(now, zone);
  return start <= minutes && minutes < end;
};
