import type { TaskContact, TaskOverview } from '../../../../client/client.ts';
import { openHours } from '../../../../shared/platform/time/schedule.ts';
import { dayMs, minuteMs } from '../../../../shared/platform/time/time.ts';
import {
  allowedFrom,
  type Operation,
  status,
  type TaskStatus,
} from '../../../../shared/tasks/rules/task-states.ts';
import {
  type Dictionary,
  dateInZone,
  dayInZone,
  dayText,
  instantOf,
  listText,
  momentText,
  numberText,
  percentText,
  timeInZone,
  timeText,
  weekdayText,
} from '../../i18n/i18n.ts';
import type { Stage } from '../../ui/figures/figures.tsx';
import { type ExpectedEnd, type Forecast, leastCalls } from './forecast.ts';

type EndWords = { value: string; note?: string };

const isSameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString();

const whenText = (instant: number, now: number, t: Dictionary): string =>
  isSameDay(instant, now + dayMs) ? t.end.tomorrow(timeText(instant)) : momentText(instant, now);

/** A range that is that narrow, or that small a part of the time to go, is told as one time. */
const [narrowMs, narrowPart] = [2 * minuteMs, 0.1];

const isRange = ({ from, at, to }: ExpectedEnd, now: number) =>
  to - from > Math.max(narrowMs, narrowPart * (at - now));

const rangeText = (end: ExpectedEnd, now: number, t: Dictionary): string => {
  const { from, at, to } = end;
  if (!isRange(end, now)) return whenText(at, now, t);
  const last = Math.ceil(to / minuteMs) * minuteMs;
  const lastText = isSameDay(from, last) ? timeText(last) : whenText(last, now, t);
  return t.end.between(whenText(from, now, t), lastText);
};

const noteOf = (task: TaskOverview, end: ExpectedEnd, now: number, t: Dictionary): string | undefined => {
  const { later, unfinished, isForCallback, doubt } = end;
  if (unfinished !== undefined) return t.end.unfinished(Math.round(unfinished));
  if (later !== undefined) {
    const [count, from] = [Math.max(1, Math.round(later.contacts)), whenText(later.from, now, t)];
    const isToday = later.until !== undefined && isSameDay(later.until, now);
    return isToday ? t.end.later(timeText(later.until as number), count, from) : t.end.onlyLater(count, from);
  }
  const callback = isForCallback ? task.dialing.lastCallbackTime : null;
  if (callback !== null) return t.end.callback(whenText(instantOf(callback), now, t));
  if (task.keepOpen) return t.end.keepOpen;
  return isRange(end, now) ? t.end.dependsOn[doubt] : undefined;
};

/** Why the end of a task that has not ended is not known. */
const unknownWords = ({ dialing, keepOpen, calls }: TaskOverview, t: Dictionary): string => {
  const { reason, nextTime } = dialing;
  if (reason === 'NO_CONTACTS' && keepOpen) return t.end.KEPT_OPEN;
  if (reason === 'PAUSED' || reason === 'NO_DIALER' || reason === 'BEHIND_OTHERS' || reason === 'NO_CONTACTS')
    return t.end[reason];
  if (reason === 'OUTSIDE_HOURS' && nextTime === null) return t.end.never;
  return calls.total < leastCalls ? t.end.soon(leastCalls) : t.end.far;
};

/** When a task ends or has ended, and why then. */
export const endWords = (
  task: TaskOverview,
  forecast: Forecast | undefined,
  t: Dictionary,
  now = Date.now(),
): EndWords => {
  if (task.endTime !== null) return { value: momentText(instantOf(task.endTime), now) };
  if (task.status === status.draft) return { value: '–' };
  const end = forecast?.end;
  const isAwaited = forecast === undefined && stageOf(task) !== 'stuck' && task.calls.total >= leastCalls;
  if (end === undefined && isAwaited && task.status === status.running) return { value: '…' };
  if (end === undefined) return { value: '–', note: unknownWords(task, t) };
  const note = noteOf(task, end, now, t);
  return { value: rangeText(end, now, t), ...(note !== undefined && { note }) };
};

export const allows = ({ status: state }: TaskOverview, operation: Operation): boolean =>
  allowedFrom(operation).includes(state as TaskStatus);

/** A moment by the clock of a zone: the time alone for today there. */
export const momentInZone = (instant: number, zone: string, t: Dictionary): string => {
  const time = timeInZone(instant, zone);
  return dateInZone(instant, zone) === dateInZone(Date.now(), zone)
    ? t.form.today(time)
    : t.form.onDay(dayInZone(instant, zone), time);
};

/** `YYYY-MM-DD HH:MM`, as `callFrom` is written. */
const minuteInZone = (instant: number, zone: string): string =>
  `${dateInZone(instant, zone)} ${timeInZone(instant, zone)}`;

