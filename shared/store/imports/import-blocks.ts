import { withLongest } from '../../domain/contacts/phone-number.ts';
import type { ImportRow, Reservation } from '../../domain/imports/contact-import.ts';
import {
  type DirectoryPage,
  openRangeItem,
  readDirectoryPages,
  readNextSeq,
  readOpenRanges,
} from '../directory/index.ts';
import type { Database, TransactItem } from '../table/index.ts';
import { blockOf, blockSize, keys, Lost, pageOf, seqsPerPage } from '../table/index.ts';
import { liveOfBlocks, type PlacedRows } from './import-rows.ts';

type Steps = Record<string, TransactItem>;
type Reserving = {
  dataSourceId: string;
  importId: string;
  rows: readonly ImportRow[];
  /** No other import may run beside it. */
  isAlone: boolean;
};

const alignedUp = (seq: number) => Math.ceil(seq / blockSize) * blockSize;
const pagesBetween = (firstSeq: number, lastSeq: number) => {
  const first = pageOf(blockOf(firstSeq));
  return Array.from({ length: pageOf(blockOf(lastSeq)) - first + 1 }, (_, i) => first + i);
};
const stepsOf = (pages: readonly DirectoryPage[], write: (page: DirectoryPage) => TransactItem): Steps =>
  Object.fromEntries(pages.map((page) => [`directory${page.number}`, write(page)]));

/**
 * Sets aside whole blocks for the rows, and answers the steps that make it so: no other writer touches
 * them before the commit, and the open range keeps dialing in front of them.
 * @throws Lost also while another import runs that this one may not run beside
 */
export const reserveBlocks = async (
  database: Database,
  { dataSourceId, importId, rows, isAlone }: Reserving,
): Promise<{ firstSeq: number; steps: Steps }> => {
  const given = await readNextSeq(database, dataSourceId);
  const firstSeq = alignedUp(given);
  const endSeq = firstSeq + Math.ceil(rows.length / blockSize) * blockSize;
  const written = pagesBetween(given, endSeq - 1);
  const pages = await readDirectoryPages(database, dataSourceId, [...new Set([0, ...written])]);
  // After the pages: whoever reserves from here on writes one of them, and so undoes us.
  const open = await readOpenRanges(database, dataSourceId);
  if (isAlone ? open.length > 0 : open.some((range) => range.isAlone)) throw new Lost();
  const longest =
    pages[0]?.longest && rows.reduce((known, row) => withLongest(known, row.phoneNumber), pages[0].longest);
  const steps = stepsOf(
    pages.filter((page) => written.includes(page.number) || longest !== page.longest),
    (page) => {
      const before = Math.min(seqsPerPage, Math.max(0, given - page.number * seqsPerPage));
      if (page.given !== before) throw new Lost();
      const after = Math.min(seqsPerPage, endSeq - page.number * seqsPerPage);
      return page.changed({ given: after, longest: page.number === 0 ? longest : undefined });
    },
  );
  const openRange = database.putOf(openRangeItem(dataSourceId, { firstSeq, endSeq, importId, isAlone }));
  return { firstSeq, steps: { ...steps, openRange } };
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
  const lives = liveOfBlocks(placed)
    .map((live, at) => [firstBlock + at, live] as const)
    .filter(([, live]) => live > 0);
  const touched = [...new Set(lives.map(([block]) => pageOf(block)))];
  const steps = stepsOf(await readDirectoryPages(database, dataSourceId, touched), (page) =>
    page.changed({ lives: lives.filter(([block]) => pageOf(block) === page.number) }),
  );
  const openRange = database.deleteOf(keys.openRange(dataSourceId, reservation.firstSeq));
  return { ...steps, openRange };
};
