import { type Instant, minuteMs, secondMs } from '../time.ts';

/** How many calls there may be at once, and how many may begin within a minute. Nothing: any number. */
export type PaceLimits = {
  maxConcurrentCalls?: number | null | undefined;
  callsPerMinute?: number | null | undefined;
};

/**
 * A call takes a channel from its lease to its end. A channel whose end is never reported is free again at a time that
 * was set when it was taken, shortly after the lease has run out.
 */
export type PaceCounts = {
  /** Channels that were taken, by the time at which they are free by themselves. */
  taken: ReadonlyMap<Instant, number>;
  /** Of these channels, how many are free before that time: their calls have ended. */
  freed: ReadonlyMap<Instant, number>;
  /** Calls by the second in which they were leased. */
  begun: ReadonlyMap<Instant, number>;
};

/** How many more calls a limit allows. `nextTime`: if none, when the limit allows one even if no call ends before. */
export type Room = { calls: number; nextTime: Instant };

/** When the channels are free that a lease request takes: for a task, and for the whole service. */
export type Channels = {
  task?: Instant | undefined;
  service?: Instant | undefined;
  /** The calls of the task, or of the service, begin at such a rate that freed channels are counted under several keys. */
  isTaskWide?: true;
  isServiceWide?: true;
};

/** A lease of 120 seconds has 20 possible ends of 6 seconds each. Its channel is kept until the next of them, so that few times are counted. */
const timesPerLease = 20;

export const unlimited: Room = { calls: Number.POSITIVE_INFINITY, nextTime: 0 };

export const isLimited = ({ maxConcurrentCalls, callsPerMinute }: PaceLimits): boolean =>
  typeof maxConcurrentCalls === 'number' || typeof callsPerMinute === 'number';

/** Milliseconds between two possible ends. */
const endsApart = (until: Instant, now: Instant): number =>
  Math.max(1, Math.ceil((until - now) / secondMs / timesPerLease)) * secondMs;

/** When the channel of a lease is free by itself: at the first possible end that is not before the end of the lease. */
export const channelEnd = (until: Instant, now: Instant): Instant => {
  const width = endsApart(until, now);
  return Math.ceil(until / width) * width;
};

/** Calls a second. One key takes a thousand freed channels a second. */
const wideRate = 300;

/** Whether calls begin faster than that. `taken`: how many channels have the same end. They were taken within the time between two possible ends. */
export const isWideRate = (taken: number, until: Instant, now: Instant): boolean =>
  taken > (wideRate * endsApart(until, now)) / secondMs;

export const secondOf = (now: Instant): Instant => Math.floor(now / secondMs) * secondMs;

/** Calls of that second count for every minute that has a part of the second in it. */
export const minuteEnd = (second: Instant): Instant => second + secondMs + minuteMs;

const inUse = ({ taken, freed }: PaceCounts, now: Instant): [end: Instant, count: number][] =>
  [...taken]
    .map(([end, count]): [Instant, number] => [end, count - (freed.get(end) ?? 0)])
    .filter(([end, count]) => end > now && count > 0);

const inMinute = ({ begun }: PaceCounts, now: Instant): [end: Instant, count: number][] =>
  [...begun]
    .map(([second, count]): [Instant, number] => [minuteEnd(second), count])
    .filter(([end, count]) => end > now && count > 0);

/** What is left of a limit that these calls count towards, each until its time. */
const leftOf = (limit: number, calls: readonly [end: Instant, count: number][]): Room => {
  let left = limit - calls.reduce((sum, [, count]) => sum + count, 0);
  const room = Math.max(0, left);
  let nextTime = 0;
  for (const [end, count] of [...calls].sort(([a], [b]) => a - b)) {
    if (left > 0) break;
    left += count;
    nextTime = end;
  }
  return { calls: room, nextTime };
};

/** How many more calls may begin now. */
export const roomFor = (
  { maxConcurrentCalls, callsPerMinute }: PaceLimits,
  counts: PaceCounts,
  now: Instant,
): Room => {
  const rooms = [
    ...(typeof maxConcurrentCalls === 'number' ? [leftOf(maxConcurrentCalls, inUse(counts, now))] : []),
    ...(typeof callsPerMinute === 'number' ? [leftOf(callsPerMinute, inMinute(counts, now))] : []),
  ];
  return {
    calls: Math.min(unlimited.calls, ...rooms.map(({ calls }) => calls)),
    nextTime: Math.max(unlimited.nextTime, ...rooms.map(({ nextTime }) => nextTime)),
  };
};