/** Why a running task does not dial, and when it will. */
export const whyWords = (task: TaskOverview, t: Dictionary): string | undefined => {
  const { reason, nextTime, behind } = task.dialing;
  const [first, ...more] = behind;
  const opens = nextTime === null ? undefined : momentInZone(instantOf(nextTime), task.timeZone, t);
  const due = nextTime === null ? undefined : momentText(instantOf(nextTime));
  if (reason === 'OUTSIDE_HOURS') {
    const isBefore = task.callFrom !== null && minuteInZone(Date.now(), task.timeZone) < task.callFrom;
    return isBefore && opens !== undefined
      ? t.why.NOT_STARTED(opens, task.timeZone)
      : t.why.OUTSIDE_HOURS(opens, task.timeZone);
  }
  if (reason === 'NO_CONTACTS' && task.keepOpen) return t.why.KEPT_OPEN;
  const { total, notSelected } = task.contacts;
  if (reason === 'NO_CONTACTS' && total === 0) return t.why.EMPTY;
  if (reason === 'NO_CONTACTS' && total === notSelected) return t.why.NOBODY_MATCHES(total);
  if (reason === 'WAITING_FOR_RETRY') return t.why.WAITING_FOR_RETRY(task.contacts.waiting, due);
  if (reason === 'BEHIND_OTHERS' && first)
    return t.why.BEHIND_OTHERS(first.taskName, first.priority, more.length);
  if (reason === 'AT_LIMIT') return limitWords(task, due, t);
  const isPlain = reason === 'NO_CONTACTS' || reason === 'ALL_IN_CALL' || reason === 'NO_DIALER';
  return isPlain ? t.why[reason] : undefined;
};

const limitWords = (task: TaskOverview, due: string | undefined, t: Dictionary) => {
  const { maxConcurrentCalls, callsPerMinute, contacts, dialing } = task;
  const { calls, perMinute, daily, service } = t.why.AT_LIMIT;
  if (dialing.limit === 'DAILY_LIMIT') return daily(due);
  if (dialing.limit === 'CALLS_PER_MINUTE' && callsPerMinute !== null) return perMinute(callsPerMinute);
  const isOwn = maxConcurrentCalls !== null && contacts.inCall >= maxConcurrentCalls;
  return isOwn ? calls(maxConcurrentCalls) : service;
};

/** Why a task was stopped, failed or paused itself: the service's reasons in the reader's language, others as they are. */
export const reasonWords = (
  { reason, reasonCode, figures }: Pick<TaskOverview, 'reason' | 'reasonCode' | 'figures'>,
  t: Dictionary,
): string | null => (reasonCode === null ? reason : t.cause[reasonCode]((figures ?? {}) as never));

/** Callers that the service names itself. `isOwn`: the service did it, without a request. */
export const callerWords = (by: string, t: Dictionary, isOwn = false): string =>
  ({ service: isOwn ? t.task.service : t.task.dialer, 'local-developer': t.session.local })[by] ?? by;

/** Whole numbers: a part of a call a minute says more than is known. */
export const perMinuteText = (perMinute: number): string =>
  perMinute < 1 ? oneDecimal(perMinute) : numberText(Math.round(perMinute));

/** When the first contact that waits may be called; nothing where the task does not call. */
export const firstDueWords = ({ dialing }: TaskOverview, t: Dictionary, now = Date.now()) => {
  const { firstDueTime: due, nextTime, reason } = dialing;
  if (due === null || reason === 'PAUSED' || reason === 'ENDED') return undefined;
  const opens = reason === 'OUTSIDE_HOURS' && nextTime !== null ? instantOf(nextTime) : now;
  const first = Math.max(instantOf(due), opens);
  return first <= now ? t.task.firstDueNow : t.task.next(momentText(first));
};

/** When a contact that waits may be called. */
export const dueWords = (time: string | null, t: Dictionary, now = Date.now()): string | undefined => {
  if (time === null) return undefined;
  const instant = instantOf(time);
  return instant <= now ? t.task.dueNow : momentText(instant);
};

/** What a contact waits for until then. */
export const waitWords = (
  { nextCallTime, waitReason }: Pick<TaskContact, 'nextCallTime' | 'waitReason'>,
  t: Dictionary,
  now = Date.now(),
): string | undefined =>
  nextCallTime === null || waitReason === null || instantOf(nextCallTime) <= now
    ? undefined
    : t.contacts.waits[waitReason];

type Disposition = TaskOverview['dispositions'][number];

export const dispositionName = ({ label, code }: Pick<Disposition, 'code' | 'label'>): string =>
  label || code;

/** A code as its task calls it. */
export const dispositionText = (
  code: string | null,
  task: Pick<TaskOverview, 'dispositions'> | undefined,
): string => dispositionName(task?.dispositions.find((each) => each.code === code) ?? { code: code ?? '' });

