import { bucketMs, bucketOf, callsOf, type TimelineRow } from '../../../../shared/calls/rules/timeline.ts';
import type { Instant } from '../../../../shared/platform/time/time.ts';

const windowMs = 5 * bucketMs.minute;

/**
 * Calls a minute over the last five whole minutes and the running one by its share, or since the task started. Unknown
 * until a minute has passed. `now`: when the rows were read.
 */
export const callsPerMinute = (
  minutes: readonly TimelineRow[],
  now: Instant,
  started?: Instant,
): number | undefined => {
  const begun = minutes[0]?.time ?? started ?? now;
  const from = Math.max(begun, started ?? 0, bucketOf('minute', now) - windowMs);
  if (now - from < bucketMs.minute) return undefined;
  const recent = minutes.filter(({ time }) => time + bucketMs.minute > from);
  const calls = recent.reduce((sum, row) => sum + callsOf(row), 0);
  return calls / ((now - from) / bucketMs.minute);
};
