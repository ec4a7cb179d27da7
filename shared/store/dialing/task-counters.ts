import { type Outcome, toMilliseconds } from '../../domain/dialing.ts';
import { emptyTally, type Tally } from '../../domain/task-views.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database, TransactItem } from '../database.ts';
import { keys } from '../keys.ts';

/** So many writers may report results of one task at once before two of them meet on a counter item. */
const shards = 16;

/** What one write adds to the counters of the contacts of one shard. */
export type CounterChange = {
  call?: { outcome: Outcome; duration: number; at: Instant };
  /** Task contacts that are final or gone. */
  settled?: number;
  /** Task contacts whose final outcome is failed or no answer, by epoch. */
  failed?: readonly { epoch: number; count: number }[];
};

export type Counters = {
  tally: Tally;
  settled: number;
  /** By epoch; only epochs with any. */
  failed: ReadonlyMap<number, number>;
};

const callAttribute: Record<Outcome, string> = { success: 'ok', failed: 'failed', noAnswer: 'noAnswer' };
const epochPrefix = 'r';

/** The same contact always counts in the same shard, so that no shard ever falls below zero. */
export const shardOf = (seq: number) => seq % shards;

const additions = ({ call, settled = 0, failed = [] }: CounterChange): [string, number][] =>
  [
    ...(call === undefined
      ? []
      : ([
          [callAttribute[call.outcome], 1],
          ['secs', call.duration],
        ] as [string, number][])),
    ['settled', settled] as [string, number],
    ...failed.map(({ epoch, count }): [string, number] => [`${epochPrefix}${epoch}`, count]),
  ].filter(([, count]) => count !== 0);

/** One counter item's part of a transaction; nothing when there is nothing to add. */
export const countOf = (
  database: Database,
  taskId: string,
  shard: number,
  change: CounterChange,
): TransactItem[] => {
  const added = additions(change);
  if (added.length === 0) return [];
  const at = change.call?.at;
  return [
    database.updateOf(keys.taskCounter(taskId, shard), {
      UpdateExpression: `${at === undefined ? '' : 'SET #at = :at '}ADD ${added.map((_, i) => `#n${i} :n${i}`).join(', ')}`,
      ExpressionAttributeNames: {
        ...(at === undefined ? {} : { '#at': 'at' }),
        ...Object.fromEntries(added.map(([name], i) => [`#n${i}`, name])),
      },
      ExpressionAttributeValues: {
        ...(at === undefined ? {} : { ':at': at }),
        ...Object.fromEntries(added.map(([, count], i) => [`:n${i}`, count])),
      },
    }),
  ];
};

/** Changes of several contacts as one update for each shard. */
export const countAllOf = (
  database: Database,
  taskId: string,
  changes: readonly { seq: number; settled: number; failed?: { epoch: number; count: number } }[],
): TransactItem[] => {
  const byShard = new Map<number, { settled: number; failed: Map<number, number> }>();
  for (const { seq, settled, failed } of changes) {
    const sum = byShard.get(shardOf(seq)) ?? { settled: 0, failed: new Map<number, number>() };
    sum.settled += settled;
    if (failed) sum.failed.set(failed.epoch, (sum.failed.get(failed.epoch) ?? 0) + failed.count);
    byShard.set(shardOf(seq), sum);
  }
  return [...byShard].flatMap(([shard, { settled, failed }]) =>
    countOf(database, taskId, shard, {
      settled,
      failed: [...failed].map(([epoch, count]) => ({ epoch, count })),
    }),
  );
};

/** Each shard is read as a whole, but not all of them at one instant. */
export const readCounters = async (database: Database, taskId: string): Promise<Counters> => {
  const items = await database.queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': keys.task(taskId).pk, ':prefix': keys.taskCounterPrefix },
  });
  const sum = (name: string) => items.reduce((total, item) => total + Number(item[name] ?? 0), 0);
  const [successCount, failCount, noAnswerCount] = [sum('ok'), sum('failed'), sum('noAnswer')];
  const callCount = successCount + failCount + noAnswerCount;
  const lastCallTime = Math.max(...items.map((item) => Number(item.at ?? 0)));
  const epochs = new Set(items.flatMap((item) => Object.keys(item).filter((name) => /^r\d+$/.test(name))));
  const failed = [...epochs]
    .map((name): [number, number] => [Number(name.slice(epochPrefix.length)), sum(name)])
    .filter(([, count]) => count !== 0)
    .sort(([a], [b]) => a - b);
  return {
    tally:
      callCount === 0
        ? emptyTally
        : {
            callCount,
            successCount,
            failCount,
            noAnswerCount,
            duration: toMilliseconds(sum('secs')),
            lastCallTime,
          },
    settled: sum('settled'),
    failed: new Map(failed),
  };
};
