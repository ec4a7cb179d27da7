import type { Instant } from '../shared/domain/time.ts';
import { describeError, log } from '../shared/observability/log.ts';
import type { ContactImporter } from '../shared/transfer/contact-importer.ts';
import { exportPrefix } from '../shared/transfer/file-renderer.ts';
import { uploadPrefix } from '../shared/transfer/import-objects.ts';
import type { LocalObjects } from './objects/local-objects.ts';

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const complain = (error: unknown) => log.error('sweep failed', { error: describeError(error) });

/**
 * What schedules and lifecycle rules do on AWS: unfinished imports are rolled forward, old files go. The
 * first sweep takes every unfinished import over, since no other process can be running it.
 */
export const startSweeping = (importer: ContactImporter, files: Pick<LocalObjects, 'sweep'>) => {
  const sweep = async (takeOver: boolean) => {
    await importer.sweep(takeOver);
    for (const prefix of [exportPrefix, uploadPrefix]) await files.sweep(prefix, dayMs);
  };
  let running = sweep(true).catch(complain);
  const begun = running;
  const timer = setInterval(() => {
    running = running.then(() => sweep(false)).catch(complain);
  }, minuteMs);
  return {
    /** Settles when the first sweep is over. */
    begun,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};

/** What DynamoDB does with expired items: at the start, and every hour. */
export const startExpiring = (remove: (seconds: number) => Promise<unknown>, now: () => Instant) => {
  const removeNow = () => remove(now() / 1000).catch(complain);
  let running = removeNow();
  const timer = setInterval(() => {
    running = running.then(removeNow);
  }, hourMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
};
