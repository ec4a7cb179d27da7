import { uploadPrefix } from '../shared/imports/import-objects.ts';
import { exportPrefix } from '../shared/insight/export-file.ts';
import { logFailure } from '../shared/platform/observability/log.ts';
import { dayMs, hourMs, type Instant, minuteMs, secondMs } from '../shared/platform/time/time.ts';
import type { LocalObjects } from './objects/local-objects.ts';

/** How long a run may still last: without a limit, until the service stops. */
type TimeLeft = { getRemainingTimeInMillis: () => number };

const onFailure = (error: unknown) => logFailure('scheduled work failed', error);

/**
 * Runs at the start and then at the interval, never twice at the same time. `begun` settles when
 * the first run has ended.
 */
const startRepeating = (run: (left: TimeLeft, isFirst: boolean) => Promise<unknown>, intervalMs: number) => {
  let isStopped = false;
  const left = { getRemainingTimeInMillis: () => (isStopped ? 0 : Number.POSITIVE_INFINITY) };
  const begun = run(left, true).catch(onFailure);
  let running = begun;
  const timer = setInterval(() => {
    running = running.then(() => run(left, false)).catch(onFailure);
  }, intervalMs);
  return {
    begun,
    stop: async () => {
      clearInterval(timer);
      isStopped = true;
      await running;
    },
  };
};

type DueFileWork = (event: unknown, left: TimeLeft, takesOver: boolean) => Promise<void>;

/**
 * Replaces a schedule and lifecycle rules on AWS: continues unfinished imports and removals, and
 * deletes old files. The first run takes all of them over, because no other process can be at work.
 */
export const startDueFileWork = (doDueFileWork: DueFileWork, files: Pick<LocalObjects, 'sweep'>) =>
  startRepeating(async (left, isFirst) => {
    await doDueFileWork(undefined, left, isFirst);
    for (const prefix of [exportPrefix, uploadPrefix]) await files.sweep(prefix, dayMs);
  }, minuteMs);

/** Stops tasks whose `callUntil` has come, and finishes erasures, like a schedule on AWS. */
export const startDueWork = (doDueWork: (event: unknown, left: TimeLeft) => Promise<void>) =>
  startRepeating((left) => doDueWork(undefined, left), secondMs);

/** Removes expired items at the start and every hour, as DynamoDB does. */
export const startExpiring = (remove: (seconds: number) => Promise<unknown>, now: () => Instant) =>
  startRepeating(() => remove(now() / 1000), hourMs);

/**
 * LevelDB reads without checksums, so a bit that flips on the disk could hide rows. So the files
 * are checked again at the interval.
 */
export const startChecking = (
  check: () => Promise<string | undefined>,
  onDamage: (problem: string) => void,
  intervalMs = 10 * minuteMs,
) =>
  startRepeating(async (_, isFirst) => {
    // They were checked at the start.
    const problem = isFirst ? undefined : await check();
    if (problem !== undefined) onDamage(problem);
  }, intervalMs);
