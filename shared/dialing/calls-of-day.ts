import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { unlessLost } from '../platform/table/optimistic.ts';
import { nextDayFrom } from '../platform/time/schedule.ts';
import { dayMs, type Instant, secondMs } from '../platform/time/time.ts';
import { timeIn } from '../platform/time/zones.ts';
import type { Hold } from './rules/waits.ts';

/** `mayLag`: the answer may be a moment old. `released`: a call that does not count. */
export type CountOptions = { mayLag?: boolean; released?: string | undefined };

/**
 * Counts the calls to each phone number by the days of one zone, over all tasks. Each call counts once under its id,
 * however often it is counted.
 */
export class CallsOfDay {
  readonly #database: Database;
  readonly #zone: string;
  /** Calls to a number in a day; 0: no limit, and nothing is counted. */
  readonly #limit: number;
  readonly #wallClock: (instant: Instant) => string;

  constructor(database: Database, zone: string, limit: number) {
    this.#database = database;
    this.#zone = zone;
    this.#limit = limit;
    this.#wallClock = timeIn(zone);
  }

  get areLimited(): boolean {
    return this.#limit > 0;
  }

  /** Whether the number may get this call today. */
  async count(number: string, callId: string, now: Instant): Promise<boolean> {
    if (!this.areLimited) return true;
    const counted = await unlessLost(() =>
      this.#database.update(this.#key(number, now), {
        UpdateExpression: 'SET #ttl = :ttl ADD #names :call',
        ConditionExpression:
          'attribute_not_exists(#names) OR size(#names) < :limit OR contains(#names, :name)',
        ExpressionAttributeNames: { '#ttl': 'ttl', '#names': 'names' },
        ExpressionAttributeValues: {
          ':call': new Set([callId]),
          ':name': callId,
          ':limit': this.#limit,
          ':ttl': Math.ceil((now + 3 * dayMs) / secondMs),
        },
      }),
    );
    return counted !== undefined;
  }

  /** The call was not made after all. */
  async uncount(number: string, callId: string, now: Instant): Promise<void> {
    await unlessLost(() =>
      this.#database.update(this.#key(number, now), {
        UpdateExpression: 'DELETE #names :call',
        ConditionExpression: 'contains(#names, :name)',
        ExpressionAttributeNames: { '#names': 'names' },
        ExpressionAttributeValues: { ':call': new Set([callId]), ':name': callId },
      }),
    );
  }

  /** What holds numbers back that had their calls of the day; the others are missing. */
  async holds(
    numbers: readonly string[],
    now: Instant,
    { mayLag = false, released }: CountOptions = {},
  ): Promise<ReadonlyMap<string, Hold[]>> {
    if (!this.areLimited || numbers.length === 0) return new Map();
    const database = mayLag ? this.#database.lagging : this.#database;
    const items = await database.batchGet(numbers.map((number) => this.#key(number, now)));
    const counts = items.map((item) => {
      const calls = (item?.names as Set<string> | undefined) ?? new Set();
      return calls.size - (released !== undefined && calls.has(released) ? 1 : 0);
    });
    const usedUp = numbers.filter((_, i) => counts[i]! >= this.#limit);
    return new Map(usedUp.map((number) => [number, [this.holdAt(now)]]));
  }

  /** What holds back a number that has had its calls of the day. */
  holdAt(now: Instant): Hold {
    return { reason: 'DAILY_LIMIT', until: nextDayFrom(now, this.#zone) };
  }

  #key = (number: string, now: Instant) => keys.callsOfDay(number, this.#wallClock(now).slice(0, 10));
}
