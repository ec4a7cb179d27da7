import type { Database } from '../platform/table/database.ts';
import { additionOf, keyRange } from '../platform/table/expressions.ts';
import { freedParts, type Item, keys } from '../platform/table/keys.ts';
import { unlessLost } from '../platform/table/optimistic.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import type { PaceCounts } from '../tasks/rules/limits.ts';

const base = 36;
/** The period of channels that are counted in one item of freed channels. */
const periodMs = 600 * secondMs;
/** Plain additions never conflict, but one item takes only about a thousand of them in a second. */
const shards = 8;

type CountKind = 'taken' | 'freed' | 'begun';
const prefixes: Record<CountKind, string> = { taken: 't', freed: 'f', begun: 'b' };

/** The attribute that counts calls by this second. */
export const countName = (count: CountKind, second: Instant): string =>
  `${prefixes[count]}${(second / secondMs).toString(base)}`;

const pattern = /^[tfb][0-9a-z]{6,}$/;
const timeOf = (name: string): Instant => Number.parseInt(name.slice(1), base) * secondMs;

/** The counts of a kind in some items, by their time. */
const countsIn = (items: readonly Item[], count: CountKind): Map<Instant, number> => {
  const sums = new Map<Instant, number>();
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      if (!name.startsWith(prefixes[count]) || !pattern.test(name)) continue;
      sums.set(timeOf(name), (sums.get(timeOf(name)) ?? 0) + (value as number));
    }
  }
  return sums;
};

/** The attributes that count calls of a kind by a second before `time`. */
export const namesBefore = (item: Item, count: CountKind, time: Instant): string[] =>
  [...countsIn([item], count).keys()].filter((each) => each < time).map((each) => countName(count, each));

/** The sums of the items of one pace. */
export const paceCountsOf = (items: readonly Item[]): PaceCounts => ({
  taken: countsIn(items, 'taken'),
  freed: countsIn(items, 'freed'),
  begun: countsIn(items, 'begun'),
});

export type PaceReading = { counts: PaceCounts; item: Item | undefined };

/**
 * The freed channels sort before the taken ones, so they are read first. A call that begins and
 * ends during the reading is counted as taken only. So the reading never shows more room than there
 * is.
 */
export const readPace = async (database: Database, pace: string, now: Instant): Promise<PaceReading> => {
  const { sk } = keys.taken(pace);
  const from = keys.freedFrom(periodOf(now));
  const items = await database.queryAll(keyRange(pace, from, sk));
  const item = items.find((each) => each.sk === sk);
  if (!item?.isWide) return { counts: paceCountsOf(items), item };
  const parts = Array.from({ length: freedParts }, (_, part) => keys.wideFreedPart(pace, part));
  const wide = await Promise.all(
    parts.map((pk) =>
      database.queryAll({
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: { ':pk': pk, ':from': from },
      }),
    ),
  );
  const freed = [...items.filter((each) => each !== item), ...wide.flat()];
  const [taken] = await database.queryAll(keyRange(pace, sk, sk));
  return { counts: paceCountsOf(taken === undefined ? freed : [...freed, taken]), item: taken };
};

/** The reading with the channels that were taken since. */
export const withTaken = ({ counts: { freed } }: PaceReading, item: Item): PaceReading => ({
  item,
  counts: { ...paceCountsOf([item]), freed },
});

const periodOf = (end: Instant) => Math.floor(end / periodMs);

const freedKey = (pace: string, end: Instant, seq: number, isWide: boolean) =>
  isWide
    ? keys.wideFreed(pace, periodOf(end), seq % freedParts)
    : keys.freed(pace, periodOf(end), seq % shards);

const keptMs = 2 * 24 * 3600 * secondMs;

/** Epoch seconds. No lease lasts that long. */
export const expiryOf = (now: Instant): number => Math.ceil((now + keptMs) / secondMs);

export type Channel = {
  /** The partition of the counts. */
  pace: string;
  /** When the channel is free by itself. */
  end: Instant;
  /** Freed channels are counted under several keys. */
  isWide: boolean;
};

/**
 * The call has ended. It is counted at most once: a channel that is not freed is free by itself,
 * but a channel that is freed twice would make room for two calls. `seq` makes results of different
 * contacts write different items.
 */
export const freeChannel = async (
  database: Database,
  { pace, end, isWide }: Channel,
  seq: number,
  now: Instant,
): Promise<void> => {
  if (end <= now) return;
  const update = additionOf([[countName('freed', end), 1]], { ttl: expiryOf(now) });
  await unlessLost(() => database.updateOnce(freedKey(pace, end, seq, isWide), update)).catch(
    () => undefined,
  );
};

/** The lease lasts longer, so its channel is free later. The number of channels stays the same. */
export const moveChannel = async (
  database: Database,
  { pace, end }: Omit<Channel, 'isWide'>,
  until: Instant,
  now: Instant,
): Promise<void> => {
  const moved = [
    [countName('taken', end), -1],
    [countName('taken', until), 1],
  ] as const;
  // Counts that did not exist have no beginning, so they do not count.
  await database.updateOnce(keys.taken(pace), additionOf(moved, { ttl: expiryOf(now) }));
};