/** Calls by disposition, the declared codes first; those of other codes together, without a code. */
export const dispositionCounts = ({ dispositions, calls }: TaskOverview, t: Dictionary) => {
  const { other = 0 } = calls.byDisposition;
  const declared = dispositions.map((each) => ({
    code: each.code,
    name: dispositionName(each),
    count: calls.byDisposition[each.code] ?? 0,
  }));
  const hasOther = declared.some(({ code }) => code === 'other');
  return hasOther ? declared : [...declared, { code: undefined, name: t.calls.other, count: other }];
};

export const stages: readonly Stage[] = ['calling', 'waiting', 'stuck'];
/** A task at its pace limit is dialing. */
export const stageOf = ({ dialing: { reason, limit }, keepOpen }: TaskOverview): Stage => {
  if (limit === 'DAILY_LIMIT') return 'waiting';
  if (reason === null || reason === 'ALL_IN_CALL' || reason === 'AT_LIMIT') return 'calling';
  if (reason === 'NO_CONTACTS' && keepOpen) return 'waiting';
  return reason === 'NO_DIALER' || reason === 'NO_CONTACTS' ? 'stuck' : 'waiting';
};

/** A task that cannot go on by itself, or whose end was not planned. */
export const asksForDecision = (task: TaskOverview): boolean => {
  const { status: state, reasonCode } = task;
  if (state === status.failed) return true;
  if (state === status.running) return stageOf(task) === 'stuck';
  return reasonCode !== null && (state === status.paused || state === status.stopped);
};

export const shareOf = (part: number, whole: number) => (whole === 0 ? undefined : part / whole);

export const unreachedOf = ({ contacts }: TaskOverview) => contacts.failed + contacts.noAnswer;

/** Contacts with their final outcome. */
export const settledOf = ({ contacts: c }: TaskOverview): number =>
  c.reached + c.failed + c.noAnswer + c.blocked;
/**
 * The contacts that the task selects. Of the contacts that it has not looked at, those count that its filter is expected to
 * select.
 */
export const selectedCounts = (task: TaskOverview) => {
  const { selected, ...c } = task.contacts;
  const notDialed = Math.max(0, selected.count - settledOf(task) - c.waiting - c.inCall);
  return { ...c, notSelected: 0, notDialed, isEstimated: selected.estimated };
};
export const remainingOf = (task: TaskOverview): number => {
  const { notDialed, waiting, inCall } = selectedCounts(task);
  return notDialed + waiting + inCall;
};
/** A figure that depends on the number of selected contacts. Unknown while no contact was looked at. */
export const selectedText = (
  { contacts: { selected, total } }: TaskOverview,
  count: number,
  t: Dictionary,
) => {
  if (!selected.estimated) return numberText(count);
  return selected.count === 0 && total > 0 ? '–' : t.tasks.about(numberText(count));
};
export const progressOf = (task: TaskOverview) => shareOf(settledOf(task), task.contacts.selected.count);
/** Connected calls among all calls. */
export const connectRateOf = ({ calls }: TaskOverview) => shareOf(calls.success, calls.total);
/** Seconds of a connected call, on average. */
export const talkTimeOf = ({ calls }: TaskOverview) => shareOf(calls.talkDuration, calls.success);
/** People reached among the selected contacts. */
export const coverageOf = ({ contacts }: TaskOverview) => shareOf(contacts.reached, contacts.selected.count);

/** Tasks that are compared with each other. */
export const comparedAtMost = 5;

/** A figure that may not be known, or have no meaning yet. */
export const orDash = (figure: number | undefined, text: (figure: number) => string): string =>
  figure === undefined ? '–' : text(figure);
/** A rate of fewer calls says too little: they are told one by one. */
const callsOfRate = 10;
export const isRateKnown = (calls: number) => calls >= callsOfRate;
export const connectRateText = ({ success, total }: { success: number; total: number }, t: Dictionary) =>
  total === 0 || isRateKnown(total) ? shareText(shareOf(success, total)) : t.tasks.ofCalls(success, total);
export const shareText = (share: number | undefined): string => orDash(share, percentText);
/** A whole percentage. Only what is done to the last contact is 100 %. */
export const progressText = (task: TaskOverview): string =>
  orDash(progressOf(task), (share) => percentText(Math.floor(100 * share) / 100));
export const oneDecimal = (figure: number): string => numberText(Math.round(figure * 10) / 10);

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

/** Milliseconds of a day as HH:MM, the end of the day as 24:00. */
const clockText = (ms: number): string => (ms === dayMs ? '24:00' : new Date(ms).toISOString().slice(11, 16));

export const hoursWords = (hours: Hours, t: Dictionary): string => {
  const open = openHours(hours).map(({ start, end }) => `${clockText(start)}–${clockText(end)}`);
  const isWhole = open.length === 1 && open[0] === '00:00–24:00';
  const days = weekdayWords(hours.weekdays, t);
  return isWhole ? t.tasks.allDay(days) : `${days} ${listText(open)}`;
};

export const daysWords = (dates: readonly string[]): string => listText(dates.map(dayText));
