import { dayMark } from '../calls/timeline.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import {
  additionOf,
  type Condition,
  onlyIf,
  prefixRange,
  setAttributes,
  type Update,
} from '../platform/table/expressions.ts';
import { type Item, type Key, keys } from '../platform/table/keys.ts';
import { optimistic, tryWriteOnce } from '../platform/table/optimistic.ts';
import { counterKey, ifNotClosed, ifNotSplit, partKeys, recallNumberOf, shardOf } from './task-counters.ts';

/**
 * If two transactions meet on one counter, one of them is retried. A task has few counters, because
 * every reader reads all of them. So a counter is *split* if results keep meeting on it: from then
 * on, results are counted in its parts, which lie under keys of their own. All other moves are
 * still counted in the counter itself. A figure of the task is the sum of all.
 *
 * A result reads the counter, and then its part if the counter is split. Its write fails if the
 * part was joined meanwhile, and it reads again.
 *
 * Before a task is closed, the parts are *joined* to their counter, and closed. A closed part
 * refuses every result, so no result is counted after the close. Splitting the counter again opens
 * its parts.
 *
 * One transaction splits a counter, or joins it. A process that dies before or after it leaves
 * nothing to do.
 */

/** Of a counter that counts under this recall number. */
const ifNumber = (counter: Item | undefined): Condition =>
  counter?.recallNumber === undefined
    ? { ConditionExpression: 'attribute_not_exists(recallNumber)' }
    : {
        ConditionExpression: 'recallNumber = :number',
        ExpressionAttributeValues: { ':number': counter.recallNumber },
      };

/**
 * Splits the counter of a contact, unless it is split or closed. If another writer is at the
 * counter, the next result tries.
 */
export const splitCounter = async (
  database: Database,
  { taskId, seq }: { taskId: string; seq: number },
): Promise<void> => {
  const key = counterKey(taskId, seq);
  const counter = await database.get(key);
  const number = recallNumberOf(counter);
  const split = onlyIf(setAttributes({ isSplit: true }), ifNotClosed, ifNotSplit, ifNumber(counter));
  await tryWriteOnce(() =>
    database.transact([
      database.updateOf(key, split),
      ...partKeys(taskId, shardOf(seq)).map((part) =>
        database.putOf({ ...part, ...(number > 0 && { recallNumber: number }) }),
      ),
    ]),
  );
};

/** Attributes that are not counts. */
const notCounts: ReadonlySet<string> = new Set(['at', 'day', 'recallNumber']);

const countsIn = (part: Item): [name: string, count: number][] =>
  Object.entries(part).filter(
    (each): each is [string, number] => typeof each[1] === 'number' && !notCounts.has(each[0]),
  );

/** The attributes of which each result changes one. */
const calls = ['ok', 'failed', 'noAnswer'];

/** No result was counted since the part was read, and the timeline has taken nothing. */
const ifSame = (part: Item): Condition => {
  const counts = countsIn(part);
  const absent = calls.filter((name) => part[name] === undefined);
  return {
    ConditionExpression: [
      ...counts.map((_, i) => `#c${i} = :c${i}`),
      ...absent.map((name) => `attribute_not_exists(${name})`),
    ].join(' AND '),
    ...(counts.length > 0 && {
      ExpressionAttributeNames: Object.fromEntries(counts.map(([name], i) => [`#c${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(counts.map(([, count], i) => [`:c${i}`, count])),
    }),
  };
};

/** Adds the counts of its parts to the counter. */
const joinedWith = (counter: Item, parts: readonly Item[]): Update => {
  const sums = new Map<string, number>();
  for (const [name, count] of parts.flatMap(countsIn)) sums.set(name, (sums.get(name) ?? 0) + count);
  if (sums.size === 0) return { UpdateExpression: 'REMOVE isSplit' };
  const at = Math.max(...[counter, ...parts].map((each) => Number(each.at ?? 0)));
  return onlyIf(additionOf([...sums], { at, ...dayMark(at) }, ['isSplit']), {
    ConditionExpression: 'attribute_not_exists(#at) OR #at <= :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  });
};

/** Joins all split counters of a task. Called when results are rare. */
export const joinCounters = async (database: Database, taskId: string): Promise<void> => {
  const counters = await database.queryAll(prefixRange(keys.task(taskId).pk, keys.taskCounterPrefix));
  const split = [...counters.keys()].filter((at) => counters[at]!.isSplit);
  await concurrently(split, split.length, (at) => joinCounter(database, taskId, counters[at]!));
};

const joinCounter = (database: Database, taskId: string, { pk, sk }: Key): Promise<void> =>
  optimistic(async () => {
    const counter = await database.get({ pk, sk });
    if (!counter?.isSplit) return;
    const shard = Number(sk.slice(keys.taskCounterPrefix.length));
    const parts = (await database.batchGet(partKeys(taskId, shard))).filter((part) => part !== undefined);
    await database.transact([
      database.updateOf({ pk, sk }, joinedWith(counter, parts)),
      ...parts.map((part) => database.putOf({ pk: part.pk, sk: part.sk, isClosed: true }, ifSame(part))),
    ]);
  });
