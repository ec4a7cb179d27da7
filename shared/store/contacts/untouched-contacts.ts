import type { Directory } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { blockOf, blockSize } from '../table/index.ts';
import { liveAmong } from './live-contacts.ts';

/** Which contacts a task has taken up. */
type TakenUp = {
  cursor: number;
  /** The cursor has passed them, but they have not been called. */
  untouched: readonly number[];
  /** A recall took them up, wherever the cursor was. */
  ahead: readonly number[];
};

/** The number of contacts that a task has not called yet. Deleted contacts do not count. */
export const countUntouched = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  { cursor, untouched, ahead }: TakenUp,
): Promise<number> => {
  const nextBlock = blockOf(cursor) + 1;
  // There is nothing after the last contact.
  const rest = Math.max(0, Math.min(nextBlock * blockSize, directory.end) - cursor);
  const inBlock = Array.from({ length: rest }, (_, i) => cursor + i);
  const taken = new Set(ahead.filter((seq) => seq >= cursor));
  const live = await liveAmong(database, dataSourceId, directory, [...untouched, ...inBlock, ...taken]);
  const [known, fresh] = [live.filter((seq) => taken.has(seq)), live.filter((seq) => !taken.has(seq))];
  return (
    fresh.length + directory.liveFrom(nextBlock) - known.filter((seq) => blockOf(seq) >= nextBlock).length
  );
};
