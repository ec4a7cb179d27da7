import { dayMs, hourMs, type Instant, minuteMs, secondMs } from '../shared/domain/time.ts';
import { describeError, log } from '../shared/observability/log.ts';
import type { ContactImporter } from '../shared/transfer/contact-importer.ts';
import { exportPrefix } from '../shared/transfer/file-renderer.ts';
import { uploadPrefix } from '../shared/transfer/import-objects.ts';
import type { RemovalSweep } from '../shared/transfer/removal-sweep.ts';
import type { LocalObjects } from './objects/local-objects.ts';

const stoppingMs = secondMs;

const logFailure = (error: unknown) => log.error('sweep failed', { error: describeError(error) });

/**
 * Does what schedules and lifecycle rules do on AWS: continues unfinished imports and removals, and deletes old files.
 * The first sweep takes over every unfinished import and removal, because no other process can be running it.
 */
export const startSweeping = (
  { importer, removalSweep }: { importer: ContactImporter; removalSweep: RemovalSweep },
  files: Pick<LocalObjects, 'sweep'>,
) => {
  let isStopped = false;
  const sweep = async (takeOver: boolean) => {
    await importer.sweep(takeOver);
    await removalSweep.run(() => isStopped, takeOver);
    for (const prefix of [exportPrefix, uploadPrefix]) await files.sweep(prefix, dayMs);
  };
  let running = sweep(true).catch(logFailure);
  const begun = running;
  const timer = setInterval(() => {
    running = running.then(() => sweep(false)).catch(logFailure);
  }, minuteMs);
  return {
    /** Settles when the first sweep has ended. */
    begun,
    stop: async () => {
      clearInterval(timer);
      isStopped = true;
      await running;
    },
  };
};

/** Runs at the start and then at the interval, never twice at the same time. */
const startRepeating = (run: () => Promise<unknown>, intervalMs: number) => {
  const runNow = () => run().catch(logFailure);
  let running = runNow();
  const timer = setInterval(() => {
    running = running.then(runNow);
  }, intervalMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};

/** Removes expired items, as DynamoDB does: at the start and every hour. */
export const startExpiring = (remove: (seconds: number) => Promise<unknown>, now: () => Instant) =>
  startRepeating(() => remove(now() / 1000), hourMs);

/** Stops the tasks whose `callUntil` has come, and finishes erasures, as a schedule does on AWS every minute. */
export const startStopping = (stopTasks: () => Promise<void>) => startRepeating(stopTasks, stoppingMs);
