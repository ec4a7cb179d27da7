import { backoff } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { additionOf, onlyIf, type Update } from '../platform/table/expressions.ts';
import { keys } from '../platform/table/keys.ts';
import { unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import {
  channelEnd,
  isWideRate,
  minuteEnd,
  type PaceLimits,
  type Room,
  roomFor,
  secondOf,
} from '../tasks/rules/limits.ts';
import { countName, expiryOf, namesBefore, type PaceReading, readPace, withTaken } from './pace-items.ts';

/** The calls of a task, or of the service, that limits apply to. */
export type Paced = {
  /** The partition of the counts. */
  pace: string;
  limits: PaceLimits;
  /** From when on every call is counted. Limits that were removed and set again change it. */
  since: Instant;
  /** The calls in progress by the time at which their channels are free, for a beginning. */
  inProgress: (now: Instant) => Promise<ReadonlyMap<Instant, number>>;
};

/** When the lease request is made, and until when it leases contacts. */
export type LeaseTimes = { now: Instant; until: Instant };

/** How often a request tries to take channels if other requests take some at the same moment. */
const triesAtMost = 8;
/** Clocks differ by less, so a time that is over for one process may count for another. */
const clockErrorMs = 5000;
const shortestWaitMs = 1000;

const noRoom = (now: Instant): Room => ({ calls: 0, nextTime: now + shortestWaitMs });

/** How many more calls may begin, for a reader that takes no channel. */
export const readRoom = async (
  database: Database,
  { pace, limits, since }: Omit<Paced, 'inProgress'>,
  now: Instant,
): Promise<Room> => {
  const { item, counts } = await readPace(database, pace, now);
  const isCounted = item?.since === since;
  return roomFor(limits, isCounted ? counts : { taken: new Map(), freed: new Map(), begun: new Map() }, now);
};

/**
 * What one lease request may hand out under the limits of a task, or of the service. Channels are
 * taken before the contacts are leased. If the process dies in between, they are free by themselves
 * when the leases would have ended.
 *
 * `total` of the item grows with each channel that is taken. If it has grown by less than the room
 * that was read, there is still room, because calls that ended meanwhile only make more. So
 * requests conflict only if they would exceed the limit.
 */
export class PaceLimit {
  readonly #database: Database;
  readonly #paced: Paced;
  readonly #times: LeaseTimes;
  #reading: PaceReading | undefined;
  room: Room;

  constructor(database: Database, paced: Paced, times: LeaseTimes) {
    this.#database = database;
    this.#paced = paced;
    this.#times = times;
    this.room = noRoom(times.now);
  }

  /** When the channels that this request takes are free by themselves. */
  get end(): Instant {
    return channelEnd(this.#times.until, this.#times.now);
  }

  /** When calls were last leased under the limits. */
  get lastTime(): Instant {
    return Number(this.#reading?.item?.at ?? 0);
  }

  /**
   * So many calls begin that freed channels are counted under several keys. Every lease that is
   * given now notes it.
   */
  get isWide(): boolean {
    return this.#reading?.item?.isWide === true;
  }

  async read(): Promise<this> {
    const { pace, since } = this.#paced;
    const { now } = this.#times;
    let reading = await readPace(this.#database, pace, now);
    const known = reading.item?.since as Instant | undefined;
    if (known === undefined || known < since) {
      await this.#start();
      reading = await readPace(this.#database, pace, now);
    }
    this.#adopt(reading);
    return this;
  }

  /**
   * Takes channels for `wanted` calls, or for as many as there is room for.
   * @returns their number
   */
  async take(wanted: number): Promise<number> {
    for (let tries = 1; tries <= triesAtMost; tries++) {
      const count = Math.min(wanted, this.room.calls);
      if (count <= 0) return 0;
      const key = keys.taken(this.#paced.pace);
      const item = await unlessLost(() => this.#database.update(key, this.#takingOf(count)));
      if (item !== undefined) {
        this.#adopt(withTaken(this.#reading!, item));
        return count;
      }
      if (tries > 1) await backoff(tries);
      await this.read();
    }
    return 0;
  }

  /** Channels that were not used. If the update fails they are free by themselves, but later. */
  async giveBack(count: number): Promise<void> {
    if (count === 0) return;
    const update = onlyIf(additionOf(this.#additions(-count)), {
      ConditionExpression: 'attribute_exists(#end)',
      ExpressionAttributeNames: { '#end': countName('taken', this.end) },
    });
    const key = keys.taken(this.#paced.pace);
    const item = await unlessLost(() => this.#database.updateOnce(key, update)).catch(() => undefined);
    if (item !== undefined) this.#adopt(withTaken(this.#reading!, item));
  }

  /**
   * Without the time of the limits that apply now there is no room, because they were changed after
   * this request read them.
   */
  #adopt(reading: PaceReading): void {
    const { limits, since } = this.#paced;
    const { now } = this.#times;
    this.#reading = reading;
    this.room = reading.item?.since === since ? roomFor(limits, reading.counts, now) : noRoom(now);
  }

  #additions(count: number): [name: string, count: number][] {
    const isTimed = typeof this.#paced.limits.callsPerMinute === 'number';
    return [
      [countName('taken', this.end), count],
      ...(isTimed ? [[countName('begun', secondOf(this.#times.now)), count] as [string, number]] : []),
      ['total', count],
    ];
  }

  #takingOf(count: number): Update {
    const { now } = this.#times;
    const item = this.#reading!.item!;
    const over = [
      ...namesBefore(item, 'taken', now - clockErrorMs),
      ...namesBefore(item, 'begun', now - clockErrorMs - minuteEnd(0)),
    ];
    const taken = (this.#reading!.counts.taken.get(this.end) ?? 0) + count;
    const isWide = this.isWide || isWideRate(taken, this.#times.until, now);
    const set = { at: now, ttl: expiryOf(now), ...(isWide && { isWide }) };
    const update = additionOf(this.#additions(count), set, over);
    return onlyIf(update, {
      ConditionExpression: 'since = :since AND #total <= :most',
      ExpressionAttributeNames: { '#total': 'total' },
      ExpressionAttributeValues: {
        ':since': this.#paced.since,
        ':most': Number(item.total) + this.room.calls - count,
      },
    });
  }

  /**
   * Begins to count with the calls in progress. Channels that were freed before count as taken too,
   * so that they do not make room for others.
   */
  async #start(): Promise<void> {
    const { pace, since, inProgress } = this.#paced;
    const { now } = this.#times;
    const found = await inProgress(now);
    const { freed } = (await readPace(this.#database, pace, now)).counts;
    const ends = new Set([...found.keys(), ...freed.keys()]);
    const taken = [...ends].map((end): [string, number] => [
      countName('taken', end),
      (found.get(end) ?? 0) + (freed.get(end) ?? 0),
    ]);
    const total = taken.reduce((sum, [, count]) => sum + count, 0);
    const item = { ...keys.taken(pace), ...Object.fromEntries(taken), since, total, ttl: expiryOf(now) };
    await unlessLost(() =>
      this.#database.put(item, {
        ConditionExpression: 'attribute_not_exists(since) OR since < :since',
        ExpressionAttributeValues: { ':since': since },
      }),
    );
  }
}
