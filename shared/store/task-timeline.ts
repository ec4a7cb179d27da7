import type { Outcome } from '../domain/dialing.ts';
import type { Instant } from '../domain/time.ts';
import { type Bucket, bucketMs, bucketOf, spanMs, type TimelineRow } from '../domain/timeline.ts';
import type { Database, Item, Update } from './database.ts';
import { type Key, keys, timeKey } from './keys.ts';
import { unlessLost } from './optimistic.ts';

const letters = { success: 's', failed: 'f', noAnswer: 'n' } as const satisfies Record<Outcome, string>;
const dayMs = 24 * bucketMs.hour;
const secondMs = 1000;
/** Results that were under way when their hour ended have come in by then. */
const settledAfterMs = bucketMs.hour;

const dayOf = (instant: Instant) => Math.floor(instant / dayMs) * dayMs;
const timeOf = ({ sk }: Item) => Number(sk.slice(2));

/** The counts of an item, one for each part: the minutes of an hour, the hours of a day. */
const partsOf = (item: Item, start: Instant, lengthMs: number): TimelineRow[] => {
  const rows = new Map<number, TimelineRow>();
  for (const [name, count] of Object.entries(item)) {
    const [, part, letter] = /^p(\d+)([sfn])$/.exec(name) ?? [];
    if (part === undefined) continue;
    const time = start + Number(part) * lengthMs;
    const row = rows.get(time) ?? { time, success: 0, failed: 0, noAnswer: 0 };
    const outcome = (Object.keys(letters) as Outcome[]).find((each) => letters[each] === letter)!;
    rows.set(time, { ...row, [outcome]: count as number });
  }
  return [...rows.values()].sort((a, b) => a.time - b.time);
};

const total = (rows: readonly TimelineRow[], time: Instant): TimelineRow => ({
  time,
  success: rows.reduce((sum, row) => sum + row.success, 0),
  failed: rows.reduce((sum, row) => sum + row.failed, 0),
  noAnswer: rows.reduce((sum, row) => sum + row.noAnswer, 0),
});

/**
 * Calls by outcome over time. Each result adds to the item of its hour, a count for each minute, which one write
 * unit takes; the first result of an hour turns the hours before the last into counts of their day, so that a
 * month is read from thirty small items.
 */
export class TaskTimeline {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async count(taskId: string, outcome: Outcome, now: Instant): Promise<void> {
    const hour = bucketOf('hour', now);
    const minute = Math.floor((now - hour) / bucketMs.minute);
    const after = await this.#update(keys.timelineHour(taskId, hour), {
      UpdateExpression: 'ADD #n :one',
      ExpressionAttributeNames: { '#n': `p${minute}${letters[outcome]}` },
      ExpressionAttributeValues: { ':one': 1 },
    });
    const { success, failed, noAnswer } = total(partsOf(after, hour, bucketMs.minute), hour);
    if (success + failed + noAnswer === 1) await this.#rollUp(taskId, hour - settledAfterMs);
  }

  /** In order, without those in which no call ended. */
  async read(taskId: string, bucket: Bucket, now: Instant): Promise<TimelineRow[]> {
    const from = bucketOf(bucket, now - spanMs[bucket]) + bucketMs[bucket];
    const hours = await this.#items(taskId, 'H', bucketOf('hour', from));
    const isWanted = ({ time }: TimelineRow) => time >= from && time <= now;
    if (bucket === 'minute')
      return hours.flatMap((item) => partsOf(item, timeOf(item), bucketMs.minute)).filter(isWanted);
    const days = await this.#items(taskId, 'D', dayOf(from));
    const rolledUp = days.flatMap((item) => partsOf(item, timeOf(item), bucketMs.hour));
    const known = new Set(rolledUp.map(({ time }) => time));
    const others = hours
      .map((item) => total(partsOf(item, timeOf(item), bucketMs.minute), timeOf(item)))
      .filter(({ time }) => !known.has(time));
    return [...rolledUp, ...others].filter(isWanted).sort((a, b) => a.time - b.time);
  }

  /** Done twice, or by two at once, it comes to the same. */
  async #rollUp(taskId: string, before: Instant): Promise<void> {
    const hours = await this.#items(taskId, 'H', 0);
    for (const item of hours.filter((each) => timeOf(each) < before && each.ttl === undefined)) {
      const hour = timeOf(item);
      const day = dayOf(hour);
      const { success, failed, noAnswer } = total(partsOf(item, hour, bucketMs.minute), hour);
      const at = (hour - day) / bucketMs.hour;
      await this.#update(keys.timelineDay(taskId, day), {
        UpdateExpression: 'SET #s = :s, #f = :f, #n = :n',
        ExpressionAttributeNames: { '#s': `p${at}s`, '#f': `p${at}f`, '#n': `p${at}n` },
        ExpressionAttributeValues: { ':s': success, ':f': failed, ':n': noAnswer },
      });
      await this.#update(keys.timelineHour(taskId, hour), {
        UpdateExpression: 'SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':ttl': (hour + dayMs) / secondMs },
      });
    }
  }

  /** Others writing the same hour are waited for. */
  async #update(key: Key, update: Update): Promise<Item> {
    return (await unlessLost(() => this.#database.update(key, update))) as Item;
  }

  #items(taskId: string, kind: 'H' | 'D', from: Instant): Promise<Item[]> {
    return this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': keys.timeline(taskId),
        ':from': `${kind}#${timeKey(from)}`,
        ':to': `${kind}#~`,
      },
    });
  }
}
