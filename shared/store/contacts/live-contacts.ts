import { bytesOfItem, type Directory, liveSlots, phonesOf, readDirectoryOf } from '../directory/index.ts';
import { blockOf, blockSize, type Database, keys, pageOf } from '../table/index.ts';

/** The phone numbers of the sequence numbers that are contacts, read from the phone blocks (128 contacts each). */
export const livePhones = async (
  database: Database,
  dataSourceId: string,
  seqs: readonly number[],
): Promise<Map<number, string>> => {
  const blocks = [...new Set(seqs.map(blockOf))];
  const pages = [...new Set(blocks.map(pageOf))];
  const [directory, items] = await Promise.all([
    readDirectoryOf(database, dataSourceId, pages),
    database.batchGet(blocks.map((block) => keys.block(dataSourceId, block))),
  ]);
  const live = new Map(
    blocks.flatMap((block, i) => {
      const phones = directory.holds(block) ? phonesOf(bytesOfItem(items[i]).bytes) : [];
      return phones.map((phoneNumber, slot) => [block * blockSize + slot, phoneNumber] as const);
    }),
  );
  return new Map(
    seqs.flatMap((seq) => {
      const phoneNumber = live.get(seq);
      return phoneNumber === undefined ? [] : [[seq, phoneNumber] as const];
    }),
  );
};

/** The sequence numbers that are contacts. With the directory at hand, blocks without gaps are not read. */
export const liveAmong = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  seqs: readonly number[],
): Promise<number[]> => {
  const blocks = [...new Set(seqs.map(blockOf))].filter((block) => directory.holds(block));
  const partly = blocks.filter((block) => !directory.isWhole(block));
  const items = await database.batchGet(partly.map((block) => keys.block(dataSourceId, block)));
  const live = new Set(
    partly.flatMap((block, i) =>
      liveSlots(bytesOfItem(items[i]).bytes).map((slot) => block * blockSize + slot),
    ),
  );
  const isOfWhole = (seq: number) => seq < directory.end && directory.isWhole(blockOf(seq));
  return seqs.filter((seq) => isOfWhole(seq) || live.has(seq));
};

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
