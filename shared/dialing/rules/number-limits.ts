import type { CallLimit } from '../../platform/rules/call-limits.ts';
import { nextDayFrom } from '../../platform/time/schedule.ts';
import { dayMs, hourMs, type Instant, minuteMs } from '../../platform/time/time.ts';
import type { Outcome } from '../../tasks/rules/task-settings.ts';
import type { Hold, WaitReason } from './waits.ts';

/**
 * A call to a number. `id` identifies it among the calls of the number, `time` is when it was
 * leased.
 */
export type NumberCall = { id: string; time: Instant };

/** What is known of the calls to a phone number, over all tasks and in all its spellings. */
export type NumberHistory = {
  /** The oldest first. */
  calls: readonly NumberCall[];
  /** When the last call ended that reached the person; 0 if none did. */
  reachedTime: Instant;
  /** Until when the disposition of an earlier call forbids calls; 0 if none did. */
  restUntil: Instant;
};

/** The limits on calls to a number that apply to a task: those of the service and its own. */
export type NumberLimits = {
  /** Maximum of calls in one day of the service; 0: no limit. */
  perDay: number;
  /** The clock by which the days of the service begin. */
  zone: string;
  windows: readonly CallLimit[];
  /** Hours; 0: no rest. */
  restAfterSuccess: number;
};

export const neverCalled: NumberHistory = { calls: [], reachedTime: 0, restUntil: 0 };

/** No window is longer, so older calls count for no limit. */
const keptMs = 30 * dayMs;
/** Maximum of calls that a limit allows in its window. */
const keptAtMost = 1000;

/** The calls that may still count for a limit. */
const kept = (calls: readonly NumberCall[], now: Instant): NumberCall[] =>
  calls
    .filter(({ time }) => time > now - keptMs - minuteMs)
    .sort((a, b) => a.time - b.time)
    .slice(-keptAtMost);

export const hasCall = ({ calls }: NumberHistory, id: string): boolean =>
  calls.some((call) => call.id === id);

/** A call counts once, however often it is added. */
export const withCall = (history: NumberHistory, call: NumberCall, now: Instant): NumberHistory =>
  hasCall(history, call.id) ? history : { ...history, calls: kept([...history.calls, call], now) };

export const withoutCall = (history: NumberHistory, id: string): NumberHistory => ({
  ...history,
  calls: history.calls.filter((call) => call.id !== id),
});

/** `restHours`: the rest that its disposition asks for. */
export type EndedNumberCall = NumberCall & {
  outcome: Outcome;
  endTime: Instant;
  restHours?: number | undefined;
};

/** Of several rests that apply, the longest counts. */
export const withResult = (
  history: NumberHistory,
  { id, time, outcome, endTime, restHours = 0 }: EndedNumberCall,
  now: Instant,
): NumberHistory => ({
  calls: withCall(history, { id, time }, now).calls,
  reachedTime: outcome === 'success' ? Math.max(history.reachedTime, endTime) : history.reachedTime,
  restUntil: restHours > 0 ? Math.max(history.restUntil, endTime + restHours * hourMs) : history.restUntil,
});

/** Joins what two sources know of the same number. */
export const joined = (one: NumberHistory, other: NumberHistory, now: Instant): NumberHistory => ({
  calls: kept([...new Map([...one.calls, ...other.calls].map((call) => [call.id, call])).values()], now),
  reachedTime: Math.max(one.reachedTime, other.reachedTime),
  restUntil: Math.max(one.restUntil, other.restUntil),
});

const nextMinute = (instant: Instant): Instant => Math.ceil(instant / minuteMs) * minuteMs;

/** At most `most` calls that count at once. `countsUntil`: when a call ceases to count. */
type Limit = { reason: WaitReason; most: number; countsUntil: (time: Instant) => Instant };

const limitsIn = ({ perDay, zone, windows }: NumberLimits): Limit[] => {
  const limits: Limit[] = windows.map(({ calls, minutes }) => ({
    reason: 'CALL_LIMITS',
    most: calls,
    countsUntil: (time) => nextMinute(time + minutes * minuteMs),
  }));
  if (perDay > 0)
    limits.push({ reason: 'DAILY_LIMIT', most: perDay, countsUntil: (time) => nextDayFrom(time, zone) });
  return limits;
};

/**
 * A limit of n calls ends when the nth call from the end ceases to count, because every earlier
 * call has ceased to count by then. Calls that a clock has put into the future count if they are
 * near enough.
 */
const limitHolds = (calls: readonly NumberCall[], limits: NumberLimits, now: Instant): Hold[] =>
  limitsIn(limits).flatMap(({ reason, most, countsUntil }) => {
    const end = countsUntil(now);
    const call = calls.filter(({ time }) => time < end).at(-most);
    return call === undefined ? [] : [{ reason, until: countsUntil(call.time) }];
  });

/** What holds a number back. `isCallback`: an agreed callback needs no rest. */
export const numberHolds = (
  { calls, reachedTime, restUntil }: NumberHistory,
  limits: NumberLimits,
  now: Instant,
  isCallback: boolean,
): Hold[] => {
  const { restAfterSuccess } = limits;
  const isRested = restAfterSuccess > 0 && reachedTime > 0;
  const rested = isRested ? reachedTime + restAfterSuccess * hourMs : 0;
  const rest: Hold = { reason: 'REST', until: Math.max(restUntil, rested) };
  const holds = [...limitHolds(calls, limits, now), ...(isCallback ? [] : [rest])];
  return holds.filter(({ until }) => until > now);
};
