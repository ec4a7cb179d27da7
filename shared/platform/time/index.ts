export {
  type ClockRange,
  checkSchedule,
  endOf,
  isAlwaysOpen,
  nextDayFrom,
  openFrom,
  openHours,
  openUntil,
  type Schedule,
  type ServiceHours,
  withinDatesFrom,
} from './schedule.ts';
export {
  clockText,
  compactTime,
  dayMs,
  type FormatTime,
  formatOrNull,
  hourMs,
  type Instant,
  latest,
  minuteMs,
  minutesOf,
  secondMs,
} from './time.ts';
export { changeIn, instantAt, isTimeZone, rulesOf, steadyTimeAt, timeIn } from './zones.ts';
