import { concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import { additionOf, keyRange, partitionRange, prefixRange } from '../platform/table/expressions.ts';
import { type Item, type Key, keys, timeKey } from '../platform/table/keys.ts';
import { optimistic, tryWriteOnce } from '../platform/table/optimistic.ts';
import { dayMs, type Instant, minuteMs, secondMs } from '../platform/time/time.ts';
import type { Task } from '../tasks/rules/task.ts';
import type { Outcome } from '../tasks/rules/task-settings.ts';
import { readCounterItems, readWithParts } from '../tasks/task-items.ts';
import {
  type Bucket,
  bucketMs,
  bucketOf,
  type CountedCalls,
  spanMs,
  type TaskDay,
  type TimelineRow,
} from './rules/timeline.ts';

const letters = { success: 's', failed: 'f', noAnswer: 'n', talk: 'd' } as const satisfies Record<
  CountedCalls['what'],
  string
>;
const whatOf = Object.fromEntries(Object.entries(letters).map(([what, letter]) => [letter, what]));
const base = 36;
/** A part of a day. Every zone of today is a whole number of quarter hours off UTC. */
const quarterMs = 15 * minuteMs;
/** Counts of past minutes in a counter item, which stays below 1 KB, one write unit. */
const gatheredAtMost = 24;
/** Minutes are shown for three hours. */
const minutesKeptMs = spanMs.minute + bucketMs.hour;

const dayOf = (instant: Instant) => Math.floor(instant / dayMs) * dayMs;
const quarterOf = (instant: Instant) => Math.floor(instant / quarterMs) * quarterMs;

/** `name` of the attribute. */
type Count = CountedCalls & { name: string };

const nameAt = (at: Instant, what: Count['what']) =>
  `t${Math.floor(at / bucketMs.minute).toString(base)}${letters[what]}`;
/** The name of a call in its task's counter item, in the transaction of its result. */
export const minuteName = (at: Instant, outcome: Outcome): string => nameAt(at, outcome);
/**
 * The name under which the seconds of successful calls add up there: by quarter hour, so that there
 * are few names.
 */
export const talkName = (at: Instant): string => nameAt(quarterOf(at), 'talk');

const countsOf = (item: Item, pattern: RegExp, timeOf: (part: string) => Instant): Count[] =>
  Object.entries(item).flatMap(([name, count]) => {
    const [, part, letter] = pattern.exec(name) ?? [];
    if (part === undefined) return [];
    return [{ name, time: timeOf(part), what: whatOf[letter!] as Count['what'], count: Number(count) }];
  });

/** The counts in a counter item that have not moved yet. */
const gatheredIn = (counter: Item): Count[] =>
  countsOf(counter, /^t([0-9a-z]+)([sfnd])$/, (minute) => Number.parseInt(minute, base) * bucketMs.minute);

const isPast = ({ time, what }: Count, now: Instant) =>
  what === 'talk' ? time < quarterOf(now) : time < bucketOf('minute', now);

const startOf = ({ sk }: Key) => Number(sk.slice(keys.timelineDays.length));
const minutesOf = (item: Item): Count[] =>
  countsOf(item, /^p(\d+)([sfn])$/, (part) => startOf(item) + Number(part) * bucketMs.minute);
/** `p` are the hours that 0.3 counted. */
const partsOfDay = (item: Item): Count[] => [
  ...countsOf(item, /^q(\d+)([sfnd])$/, (part) => startOf(item) + Number(part) * quarterMs),
  ...countsOf(item, /^p(\d+)([sfn])$/, (part) => startOf(item) + Number(part) * bucketMs.hour),
];

/** The record of a task, if it exists, and what its counters are gathering. They are neighbours. */
const readGathering = async (database: Database, taskId: string) => {
  const { pk, sk: last } = keys.task(taskId);
  const range = keyRange(pk, keys.taskCounterPrefix, last);
  const items = await readWithParts(database, taskId, () => database.queryAll(range));
  const counters = items.filter(({ sk }) => sk.startsWith(keys.taskCounterPrefix));
  return {
    task: items.find(({ sk }) => sk === last) as Task | undefined,
    gathering: counters.flatMap(gatheredIn),
  };
};

const rowsOf = (counts: readonly Count[], bucket: Bucket): TimelineRow[] => {
  const rows = new Map<Instant, TimelineRow>();
  for (const { what, count, ...counted } of counts) {
    if (what === 'talk') continue;
    const time = bucketOf(bucket, counted.time);
    const row = rows.get(time) ?? { time, success: 0, failed: 0, noAnswer: 0 };
    rows.set(time, { ...row, [what]: row[what] + count });
  }
  return [...rows.values()].sort((a, b) => a.time - b.time);
};

/**
 * Calls by outcome over time. The items of days stay when the task is deleted, because its removal
 * moves all counts that were gathered.
 */
export class TaskTimeline {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Moves past minutes out of a counter item, as it was read, if there are many. If another writer
   * is faster, nothing changes.
   */
  async gather(taskId: string, counter: Item | undefined, now: Instant): Promise<void> {
    if (counter === undefined) return;
    const counts = gatheredIn(counter).filter((count) => isPast(count, now));
    if (counts.length < gatheredAtMost) return;
    await tryWriteOnce(() => this.#move(taskId, counter, counts, now));
  }

  /** Moves all counts of a deleted task to its days. Its counters do not change any more. */
  async gatherAll(taskId: string): Promise<void> {
    await optimistic(async () => {
      for (const counter of await readCounterItems(this.#database, taskId)) {
        const counts = gatheredIn(counter);
        if (counts.length > 0) await this.#move(taskId, counter, counts);
      }
    });
  }

  /** `now`: minutes that are still shown also move to their hours. */
  async #move(taskId: string, counter: Item, counts: readonly Count[], now = Number.POSITIVE_INFINITY) {
    const shown = counts.filter(({ time, what }) => what !== 'talk' && time > now - minutesKeptMs);
    const hourKey = ({ time }: Count) => keys.timelineHour(taskId, bucketOf('hour', time));
    await this.#database.transact([
      this.#database.updateOf(
        { pk: counter.pk, sk: counter.sk },
        {
          UpdateExpression: `REMOVE ${counts.map((_, i) => `#n${i}`).join(', ')}`,
          ConditionExpression: counts.map((_, i) => `#n${i} = :n${i}`).join(' AND '),
          ExpressionAttributeNames: Object.fromEntries(counts.map(({ name }, i) => [`#n${i}`, name])),
          ExpressionAttributeValues: Object.fromEntries(counts.map(({ count }, i) => [`:n${i}`, count])),
        },
      ),
      ...this.#added(counts, 'q', quarterMs, ({ time }) => keys.timelineDay(taskId, dayOf(time))),
      ...this.#added(shown, 'p', bucketMs.minute, hourKey, Math.ceil((now + dayMs) / secondMs)),
    ]);
  }

  /**
   * In order, without the buckets in which no call ended.
   * @returns undefined if there is no such task
   */
  async read(taskId: string, bucket: Bucket, now: Instant): Promise<TimelineRow[] | undefined> {
    const from = bucketOf(bucket, now - spanMs[bucket]) + bucketMs[bucket];
    const [{ task, gathering }, items] = await Promise.all([
      readGathering(this.#database, taskId),
      this.#database.queryAll(
        bucket === 'hour'
          ? keyRange(keys.timeline(taskId), keys.timelineDay(taskId, dayOf(from)).sk, `${keys.timelineDays}~`)
          : keyRange(keys.timeline(taskId), `H#${timeKey(bucketOf('hour', from))}`, 'H#~'),
      ),
    ]);
    if (task === undefined) return undefined;
    const counts = [...gathering, ...items.flatMap(bucket === 'hour' ? partsOfDay : minutesOf)];
    return rowsOf(counts, bucket).filter(({ time }) => time >= from && time <= now);
  }

  /** How many calls ended in that time. A quarter hour that it cuts may count as a whole. */
  async callsIn(taskId: string, from = 0, to = Number.POSITIVE_INFINITY): Promise<number> {
    const [counters, days] = await Promise.all([
      readCounterItems(this.#database, taskId),
      this.#database.queryAll(prefixRange(keys.timeline(taskId), keys.timelineDays)),
    ]);
    return [...counters.flatMap(gatheredIn), ...days.flatMap(partsOfDay)]
      .filter(({ what, time }) => what !== 'talk' && time > from - bucketMs.hour && time < to)
      .reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * Adds the counts to the items of their hours or days. `letter` is that of their parts, which are
   * `lengthMs` long.
   */
  #added(
    counts: readonly Count[],
    letter: 'p' | 'q',
    lengthMs: number,
    keyOf: (count: Count) => Key,
    ttl?: number,
  ): TransactItem[] {
    const items = new Map<string, { key: Key; parts: Map<string, number> }>();
    for (const each of counts) {
      const key = keyOf(each);
      const item = items.get(key.sk) ?? { key, parts: new Map<string, number>() };
      const part = Math.floor((each.time - startOf(key)) / lengthMs);
      const name = `${letter}${part}${letters[each.what]}`;
      item.parts.set(name, (item.parts.get(name) ?? 0) + each.count);
      items.set(key.sk, item);
    }
    return [...items.values()].map(({ key, parts }) =>
      this.#database.updateOf(key, additionOf([...parts], ttl === undefined ? {} : { ttl })),
    );
  }
}

