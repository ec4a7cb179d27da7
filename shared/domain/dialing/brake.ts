import type { ToldCause } from '../tasks/cause.ts';
import type { TaskSettings } from '../tasks/task-settings.ts';

/** Calls that a task has made, and how many of them failed. */
export type CallCounts = { calls: number; failed: number };

/** When a task pauses itself: at least `failedPercent` of its last `calls` calls failed. */
export type PauseWhen = NonNullable<TaskSettings['pauseWhen']>;

/** The last calls of a task, from its start or its last resume on. */
export type RecentCalls = {
  /** How many calls the task had made before: they do not count. */
  from: number;
  /** What the counters of the task said when the window was last brought up to date. */
  counted: CallCounts;
  /** One character a call, oldest first: 1 failed, 0 did not. */
  window: string;
};

/** `failed` of `calls` calls that were counted together, spread evenly: their order is not known. */
const spread = ({ calls, failed }: CallCounts): string =>
  Array.from({ length: calls }, (_, i) =>
    Math.floor(((i + 1) * failed) / calls) > Math.floor((i * failed) / calls) ? '1' : '0',
  ).join('');

/**
 * The window with the calls that were counted since. Results that were counted at the same time come as one step: each
 * counts, and only their order among each other is lost.
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

/** Why the task pauses itself; `undefined` while it goes on. It goes on until there were enough calls. */
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
