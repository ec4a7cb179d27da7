/**
 * How often each phone number was called, over all tasks and in all its spellings: one item for a
 * number.
 *
 * A lease adds its call before the call is handed out, on the version that was read. So if two
 * requests lease contacts with one number, the second sees the call of the first, and no limit is
 * exceeded. A lease that expires stays counted. A call that its dialer gives back does not. A
 * result adds the rest that follows from it before the result itself is counted.
 *
 * Calls are counted while some limit applies: a limit of the service, or of a task that has leased
 * calls in the last month. The item `counting` says since when. If a number has no item, or one
 * from an earlier time of counting, its calls are read from their records, once. If no task had
 * called before, that costs nothing.
 *
 * If a process dies after it added a call, the lease expires and stays counted. If it dies after it
 * added a rest, the result is reported again.
 */

import { isDeepStrictEqual } from 'node:util';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { ifUnchanged } from '../platform/table/expressions.ts';
import { type Item, keys } from '../platform/table/keys.ts';
import { optimistic, tryWrite } from '../platform/table/optimistic.ts';
import { dayMs, type Instant, minuteMs, secondMs } from '../platform/time/time.ts';
import type { Callers, EarlierCalls } from './earlier-calls.ts';
import {
  type EndedNumberCall,
  hasCall,
  joined,
  type NumberCall,
  type NumberHistory,
  withCall,
  withoutCall,
  withResult,
} from './rules/number-limits.ts';
import type { Hold } from './rules/waits.ts';

/** Since when calls are counted. Ends when no task with a limit leases calls any more. */
type Counting = { since: Instant; until: Instant };

/** `version` of the stored item; `undefined` if there is none. */
export type ReadHistory = NumberHistory & { version: number | undefined };

type Dependencies = { database: Database; earlier: EarlierCalls };

const countingMs = 30 * dayMs;
/** Counting is extended when less than this is left of it. */
const renewMs = 15 * dayMs;
/** No call counts for longer. */
const callsKeptMs = 31 * dayMs;
/** No rest lasts longer. */
const restKeptMs = 368 * dayMs;
/**
 * Calls that were in progress when counting began have ended by then. Their results have counted
 * them.
 */
const inProgressMs = dayMs;
const readsAtOnce = 8;
const base = 36;

const packed = ({ id, time }: NumberCall): string => `${id} ${time.toString(base)}`;
const unpacked = (text: string): NumberCall => {
  const [id = '', time = ''] = text.split(' ');
  return { id, time: Number.parseInt(time, base) };
};

const historyOf = (item: Item | undefined): NumberHistory => ({
  calls: ((item?.calls ?? []) as string[]).map(unpacked),
  reachedTime: Number(item?.reached ?? 0),
  restUntil: Number(item?.rest ?? 0),
});

const countingOf = (item: Item | undefined): Counting | undefined =>
  item && { since: item.since as Instant, until: item.until as Instant };

const itemOfCallers = ({ called, sources }: Callers) => ({
  called: called.map(({ id, dataSourceId }) => `${id} ${dataSourceId}`),
  sources,
});
const callersOf = (item: Item): Callers => ({
  called: (item.called as string[]).map((text) => {
    const [id = '', dataSourceId = ''] = text.split(' ');
    return { id, dataSourceId };
  }),
  sources: item.sources as string[],
});

const lastsUntil = ({ calls, reachedTime, restUntil }: NumberHistory, now: Instant): Instant => {
  const kept = [(calls.at(-1)?.time ?? now) + callsKeptMs, restUntil + dayMs];
  return Math.max(...kept, reachedTime > 0 ? reachedTime + restKeptMs : 0);
};

