import type { Directory } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { blockOf, blockSize } from '../table/index.ts';
import { liveAmong } from './live-contacts.ts';

/** What a task has taken up, by its cursor. */
type TakenUp = {
  cursor: number;
  /** Behind the cursor, but not called yet. */
  untouched: readonly number[];
  /** Taken up by a recall, wherever the cursor was. */
  ahead: readonly number[];
};

/** How many contacts a task has not called yet; deleted ones do not count. */
export const countUntouched = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  { cursor, untouched, ahead }: TakenUp,
): Promise<number> => {
  const nextBlock = blockOf(cursor) + 1;
  // Behind the last contact there is nothing to look for.
  const rest = Math.max(0, Math.min(nextBlock * blockSize, directory.end) - cursor);
  const inBlock = Array.from({ length: rest }, (_, i) => cursor + i);
  const taken = new Set(ahead.filter((seq) => seq >= cursor));
  const live = await liveAmong(database, dataSourceId, directory, [...untouched, ...inBlock, ...taken]);
  const [known, fresh] = [live.filter((seq) => taken.has(seq)), live.filter((seq) => !taken.has(seq))];
  return (
    fresh.length + directory.liveFrom(nextBlock) - known.filter((seq) => blockOf(seq) >= nextBlock).length
  );
};
