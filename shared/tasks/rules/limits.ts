import { type Instant, minuteMs, secondMs } from '../../platform/time/time.ts';
import type { TaskSettings } from './task-settings.ts';

/** Why the service itself acted on a task: its brake paused it, or its `callUntil` has come. */
export const reasonCodes = ['TOO_MANY_FAILED', 'CALL_UNTIL_PASSED'] as const;

/** The reason as data, so that each language has its own sentence. `text` is the English one. */
export type Cause = {
  reasonCode: (typeof reasonCodes)[number];
  figures: Readonly<Record<string, string | number>>;
};
export type ToldCause = Cause & { text: string };

/** What an answer has if there is no cause. */
export const causeView = (cause: Cause | undefined) => ({
  reasonCode: cause?.reasonCode ?? null,
  figures: cause?.figures ?? null,
});

/** Maximum of calls at once, and of calls that begin within a minute. Missing: no limit. */
export type PaceLimits = {
  maxConcurrentCalls?: number | null | undefined;
  callsPerMinute?: number | null | undefined;
};

/**
 * A call takes a channel from its lease to its end. A channel whose end is never reported is free
 * again at a time that was set when it was taken, shortly after the lease has expired.
 */
export type PaceCounts = {
  /** Channels that were taken, by the time at which they are free by themselves. */
  taken: ReadonlyMap<Instant, number>;
  /** How many of these channels are free before that time, because their calls have ended. */
  freed: ReadonlyMap<Instant, number>;
  /** Calls by the second in which they were leased. */
  begun: ReadonlyMap<Instant, number>;
};

type PaceLimit = 'MAX_CONCURRENT_CALLS' | 'CALLS_PER_MINUTE';

/**
 * How many more calls the limits allow. `nextTime`: if none, when they allow one even if no call
 * ends before. `limit`: the limit that allows the fewest.
 */
export type Room = { calls: number; nextTime: Instant; limit?: PaceLimit };

/** When the channels of a lease request are free: those of its task, and of the service. */
export type Channels = {
  task?: Instant | undefined;
  service?: Instant | undefined;
  /**
   * The calls of the task, or of the service, begin so fast that freed channels are counted under
   * several keys.
   */
  isTaskWide?: true;
  isServiceWide?: true;
};

/**
 * A lease of 120 seconds has 20 possible ends, 6 seconds apart. Its channel is kept until the next
 * one, so that few times are counted.
 */
const timesPerLease = 20;

export const unlimited: Room = { calls: Number.POSITIVE_INFINITY, nextTime: 0 };

export const isLimited = ({ maxConcurrentCalls, callsPerMinute }: PaceLimits): boolean =>
  typeof maxConcurrentCalls === 'number' || typeof callsPerMinute === 'number';

/** Milliseconds between two possible ends. */
const endsApart = (until: Instant, now: Instant): number =>
  Math.max(1, Math.ceil((until - now) / secondMs / timesPerLease)) * secondMs;

/**
 * When the channel of a lease is free by itself: at the first possible end that is not before the
 * end of the lease.
 */
export const channelEnd = (until: Instant, now: Instant): Instant => {
  const width = endsApart(until, now);
  return Math.ceil(until / width) * width;
};

/** Calls a second. One key takes a thousand freed channels a second. */
const wideRate = 300;

/**
 * Whether calls begin faster than that. `taken`: channels with the same end that were taken within
 * the time between two possible ends.
 */
export const isWideRate = (taken: number, until: Instant, now: Instant): boolean =>
  taken > (wideRate * endsApart(until, now)) / secondMs;

export const secondOf = (now: Instant): Instant => Math.floor(now / secondMs) * secondMs;

/** Calls of a second count for every minute that has a part of the second in it. */
export const minuteEnd = (second: Instant): Instant => second + secondMs + minuteMs;

const inUse = ({ taken, freed }: PaceCounts, now: Instant): [end: Instant, count: number][] =>
  [...taken]
    .map(([end, count]): [Instant, number] => [end, count - (freed.get(end) ?? 0)])
    .filter(([end, count]) => end > now && count > 0);

