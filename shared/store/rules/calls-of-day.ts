import { openFrom } from '../../domain/schedule.ts';
import { type Instant, timeIn } from '../../domain/time.ts';
import type { Database } from '../table/index.ts';
import { type Key, keys, unlessLost } from '../table/index.ts';

const dayMs = 24 * 3600 * 1000;
const secondMs = 1000;
const remembered = 10_000;

/**
 * Counts the calls to each phone number by the days of one zone, in all tasks. Each call bears a name under which it
 * counts once, however often it is told.
 */
export class CallsOfDay {
  readonly #database: Database;
  readonly #zone: string;
  /** Calls to a number in a day; 0: any number. */
  readonly #most: number;
  readonly #wallClock: (instant: Instant) => string;
  /** Numbers that were called often enough on their day, as this process has seen: they are read before a write. */
  readonly #full = new Set<string>();

  constructor(database: Database, zone: string, most: number) {
    this.#database = database;
    this.#zone = zone;
    this.#most = most;
    this.#wallClock = timeIn(zone);
  }

  get areLimited(): boolean {
    return this.#most > 0;
  }

  /** How many more calls the number may get today; `undefined`: not even this one. */
  async count(number: string, call: string, now: Instant): Promise<number | undefined> {
    const key = this.#key(number, now);
    const name = `${key.pk} ${key.sk}`;
    if (this.#full.has(name)) {
      const { names = new Set() } = ((await this.#database.get(key)) ?? {}) as { names?: Set<string> };
      if (names.size >= this.#most && !names.has(call)) return undefined;
    }
    const left = await this.#count(key, call, now);
    // Forgotten, a number costs the write that tells the same.
    if (this.#full.size >= remembered) this.#full.clear();
    if ((left ?? 0) === 0) this.#full.add(name);
    return left;
  }

  async #count(key: Key, call: string, now: Instant): Promise<number | undefined> {
    const item = await unlessLost(() =>
      this.#database.update(key, {
        UpdateExpression: 'SET #ttl = :ttl ADD #names :call',
        ConditionExpression:
          'attribute_not_exists(#names) OR size(#names) < :most OR contains(#names, :name)',
        ExpressionAttributeNames: { '#ttl': 'ttl', '#names': 'names' },
        ExpressionAttributeValues: {
          ':call': new Set([call]),
          ':name': call,
          ':most': this.#most,
          ':ttl': Math.ceil((now + 3 * dayMs) / secondMs),
        },
      }),
    );
    return item && this.#most - (item.names as Set<string>).size;
  }

  /** The call was not made after all. */
  async uncount(number: string, call: string, now: Instant): Promise<void> {
    await unlessLost(() =>
      this.#database.update(this.#key(number, now), {
        UpdateExpression: 'DELETE #names :call',
        ConditionExpression: 'contains(#names, :name)',
        ExpressionAttributeNames: { '#names': 'names' },
        ExpressionAttributeValues: { ':call': new Set([call]), ':name': call },
      }),
    );
  }

  nextDay(now: Instant): Instant {
    const notToday = { dailyStartTime: '00:00', dailyEndTime: '24:00', excludedDates: [this.#day(now)] };
    return openFrom(notToday, now, this.#zone) ?? now + dayMs;
  }

  #key = (number: string, now: Instant) => keys.callsOfDay(number, this.#day(now));

  #day = (now: Instant): string => this.#wallClock(now).slice(0, 10);
}
