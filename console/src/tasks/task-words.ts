import type { TaskOverview } from '../../../client/answers.ts';
import { openHours } from '../../../shared/domain/schedule.ts';
import { status } from '../../../shared/domain/tasks/task-states.ts';
import { settings } from '../api/page-settings.ts';
import {
  dateInZone,
  dayInZone,
  dayText,
  durationText,
  instantOf,
  listText,
  momentText,
  percentText,
  timeInZone,
  weekdayText,
} from '../i18n/format.ts';
import type { Dictionary } from '../i18n/i18n.ts';
import type { OutcomeCounts } from '../ui/outcome.tsx';
import type { Stage } from '../ui/status.tsx';

export const zoneOf = ({ timeZone }: { timeZone?: string | null }): string => timeZone || settings.timeZone;

/** A moment by the clock of a zone: the time alone for today there. */
export const momentInZone = (instant: number, zone: string, t: Dictionary): string => {
  const time = timeInZone(instant, zone);
  return dateInZone(instant, zone) === dateInZone(Date.now(), zone)
    ? t.form.today(time)
    : t.form.onDay(dayInZone(instant, zone), time);
};

/** Why a running task does not dial, and when it will. */
export const whyWords = (overview: TaskOverview, t: Dictionary): string | undefined => {
  const { reason, nextTime, behind } = overview.dialing;
  if (overview.status !== status.running || reason === null) return undefined;
  const zone = zoneOf(overview);
  const next = nextTime === null ? undefined : momentInZone(instantOf(nextTime), zone, t);
  if (reason === 'OUTSIDE_HOURS') return t.why.OUTSIDE_HOURS(next, zone);
  if (reason === 'WAITING_FOR_RETRY') {
    const at = nextTime === null ? undefined : momentText(instantOf(nextTime));
    return t.why.WAITING_FOR_RETRY(overview.contacts.waiting, at);
  }
  if (reason === 'BEHIND_OTHERS') {
    const [first, ...more] = behind;
    return first && t.why.BEHIND_OTHERS(first.taskName, first.priority, more.length);
  }
  if (reason === 'AT_LIMIT') return limitWords(overview, t);
  return reason in t.why ? t.why[reason as Exclude<typeof reason, 'DRAFT' | 'PAUSED' | 'ENDED'>] : undefined;
};

const limitWords = (
  { maxConcurrentCalls, callsPerMinute, contacts }: TaskOverview,
  t: Dictionary,
): string => {
  const { calls, perMinute, service } = t.why.AT_LIMIT;
  if (maxConcurrentCalls !== null && contacts.inCall >= maxConcurrentCalls) return calls(maxConcurrentCalls);
  return callsPerMinute === null ? service : perMinute(callsPerMinute);
};

/** When a contact that waits may be called. */
export const dueWords = (time: string | null, t: Dictionary, now = Date.now()): string | undefined => {
  if (time === null) return undefined;
  const instant = instantOf(time);
  return instant <= now ? t.task.dueNow : momentText(instant);
};

export const stageOf = ({ dialing: { reason } }: TaskOverview): Stage => {
  if (reason === null || reason === 'ALL_IN_CALL' || reason === 'AT_LIMIT') return 'calling';
  return reason === 'NO_DIALER' || reason === 'NO_CONTACTS' ? 'stuck' : 'waiting';
};

const shareOf = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);

/** Contacts with their final outcome. */
export const settledOf = ({ contacts: c }: TaskOverview): number =>
  c.reached + c.failed + c.noAnswer + c.blocked;
export const progressOf = (task: TaskOverview) => shareOf(settledOf(task), task.contacts.total);
/** Connected calls among all calls. */
export const connectRateOf = ({ calls }: TaskOverview) => shareOf(calls.success, calls.total);
/** Seconds of a connected call, on average. */
export const talkTimeOf = ({ calls }: TaskOverview) => shareOf(calls.talkDuration, calls.success);
export const talkTimeText = (seconds: number | undefined) =>
  seconds === undefined ? '–' : durationText(seconds);
/** People reached among all contacts. */
export const coverageOf = ({ contacts }: TaskOverview) => shareOf(contacts.reached, contacts.total);

/** A share that may not be known, or have no meaning yet. */
export const shareText = (share: number | undefined): string =>
  share === undefined ? '–' : percentText(share);

export const countsOf = ({ contacts }: TaskOverview): OutcomeCounts => contacts;

type Hours = Pick<TaskOverview, 'dailyStartTime' | 'dailyEndTime' | 'breaks' | 'weekdays'>;

/** Mon-Fri where the days follow each other, all names where they do not. */
export const weekdayWords = (weekdays: readonly number[], t: Dictionary): string => {
  const days = [...weekdays].sort((a, b) => a - b);
  if (days.length === 7 || days.length === 0) return t.tasks.everyDay;
  const inRow = days.every((day, i) => i === 0 || day === (days[i - 1] as number) + 1);
  const names = days.map((day) => weekdayText(day));
  return inRow && days.length > 2
    ? t.tasks.dayRange(String(names[0]), String(names.at(-1)))
    : listText(names);
};

const clockText = (ms: number): string => {
  const minutes = ms / 60_000;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
};

export const hoursWords = (hours: Hours, t: Dictionary): string => {
  const open = openHours(hours).map(({ start, end }) => `${clockText(start)}–${clockText(end)}`);
  const isWhole = open.length === 1 && open[0] === '00:00–24:00';
  const days = weekdayWords(hours.weekdays, t);
  return isWhole ? t.tasks.allDay(days) : `${days} ${listText(open)}`;
};

export const daysWords = (dates: readonly string[]): string => listText(dates.map(dayText));