const inMinute = ({ begun }: PaceCounts, now: Instant): [end: Instant, count: number][] =>
  [...begun]
    .map(([second, count]): [Instant, number] => [minuteEnd(second), count])
    .filter(([end, count]) => end > now && count > 0);

/** What these calls leave of a limit; each of them counts until its time. */
const leftOf = (limit: PaceLimit, most: number, calls: readonly [end: Instant, count: number][]): Room => {
  let left = most - calls.reduce((sum, [, count]) => sum + count, 0);
  const room = Math.max(0, left);
  let nextTime = 0;
  for (const [end, count] of [...calls].sort(([a], [b]) => a - b)) {
    if (left > 0) break;
    left += count;
    nextTime = end;
  }
  return { calls: room, nextTime, limit };
};

/** How many more calls may begin now. */
export const roomFor = (
  { maxConcurrentCalls, callsPerMinute }: PaceLimits,
  counts: PaceCounts,
  now: Instant,
): Room => {
  const rooms = [
    ...(typeof maxConcurrentCalls === 'number'
      ? [leftOf('MAX_CONCURRENT_CALLS', maxConcurrentCalls, inUse(counts, now))]
      : []),
    ...(typeof callsPerMinute === 'number'
      ? [leftOf('CALLS_PER_MINUTE', callsPerMinute, inMinute(counts, now))]
      : []),
  ];
  const [least = unlimited] = rooms.sort((a, b) => a.calls - b.calls || b.nextTime - a.nextTime);
  return { ...least, nextTime: Math.max(least.nextTime, ...rooms.map(({ nextTime }) => nextTime)) };
};

/** Calls that a task has made, and how many of them failed. */
export type CallCounts = { calls: number; failed: number };

/** When a task pauses itself: at least `failedPercent` of its last `calls` calls failed. */
export type PauseWhen = NonNullable<TaskSettings['pauseWhen']>;

/** The last calls of a task, since its start or its last resume. */
export type RecentCalls = {
  /** How many calls the task had made before, which do not count. */
  from: number;
  /** The counters of the task when the window was last brought up to date. */
  counted: CallCounts;
  /** One character a call, oldest first: 1 failed, 0 did not fail. */
  window: string;
};

/**
 * `failed` of `calls` calls that were counted together. They are spread evenly, because their order
 * is not known.
 */
const spread = ({ calls, failed }: CallCounts): string =>
  Array.from({ length: calls }, (_, i) =>
    Math.floor(((i + 1) * failed) / calls) > Math.floor((i * failed) / calls) ? '1' : '0',
  ).join('');

/**
 * Adds to the window the calls that were counted since. Results that were counted at the same time
 * come in one step: each counts, and only their order is lost.
 */
export const withCalls = (
  known: RecentCalls | undefined,
  base: CallCounts,
  now: CallCounts,
  { calls: size }: PauseWhen,
): RecentCalls => {
  const before = known?.from === base.calls ? known : { from: base.calls, counted: base, window: '' };
  const calls = now.calls - before.counted.calls;
  if (calls <= 0) return before;
  const failed = now.failed - before.counted.failed;
  const latest = Math.min(calls, size);
  const added = spread({ calls: latest, failed: Math.round((failed * latest) / calls) });
  return { ...before, counted: now, window: `${before.window}${added}`.slice(-size) };
};

/**
 * Why the task pauses itself. It goes on until there were enough calls.
 * @returns undefined while it goes on
 */
export const brakeCause = (
  { window }: RecentCalls,
  { failedPercent, calls }: PauseWhen,
): ToldCause | undefined => {
  const failed = [...window].filter((call) => call === '1').length;
  if (window.length < calls || failed * 100 < failedPercent * calls) return undefined;
  return {
    reasonCode: 'TOO_MANY_FAILED',
    figures: { failed, calls, failedPercent },
    text: `${failed} of the last ${calls} calls failed; the task pauses itself at ${failedPercent} %`,
  };
};