const tasksAtOnce = 50;
const daysAtOnce = 32;

type EnteredTask = Pick<Task, 'id' | 'taskName'>;

const entryOf = ({ id, taskName }: EnteredTask, day: Instant): Item => ({
  ...keys.dayOfTask(day, id),
  taskName,
});

/** Kept in a counter item: the day of its last call. The task is entered on that day. */
export const dayMark = (at: Instant) => ({ day: dayOf(at) });

/**
 * The calls of all tasks on a day. The counts are those of the timeline: items of days, and
 * counters that are still gathering.
 */
export class ServiceDays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Called before a call is counted in the counter item, as it was read. */
  async enter(task: EnteredTask, counter: Item | undefined, now: Instant): Promise<void> {
    const { day } = dayMark(now);
    if (counter?.day !== day) await this.#database.put(entryOf(task, day));
  }

  /** The tasks that called on a day between these times. */
  async taskIds(from: Instant, until: Instant): Promise<string[]> {
    return [...(await this.#namesOf(from, until)).keys()];
  }

  async #namesOf(from: Instant, until: Instant): Promise<ReadonlyMap<string, string>> {
    const length = (dayOf(until - 1) - dayOf(from)) / dayMs + 1;
    const days = Array.from({ length }, (_, i) => dayOf(from) + i * dayMs);
    const entered = await concurrently(days, daysAtOnce, (day) =>
      this.#database.queryAll(partitionRange(keys.dayOfTask(day, '').pk)),
    );
    return new Map(entered.flat().map(({ sk, taskName }) => [sk, taskName as string]));
  }

  /** What each task did in a period. */
  async read(from: Instant, until: Instant): Promise<TaskDay[]> {
    const names = await this.#namesOf(from, until);
    return concurrently([...names], tasksAtOnce, async ([taskId, taskName]) => ({
      taskId,
      taskName,
      ...(await optimistic(() => this.#readTask(taskId, from, until))),
    }));
  }

  /**
   * Counts may move from the counters to the days meanwhile. They have not moved if the days are
   * the same before and after.
   */
  async #readTask(id: string, from: Instant, until: Instant): Promise<Pick<TaskDay, 'status' | 'counts'>> {
    const before = await this.#readDays(id, from, until);
    const { task, gathering } = await readGathering(this.#database, id);
    const after = await this.#readDays(id, from, until);
    // Counts of days only grow.
    if (sumOf(before) !== sumOf(after)) throw new Lost('counts have moved');
    return { status: task?.status ?? null, counts: [...after, ...gathering] };
  }

  async #readDays(id: string, from: Instant, until: Instant): Promise<CountedCalls[]> {
    const [first, last] = [from, until - 1].map((at) => keys.timelineDay(id, dayOf(at)).sk) as [
      string,
      string,
    ];
    return (await this.#database.queryAll(keyRange(keys.timeline(id), first, last))).flatMap(partsOfDay);
  }
}

const sumOf = (counts: readonly CountedCalls[]) => counts.reduce((sum, { count }) => sum + count, 0);
