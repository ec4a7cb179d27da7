import type { TaskContact, TaskOverview } from '../../../../client/client.ts';
import { openHours } from '../../../../shared/platform/time/schedule.ts';
import { dayMs, minuteMs } from '../../../../shared/platform/time/time.ts';
import {
  allowedFrom,
  hasEnded,
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

export const isToday = (instant: number) => isSameDay(instant, Date.now());
const isSameDay = (a: number, b: number) => new Date(a).toDateString() === new Date(b).toDateString();

/** The time alone for today, with the word for tomorrow, otherwise with the date. */
export const whenText = (instant: number, t: Dictionary, now = Date.now()): string =>
  isSameDay(instant, now + dayMs) ? t.waits.tomorrow(timeText(instant)) : momentText(instant, now);

/** How soon it is, within the next hour. */
export const soonWords = (instant: number, t: Dictionary, now = Date.now()): string => {
  const minutes = Math.ceil((instant - now) / minuteMs);
  return minutes > 0 && minutes < 60 ? t.waits.inMinutes(minutes) : '';
};

type Wait = TaskOverview['waits'][number];

/** From when people who wait can be called: the first and the last of them. */
export const waitTimes = ({ from, to }: Wait, t: Dictionary): string => {
  if (from === null) return '';
  const [first, last] = [instantOf(from), instantOf(to ?? from)];
  if (last - first < minuteMs) return t.waits.startingAt(whenText(first, t));
  const end = isSameDay(first, last) ? timeText(last) : whenText(last, t);
  return t.waits.between(whenText(first, t), end);
};

/** Everybody who waits, called before or not. */
export const waitingOf = ({ waits }: TaskOverview): number =>
  waits.reduce((sum, { count }) => sum + count, 0);

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

/** Who waits for what, and from when the first of them can be called. */
const waitsWords = ({ waits }: TaskOverview, t: Dictionary): string =>
  t.why.WAITING(
    waits.map(({ reason, count, from }) =>
      t.why.WAIT(
        count,
        t.waits.reasons[reason ?? 'OTHER'].some(count),
        from === null ? undefined : whenText(instantOf(from), t),
      ),
    ),
  );

const limitWords = (
  { maxConcurrentCalls, callsPerMinute, contacts, dialing }: TaskOverview,
  t: Dictionary,
) => {
  const { calls, perMinute, service } = t.why.AT_LIMIT;
  if (dialing.limit === 'CALLS_PER_MINUTE' && callsPerMinute !== null) return perMinute(callsPerMinute);
  const isOwn = maxConcurrentCalls !== null && contacts.inCall >= maxConcurrentCalls;
  return isOwn ? calls(maxConcurrentCalls) : service;
};

/** Limits of the pace. At any other limit it is the contacts that wait. */
const paceLimits: readonly unknown[] = ['MAX_CONCURRENT_CALLS', 'CALLS_PER_MINUTE'];

/** Whether everybody who is left has to wait for a time. */
export const isWaiting = ({ dialing: { reason, limit }, waits }: TaskOverview): boolean => {
  if (reason === 'AT_LIMIT') return !paceLimits.includes(limit);
  // Contacts whose own time has not come wait within the hours of the task.
  const [first] = waits;
  return (
    reason === 'WAITING_FOR_RETRY' ||
    (reason === 'OUTSIDE_HOURS' && first !== undefined && first.reason !== 'HOURS')
  );
};

/** Why a running task does not dial, and when it will. `isBrief`: in a list, by the clock of the reader. */
export const whyWords = (task: TaskOverview, t: Dictionary, isBrief = false): string | undefined => {
  const { reason, nextTime, behind } = task.dialing;
  const [first, ...more] = behind;
  // The page of the task tells it at length.
  if (isWaiting(task)) return isBrief ? waitsWords(task, t) : undefined;
  if (reason === 'OUTSIDE_HOURS') {
    if (isBrief && nextTime !== null) return t.why.OPENS(whenText(instantOf(nextTime), t));
    const opens = nextTime === null ? undefined : momentInZone(instantOf(nextTime), task.timeZone, t);
    const isBefore = task.callFrom !== null && minuteInZone(Date.now(), task.timeZone) < task.callFrom;
    return isBefore && opens !== undefined
      ? t.why.NOT_STARTED(opens, task.timeZone)
      : t.why.OUTSIDE_HOURS(opens, task.timeZone);
  }
  if (reason === 'NO_CONTACTS' && task.keepOpen) return t.why.KEPT_OPEN;
  const { total, notSelected } = task.contacts;
  if (reason === 'NO_CONTACTS' && total === 0) return t.why.EMPTY;
  if (reason === 'NO_CONTACTS' && total === notSelected) return t.why.NOBODY_MATCHES(total);
  if (reason === 'BEHIND_OTHERS' && first)
    return t.why.BEHIND_OTHERS(first.taskName, first.priority, more.length);
  if (reason === 'AT_LIMIT') return limitWords(task, t);
  if (reason === 'NO_DIALER') return isBrief ? t.why.NO_DIALER : t.why.CHECK_DIALER;
  return reason === 'NO_CONTACTS' || reason === 'ALL_IN_CALL' ? t.why[reason] : undefined;
};

/** Why a task was stopped, failed or paused itself: the service's reasons in the reader's language, others as they are. */
export const reasonWords = (
  { reason, reasonCode, figures }: Pick<TaskOverview, 'reason' | 'reasonCode' | 'figures'>,
  t: Dictionary,
): string | null => (reasonCode === null ? reason : t.cause[reasonCode]((figures ?? {}) as never));

/** Callers that the service names itself. `isOwn`: the service did it, without a request. */
export const callerWords = (by: string, t: Dictionary, isOwn = false): string =>
  ({ service: isOwn ? t.task.service : t.task.dialer, 'local-developer': t.session.local })[by] ?? by;

/** When a contact that waits can be called. */
export const dueWords = (time: string | null, t: Dictionary): string | undefined =>
  time === null ? undefined : whenText(instantOf(time), t);

type Waiting = Pick<TaskContact, 'nextCallTime' | 'waitReason'> & { callbackTime?: string | null };

/** What a contact waits for until then, and the time that was agreed, where it is another. */
export const waitWords = (
  { nextCallTime, waitReason, callbackTime }: Waiting,
  t: Dictionary,
): string | undefined => {
  if (nextCallTime === null || waitReason === null) return undefined;
  const isMoved = callbackTime && instantOf(callbackTime) < instantOf(nextCallTime);
  const agreed = isMoved ? [t.contacts.agreed(whenText(instantOf(callbackTime), t))] : [];
  return [t.waits.reasons[waitReason].label, ...agreed].join(' · ');
};

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
export const stageOf = (task: TaskOverview): Stage => {
  const { keepOpen, dialing } = task;
  const { reason } = dialing;
  if (isWaiting(task)) return 'waiting';
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
/** Selected contacts that were never called, as far as the filter was applied. */
export const freshOf = (task: TaskOverview): number =>
  Math.max(0, task.contacts.selected.count - settledOf(task) - task.contacts.inCall - task.contacts.waiting);

/** The selected contacts as one bar, whose parts add up. */
export const selectedCounts = (task: TaskOverview) => {
  const { reached, failed, noAnswer, blocked, inCall, callable, selected } = task.contacts;
  const isOpen = !hasEnded(task.status as TaskStatus);
  const left = Math.max(0, selected.count - settledOf(task) - inCall);
  const waiting = isOpen ? Math.min(waitingOf(task), left) : 0;
  // Contacts that nobody has looked at yet may not match the filter.
  const callableNow = isOpen ? Math.min(callable, left - waiting) : 0;
  const notDialed = isOpen ? 0 : left;
  const counts = { reached, noAnswer, failed, blocked, inCall, callable: callableNow, waiting, notDialed };
  return { ...counts, isEstimated: selected.estimated };
};
/** Who is still to be called. */
export const remainingOf = (task: TaskOverview): number => {
  const { callable, waiting, inCall } = selectedCounts(task);
  return callable + waiting + inCall;
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
