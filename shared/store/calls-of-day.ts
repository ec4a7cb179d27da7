import { openFrom } from '../domain/schedule.ts';
import { type Instant, timeIn } from '../domain/time.ts';
import type { Database, Update } from './database.ts';
import { keys } from './keys.ts';
import { once, type Trace } from './once.ts';
import { unlessLost } from './optimistic.ts';

const dayMs = 24 * 3600 * 1000;
const secondMs = 1000;

/** Counts the calls to each phone number by the days of one zone, in all tasks. */
export class CallsOfDay {
  readonly #database: Database;
  readonly #zone: string;
  /** Calls to a number in a day; 0: any number. */
  readonly #most: number;
  readonly #wallClock: (instant: Instant) => string;

  constructor(database: Database, zone: string, most: number) {
    this.#database = database;
    this.#zone = zone;
    this.#most = most;
    this.#wallClock = timeIn(zone);
  }

  get areLimited(): boolean {
    return this.#most > 0;
  }

  /** Those of the phone numbers that were called often enough today; it may lag a moment. */
  async spent(numbers: readonly string[], now: Instant): Promise<Set<string>> {
    if (!this.areLimited) return new Set();
    const counts = await this.#database.lagging.batchGet(numbers.map((number) => this.#key(number, now)));
    return new Set(numbers.filter((_, i) => Number(counts[i]?.calls ?? 0) >= this.#most));
  }

  /** Counts the call, once; not when the number was called often enough today. */
  async count(number: string, callId: string, now: Instant): Promise<boolean> {
    if (!this.areLimited) return true;
    const count = (trace: Trace<boolean>) => this.#count(number, now, trace);
    return once(this.#database, `counted#${callId}`, count);
  }

  nextDay(now: Instant): Instant {
    const notToday = { dailyStartTime: '00:00', dailyEndTime: '24:00', excludedDates: [this.#day(now)] };
    return openFrom(notToday, now, this.#zone) ?? now + dayMs;
  }

  async #count(number: string, now: Instant, trace: Trace<boolean>): Promise<boolean> {
    const key = this.#key(number, now);
    const update: Update = {
      UpdateExpression: 'SET #ttl = :ttl ADD calls :one',
      ConditionExpression: 'attribute_not_exists(calls) OR calls < :most',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':one': 1,
        ':most': this.#most,
        ':ttl': Math.ceil((now + 3 * dayMs) / secondMs),
      },
    };
    const also = trace(true);
    const counted = await unlessLost(async () => {
      // A transaction costs twice as much.
      if (also.length === 0) await this.#database.update(key, update);
      else await this.#database.transact([this.#database.updateOf(key, update), ...also]);
      return true;
    });
    return counted ?? false;
  }

  #key = (number: string, now: Instant) => keys.callsOfDay(number, this.#day(now));

  #day = (now: Instant): string => this.#wallClock(now).slice(0, 10);
}
