import type { DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { type Bus, busEvent, eventSource } from '../shared/events/event-bus.ts';
import type { WakeMessage, Wakes } from '../shared/events/wakes.ts';
import { log, logFailure } from '../shared/platform/observability/log.ts';
import { secondMs } from '../shared/platform/time/time.ts';
import type { EmbeddedDynamoDb } from './dynamodb/embedded-dynamodb.ts';
import type { StreamRecord } from './dynamodb/storage.ts';

/** Replaces EventBridge: writes a line of the log for each event. */
export const busInLog: Bus = {
  publish: async (events) => {
    for (const event of events) {
      const { detailType, detail } = busEvent(event);
      log.info('event', { source: eventSource, 'detail-type': detailType, detail });
    }
    return undefined;
  },
};

/** A record in the form in which Lambda passes the table's stream to a function. */
const recordOf = ({ key, before, after, time }: StreamRecord): DynamoDBRecord => ({
  dynamodb: {
    ...(before && { OldImage: before as never }),
    ...(after && { NewImage: after as never }),
    ApproximateCreationDateTime: time / secondMs,
    SequenceNumber: key,
  },
});

const recordsAtOnce = 100;
const retryMs = secondMs;

export type TableStream = EmbeddedDynamoDb['stream'];
type Reader = (event: DynamoDBStreamEvent) => Promise<unknown>;

/**
 * Passes the table's stream to the functions that read it, like Lambda on AWS: in order, and a
 * failed batch again. `changed` is called after each write. Reading continues where the previous
 * process ended.
 */
export const startEventFeed = (stream: TableStream, readers: readonly Reader[]) => {
  let isStopped = false;
  let isAsked = false;
  let running: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;

  const feedSome = async (): Promise<boolean> => {
    const records = await stream.readStream(recordsAtOnce);
    if (records.length === 0) return false;
    for (const read of readers) await read({ Records: records.map(recordOf) });
    await stream.removeStreamed(records);
    return true;
  };

  const run = async () => {
    try {
      while (isAsked && !isStopped) {
        isAsked = false;
        while (!isStopped && (await feedSome()));
      }
    } catch (error) {
      logFailure('events not read from the stream', error);
      if (!isStopped) retry = setTimeout(changed, retryMs);
    } finally {
      running = undefined;
    }
  };

  const changed = () => {
    isAsked = true;
    if (!isStopped) running ??= run();
  };
  changed();

  return {
    changed,
    stop: async () => {
      isStopped = true;
      clearTimeout(retry);
      await running;
    },
  };
};

type TimeLeft = { getRemainingTimeInMillis: () => number };
type Deliver = (event: SQSEvent, left: TimeLeft, takesOver: boolean) => Promise<void>;

/**
 * Replaces the queue on AWS: runs the function that delivers, separately for each webhook. The
 * schedule, which looks every second, does delayed wakes. If this process is the only one on its
 * table, its first run of a webhook takes over the work of an earlier process.
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
    /** Delivers with this function from now on. */
    use: (to: Deliver) => {
      deliver = to;
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(running.values());
    },
  };
};
