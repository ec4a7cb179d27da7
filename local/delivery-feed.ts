import type { SQSEvent } from 'aws-lambda';
import type { WakeMessage, Wakes } from '../shared/events/index.ts';
import { logFailure } from '../shared/platform/observability/index.ts';

type TimeLeft = { getRemainingTimeInMillis: () => number };
type Deliver = (event: SQSEvent, left: TimeLeft, takesOver: boolean) => Promise<void>;

/**
 * In the place of the queue on AWS: runs the function that delivers, for each webhook by itself. A delayed wake is left to
 * the schedule, which looks every second. If this process is the only one on its table, its first run of a webhook takes over
 * what a process before it has left.
 */
export const startDeliveryFeed = (isSole: boolean) => {
  let isStopped = false;
  let deliver: Deliver | undefined;
  const left = { getRemainingTimeInMillis: () => (isStopped ? 0 : Number.POSITIVE_INFINITY) };
  const running = new Map<string, Promise<void>>();
  const asked = new Set<string>();
  const known = new Set<string>();

  const run = async (webhookId: string) => {
    while (asked.delete(webhookId) && !isStopped && deliver !== undefined) {
      const body = JSON.stringify({ webhookId } satisfies WakeMessage);
      const takesOver = isSole && !known.has(webhookId);
      known.add(webhookId);
      await deliver({ Records: [{ body }] } as SQSEvent, left, takesOver).catch((error) =>
        logFailure('deliveries failed', error, { webhookId }),
      );
    }
    running.delete(webhookId);
  };

  const wakes: Wakes = {
    wake: async (webhookIds, delayMs = 0) => {
      if (delayMs > 0) return;
      for (const id of webhookIds) {
        asked.add(id);
        if (!running.has(id)) running.set(id, run(id));
      }
    },
  };

  return {
    wakes,
    /** From now on. */
    use: (to: Deliver) => {
      deliver = to;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(running.values());
    },
  };
};
