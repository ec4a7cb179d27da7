import type { DialState } from '../../domain/dial-state.ts';
import type { Database } from '../database.ts';
import { blockOf, blockSize } from '../keys.ts';
import type { Directory } from './directory.ts';
import { liveAmong } from './live-contacts.ts';

/**
 * How many contacts a task has not called yet: all from its cursor on, but for those that a recall took up ahead
 * of it, and those behind it that were `takenUp` only. Deleted ones do not count.
 */
export const countUntouched = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  { cursor, ahead }: Pick<DialState, 'cursor' | 'ahead'>,
  takenUp: readonly number[],
): Promise<number> => {
  const nextBlock = blockOf(cursor) + 1;
  const inBlock = Array.from({ length: nextBlock * blockSize - cursor }, (_, i) => cursor + i);
  const live = await liveAmong(database, dataSourceId, directory, [...takenUp, ...inBlock]);
  return Math.max(0, live.length + directory.liveFrom(nextBlock) - ahead);
};