export class NumberCalls {
  readonly #deps: Dependencies;
  #counting: Counting | undefined;
  /** The tasks that may have called before counting began, at `since`. */
  #before: { since: Instant; callers: Promise<Callers> } | undefined;
  /** What was last read of whether calls are counted. */
  #look: { at: Instant; found: Promise<Counting | undefined> } | undefined;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Whether calls are counted now. */
  async isCounting(now: Instant): Promise<boolean> {
    return (await this.#countingAt(now)) !== undefined;
  }

  /** Counts calls from now on, if not yet. Called before a task with a limit leases calls. */
  async begin(now: Instant): Promise<void> {
    const { database, earlier } = this.#deps;
    const known = await this.#countingAt(now);
    if (known !== undefined && known.until > now + renewMs) return;
    const stored = countingOf(await database.get(keys.counting));
    const isLive = stored !== undefined && stored.until > now;
    if (!isLive) {
      const callers = await earlier.callersBefore(now);
      await tryWrite(() => database.put({ ...keys.calledBefore, ...itemOfCallers(callers) }));
    }
    // If two processes begin at the same time, the later one counts. Calls that the earlier one has
    // counted stay.
    await this.#count({
      since: isLive ? stored.since : now,
      until: Math.max(now + countingMs, stored?.until ?? 0),
    });
  }

  /** Several questions of one moment cost one read. */
  async #countingAt(now: Instant): Promise<Counting | undefined> {
    const isLive = (counting: Counting | undefined) => counting !== undefined && counting.until > now;
    if (isLive(this.#counting)) return this.#counting;
    if (this.#look?.at !== now) this.#look = { at: now, found: this.#readCounting() };
    const found = await this.#look.found;
    // Calls may be counted since the read began.
    if (!isLive(this.#counting)) this.#counting = found;
    return isLive(this.#counting) ? this.#counting : undefined;
  }

  async #readCounting(): Promise<Counting | undefined> {
    try {
      return countingOf(await this.#deps.database.lagging.get(keys.counting));
    } catch (error) {
      this.#look = undefined;
      throw error;
    }
  }

  /** Before counting has begun, each of them may have called. */
  #callersBefore(since: Instant | undefined, now: Instant): Promise<Callers> {
    const { database, earlier } = this.#deps;
    const asOf = since ?? Math.floor(now / minuteMs) * minuteMs;
    if (this.#before?.since === asOf) return this.#before.callers;
    const read = async () => {
      const item = since === undefined ? undefined : await database.get(keys.calledBefore);
      return item === undefined ? earlier.callersBefore(now) : callersOf(item);
    };
    const callers = read();
    this.#before = { since: asOf, callers };
    // A read that failed is made again by the next request.
    callers.catch(() => {
      if (this.#before?.callers === callers) this.#before = undefined;
    });
    return callers;
  }

  /** In the order of the numbers. The write that adds a call finds out what lagged. */
  async read(numbers: readonly string[], now: Instant, mayLag = false): Promise<ReadHistory[]> {
    const database = mayLag ? this.#deps.database.lagging : this.#deps.database;
    const [counting, items] = await Promise.all([
      this.#countingAt(now),
      database.batchGet(numbers.map(keys.numberCalls)),
    ]);
    return concurrently([...numbers.keys()], readsAtOnce, async (at) => {
      const item = items[at];
      const stored = { ...historyOf(item), version: item?.v as number | undefined };
      if (counting !== undefined && item?.since === counting.since) return stored;
      const before = await this.#callersBefore(counting?.since, now);
      const sources = counting && now > counting.since + inProgressMs ? [] : before.sources;
      if (before.called.length === 0 && sources.length === 0) return stored;
      const earlier = await this.#deps.earlier.of(numbers[at]!, { ...before, sources }, now);
      return { ...joined(stored, earlier, now), version: stored.version };
    });
  }

  /**
   * Adds a call, unless a limit holds the number back. A call that was added before stays.
   * @returns what holds the number back; empty if the call may be made
   */
  async add(
    number: string,
    call: NumberCall,
    holdsOf: (history: NumberHistory) => Hold[],
    now: Instant,
    first?: ReadHistory,
  ): Promise<Hold[]> {
    let known = first;
    return optimistic(async () => {
      const history = known ?? (await this.#readOne(number, now));
      known = undefined;
      if (hasCall(history, call.id)) return [];
      const holds = holdsOf(history);
      if (holds.length === 0) await this.#write(number, withCall(history, call, now), history.version, now);
      return holds;
    });
  }

  /** The call was not made after all. */
  async remove(number: string, id: string, now: Instant): Promise<void> {
    if (!(await this.isCounting(now))) return;
    await this.#change(number, (history) => withoutCall(history, id), now);
  }

  /** A call has ended. The number may have to rest. */
  async end(number: string, call: EndedNumberCall, now: Instant): Promise<void> {
    const { restUntil } = await this.#change(number, (history) => withResult(history, call, now), now);
    // Tasks without a limit know of the rest only while calls are counted.
    const counting = await this.#countingAt(now);
    if (counting !== undefined && counting.until < restUntil)
      await this.#count({ ...counting, until: restUntil + countingMs });
  }

  async #count(counting: Counting): Promise<void> {
    await tryWrite(() => this.#deps.database.put({ ...keys.counting, ...counting }));
    this.#counting = counting;
  }

  async #change(
    number: string,
    change: (history: NumberHistory) => NumberHistory,
    now: Instant,
  ): Promise<NumberHistory> {
    return optimistic(async () => {
      const { version, ...history } = await this.#readOne(number, now);
      const after = change(history);
      if (!isDeepStrictEqual(after, history)) await this.#write(number, after, version, now);
      return after;
    });
  }

  async #readOne(number: string, now: Instant): Promise<ReadHistory> {
    const [history] = await this.read([number], now);
    return history!;
  }

  async #write(
    number: string,
    history: NumberHistory,
    version: number | undefined,
    now: Instant,
  ): Promise<void> {
    const counting = await this.#countingAt(now);
    const { calls, reachedTime, restUntil } = history;
    const item = {
      ...keys.numberCalls(number),
      since: counting?.since,
      calls: calls.map(packed),
      ...(reachedTime > 0 && { reached: reachedTime }),
      ...(restUntil > 0 && { rest: restUntil }),
      ttl: Math.ceil(lastsUntil(history, now) / secondMs),
      v: (version ?? 0) + 1,
    };
    await this.#deps.database.put(item, ifUnchanged(version));
  }
}
