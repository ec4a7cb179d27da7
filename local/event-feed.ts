import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Bus } from '../shared/events/index.ts';
import { busEvent, eventSource } from '../shared/events/index.ts';
import { log, logFailure } from '../shared/platform/observability/index.ts';
import { secondMs } from '../shared/platform/time/index.ts';
import type { EmbeddedDynamoDb } from './dynamodb/embedded-dynamodb.ts';
import type { StreamRecord } from './dynamodb/storage.ts';

/** In the place of EventBridge: a line of the log for each event. */
export const busInLog: Bus = {
  publish: async (events) => {
    for (const event of events) {
      const { detailType, detail } = busEvent(event);
      log.info('event', { source: eventSource, 'detail-type': detailType, detail });
    }
    return undefined;
  },
};

/** As Lambda hands the table's stream to a function. */
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
 * Hands the table's stream to the functions that read it, as Lambda does on AWS: in order, and a batch that failed again.
 * `changed` is called after each write. The stream is read on from where the process before this one was ended.
 */
export const startEventFeed = (stream: TableStream, readers: readonly Reader[]) => {
  let [isStopped, isAsked] = [false, false];
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
      logFailure('events not told', error);
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
