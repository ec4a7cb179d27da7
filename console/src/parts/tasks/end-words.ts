import type { TaskOverview } from '../../../../client/answers.ts';
import { dayMs, minuteMs } from '../../../../shared/platform/time/index.ts';
import { status } from '../../../../shared/tasks/rules.ts';
import { instantOf, momentText, timeText } from '../../i18n/format.ts';
import type { Dictionary } from '../../i18n/i18n.ts';
import { type ExpectedEnd, type Forecast, leastCalls } from './forecast.ts';
import { stageOf } from './task-words.ts';

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
