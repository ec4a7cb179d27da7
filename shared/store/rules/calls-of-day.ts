import { openFrom } from '../../domain/schedule.ts';
import { dayMs, type Instant, secondMs, timeIn } from '../../domain/time.ts';
import { type Database, keys, unlessLost } from '../table/index.ts';

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

  /** The numbers that had their calls of the day. The answer may lag a moment. */
  async usedUp(numbers: readonly string[], now: Instant): Promise<ReadonlySet<string>> {
    if (!this.areLimited || numbers.length === 0) return new Set();
    const items = await this.#database.lagging.batchGet(numbers.map((number) => this.#key(number, now)));
    const counts = items.map((item) => (item?.names as Set<string> | undefined)?.size ?? 0);
    return new Set(numbers.filter((_, i) => counts[i]! >= this.#limit));
  }

  nextDay(now: Instant): Instant {
    const notToday = { dailyStartTime: '00:00', dailyEndTime: '24:00', excludedDates: [this.#day(now)] };
    return openFrom(notToday, now, this.#zone) ?? now + dayMs;
  }

  #key = (number: string, now: Instant) => keys.callsOfDay(number, this.#day(now));

  #day = (now: Instant): string => this.#wallClock(now).slice(0, 10);
}
