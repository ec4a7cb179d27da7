import { liveSlots } from '../../domain/phone-block.ts';
import type { Database } from '../database.ts';
import { blockOf, blockSize, keys, pageOf } from '../keys.ts';
import { type Directory, readDirectoryOf } from './directory.ts';
import { bytesOfItem } from './versioned-bytes.ts';

/** Which of the sequence numbers belong to a contact: read from the phone blocks, 128 contacts each. */
export const liveSeqs = async (
  database: Database,
  dataSourceId: string,
  seqs: readonly number[],
): Promise<Set<number>> => {
  const blocks = [...new Set(seqs.map(blockOf))];
  const pages = [...new Set(blocks.map(pageOf))];
  const [directory, items] = await Promise.all([
    readDirectoryOf(database, dataSourceId, pages),
    database.batchGet(blocks.map((block) => keys.block(dataSourceId, block))),
  ]);
  const live = new Set(
    blocks.flatMap((block, i) =>
      directory.holds(block)
        ? liveSlots(bytesOfItem(items[i]).bytes).map((slot) => block * blockSize + slot)
        : [],
    ),
  );
  return new Set(seqs.filter((seq) => live.has(seq)));
};

/** As `liveSeqs`, where the directory is known; blocks without gaps need not be read. */
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
