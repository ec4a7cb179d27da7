import type { Outcome } from '../../domain/dialing/dialing.ts';
import { type Bucket, bucketMs, bucketOf, spanMs, type TimelineRow } from '../../domain/tasks/timeline.ts';
import { dayMs, type Instant, secondMs } from '../../domain/time.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import { additionOf, type Key, keyRange, keys, timeKey, tryWriteOnce } from '../table/index.ts';

const letters = { success: 's', failed: 'f', noAnswer: 'n' } as const satisfies Record<Outcome, string>;
const outcomeOf = Object.fromEntries(Object.entries(letters).map(([outcome, letter]) => [letter, outcome]));
const base = 36;
/** Counts of past minutes that a counter item gathers: with them it stays below 1 KB, one write unit. */
const gatheredAtMost = 24;
/** Minutes are shown for three hours. */
const minutesKeptMs = spanMs.minute + bucketMs.hour;

const dayOf = (instant: Instant) => Math.floor(instant / dayMs) * dayMs;

/** The calls of one minute or hour with that outcome. `name`: of its attribute. */
type OutcomeCount = { name: string; time: Instant; outcome: Outcome; count: number };

/** Under which a call is counted in its task's counter item, in the transaction of its result. */
export const minuteName = (at: Instant, outcome: Outcome): string =>
  `t${Math.floor(at / bucketMs.minute).toString(base)}${letters[outcome]}`;

const countsOf = (item: Item, form: RegExp, timeOf: (part: string) => Instant): OutcomeCount[] =>
  Object.entries(item).flatMap(([name, count]) => {
    const [, part, letter] = form.exec(name) ?? [];
    if (part === undefined) return [];
    return [{ name, time: timeOf(part), outcome: outcomeOf[letter!] as Outcome, count: Number(count) }];
  });

/** The counts of past minutes in a counter item. */
const gatheredIn = (counter: Item): OutcomeCount[] =>
  countsOf(counter, /^t([0-9a-z]+)([sfn])$/, (minute) => Number.parseInt(minute, base) * bucketMs.minute);

/** The counts of an item, one for each part: the minutes of an hour, the hours of a day. */
const partsOf = (item: Item, lengthMs: number): OutcomeCount[] =>
  countsOf(item, /^p(\d+)([sfn])$/, (part) => Number(item.sk.slice(2)) + Number(part) * lengthMs);

const rowsOf = (counts: readonly OutcomeCount[], bucket: Bucket): TimelineRow[] => {
  const rows = new Map<Instant, TimelineRow>();
  for (const { outcome, count, ...counted } of counts) {
    const time = bucketOf(bucket, counted.time);
    const row = rows.get(time) ?? { time, success: 0, failed: 0, noAnswer: 0 };
    rows.set(time, { ...row, [outcome]: row[outcome] + count });
  }
  return [...rows.values()].sort((a, b) => a.time - b.time);
};

/**
 * Calls by outcome over time. A result is counted under its minute in its counter item, in its own transaction and at no
 * cost. Past minutes that have gathered there move to the items of their hours and days, a few dozen counts at a time.
 * A month is read from thirty items, and from the minutes that are still gathering.
 */
export class TaskTimeline {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Moves past minutes out of a counter item, as it was read, once there are many. Lost to another writer, it changes nothing. */
  async gather(taskId: string, counter: Item | undefined, now: Instant): Promise<void> {
    if (counter === undefined) return;
    const counts = gatheredIn(counter).filter(({ time }) => time < bucketOf('minute', now));
    if (counts.length < gatheredAtMost) return;
    const shown = counts.filter(({ time }) => time > now - minutesKeptMs);
    const hourKey = ({ time }: OutcomeCount) => keys.timelineHour(taskId, bucketOf('hour', time));
    await tryWriteOnce(() =>
      this.#database.transact([
        this.#database.updateOf(
          { pk: counter.pk, sk: counter.sk },
          {
            UpdateExpression: `REMOVE ${counts.map((_, i) => `#n${i}`).join(', ')}`,
            ConditionExpression: counts.map((_, i) => `#n${i} = :n${i}`).join(' AND '),
            ExpressionAttributeNames: Object.fromEntries(counts.map(({ name }, i) => [`#n${i}`, name])),
            ExpressionAttributeValues: Object.fromEntries(counts.map(({ count }, i) => [`:n${i}`, count])),
          },
        ),
        ...this.#added(counts, bucketMs.hour, ({ time }) => keys.timelineDay(taskId, dayOf(time))),
        ...this.#added(shown, bucketMs.minute, hourKey, Math.ceil((now + dayMs) / secondMs)),
      ]),
    );
  }

  /** In order, without the buckets in which no call ended; `undefined` if there is no such task. */
  async read(taskId: string, bucket: Bucket, now: Instant): Promise<TimelineRow[] | undefined> {
    const from = bucketOf(bucket, now - spanMs[bucket]) + bucketMs[bucket];
    const task = keys.task(taskId);
    // The counters and the task's own record are neighbours.
    const [found, items] = await Promise.all([
      this.#database.queryAll(keyRange(task.pk, keys.taskCounterPrefix, task.sk)),
      this.#database.queryAll(
        bucket === 'hour'
          ? keyRange(keys.timeline(taskId), `D#${timeKey(dayOf(from))}`, 'D#~')
          : keyRange(keys.timeline(taskId), `H#${timeKey(bucketOf('hour', from))}`, 'H#~'),
      ),
    ]);
    if (!found.some(({ sk }) => sk === task.sk)) return undefined;
    const counters = found.filter(({ sk }) => sk.startsWith(keys.taskCounterPrefix));
    const lengthMs = bucket === 'hour' ? bucketMs.hour : bucketMs.minute;
    const counts = [...counters.flatMap(gatheredIn), ...items.flatMap((item) => partsOf(item, lengthMs))];
    return rowsOf(counts, bucket).filter(({ time }) => time >= from && time <= now);
  }

  /** Adds the counts to the items of their hours or days, whose parts are `lengthMs` long. */
  #added(
    counts: readonly OutcomeCount[],
    lengthMs: number,
    keyOf: (count: OutcomeCount) => Key,
    ttl?: number,
  ): TransactItem[] {
    const items = new Map<string, { key: Key; parts: Map<string, number> }>();
    for (const each of counts) {
      const key = keyOf(each);
      const item = items.get(key.sk) ?? { key, parts: new Map<string, number>() };
      const part = Math.floor((each.time - Number(key.sk.slice(2))) / lengthMs);
      const name = `p${part}${letters[each.outcome]}`;
      item.parts.set(name, (item.parts.get(name) ?? 0) + each.count);
      items.set(key.sk, item);
    }
    return [...items.values()].map(({ key, parts }) =>
      this.#database.updateOf(key, additionOf([...parts], ttl === undefined ? {} : { ttl })),
    );
  }
}
