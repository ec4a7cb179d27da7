import type { Instant } from '../../domain/time.ts';
import { additionOf, type Database, keys, unlessLost } from '../table/index.ts';
import { countName, expiryOf, freedKey } from './pace-items.ts';

export type Channel = {
  /** The partition of the counts. */
  pace: string;
  /** When it is free by itself. */
  end: Instant;
  /** Freed channels are counted under several keys. */
  isWide: boolean;
};

/**
 * The call has ended. Counted at most once: a channel that is not freed is free by itself, a channel that is freed twice
 * would make room for two calls. `seq`: results of different contacts write different items.
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
  // Counts that did not exist have no beginning, so they count for nothing.
  await database.updateOnce(keys.taken(pace), additionOf(moved, { ttl: expiryOf(now) }));
};
