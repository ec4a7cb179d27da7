import type { Reservation } from '../../domain/contact-import.ts';
import { withCounts } from '../../domain/live-counts.ts';
import { nextInPage, readNextSeq } from '../contacts/directory.ts';
import { bytesOfItem, nextVersion } from '../contacts/versioned-bytes.ts';
import type { Database, TransactItem } from '../database.ts';
import { blockOf, blockSize, blocksPerPage, keys, pageOf, seqsPerPage } from '../keys.ts';
import { Lost } from '../optimistic.ts';
import { liveOfBlocks, type PlacedRows } from './import-rows.ts';

type Steps = Record<string, TransactItem>;

const alignedUp = (seq: number) => Math.ceil(seq / blockSize) * blockSize;
const pagesBetween = (firstSeq: number, lastSeq: number) => {
  const first = pageOf(blockOf(firstSeq));
  return Array.from({ length: pageOf(blockOf(lastSeq)) - first + 1 }, (_, i) => first + i);
};

const readPages = async (database: Database, dataSourceId: string, pages: readonly number[]) => {
  const pageKeys = pages.map((page) => keys.directoryPage(dataSourceId, page));
  const items = await database.batchGet(pageKeys);
  return pages.map((page, i) => ({ page, key: pageKeys[i]!, item: items[i] }));
};

/**
 * Gives out the next `blocks` whole blocks, and the steps that make it so: no other writer touches them
 * before the commit, and the open range keeps dialing in front of them. @throws Lost
 */
export const reserveBlocks = async (
  database: Database,
  dataSourceId: string,
  importId: string,
  blocks: number,
): Promise<{ firstSeq: number; steps: Steps }> => {
  const given = await readNextSeq(database, dataSourceId);
  const firstSeq = alignedUp(given);
  const endSeq = firstSeq + blocks * blockSize;
  const pages = await readPages(database, dataSourceId, pagesBetween(given, endSeq - 1));
  const steps = pages.map(({ page, key, item }): [string, TransactItem] => {
    if (nextInPage(item) !== Math.max(0, given - page * seqsPerPage)) throw new Lost();
    const read = bytesOfItem(item);
    const next = Math.min(seqsPerPage, endSeq - page * seqsPerPage);
    return [`directory${page}`, database.putOf(...nextVersion(key, read, read.bytes, { next }))];
  });
  const openRange = database.putOf({ ...keys.openRange(dataSourceId, firstSeq), importId, endSeq });
  return { firstSeq, steps: { ...Object.fromEntries(steps), openRange } };
};

/** The steps that make the rows visible, all at once, and close their range. */
export const revealBlocks = async (
  database: Database,
  dataSourceId: string,
  placed: PlacedRows,
  reservation: Reservation,
): Promise<Steps> => {
  if (reservation.blocks === 0) return {};
  const firstBlock = blockOf(reservation.firstSeq);
  const lives = liveOfBlocks(placed, reservation)
    .map((live, at) => ({ live, block: firstBlock + at }))
    .filter(({ live }) => live > 0);
  const touched = [...new Set(lives.map(({ block }) => pageOf(block)))];
  const steps = (await readPages(database, dataSourceId, touched)).map(
    ({ page, key, item }): [string, TransactItem] => {
      const read = bytesOfItem(item);
      const bytes = withCounts(
        read.bytes,
        lives
          .filter(({ block }) => pageOf(block) === page)
          .map(({ live, block }) => [block % blocksPerPage, live]),
      );
      const next = nextInPage(item);
      return [`directory${page}`, database.putOf(...nextVersion(key, read, bytes, { next }))];
    },
  );
  const openRange = database.deleteOf(keys.openRange(dataSourceId, reservation.firstSeq));
  return { ...Object.fromEntries(steps), openRange };
};
