import { isBuiltIn } from '../../domain/contacts/data-source.ts';
import { type LongestPhones, longerOf } from '../../domain/contacts/phone-number.ts';
import { notFound } from '../../domain/errors.ts';
import type { ImportRow, Reservation } from '../../domain/imports/contact-import.ts';
import type { Instant } from '../../domain/time.ts';
import { contactItem } from '../contacts/index.ts';
import {
  blockOfPhones,
  type DirectoryPage,
  openRangeItem,
  readDirectoryPages,
  readNextSeq,
  readOpenRanges,
  whileExists,
} from '../directory/index.ts';
import type { Database, TransactItem } from '../table/index.ts';
import { blockOf, blockSize, keys, Lost, pageOf, seqsPerPage } from '../table/index.ts';

/**
 * The blocks of an import: whole ones are reserved for its rows, the rows are written into them, and one
 * transaction over the directory shows them all at once.
 */

/** Rows in the order of their sequence numbers; `undefined` where the row became no new contact. */
export type AddedRows = readonly (ImportRow | undefined)[];

type Steps = Record<string, TransactItem>;

type BlockRequest = {
  dataSourceId: string;
  importId: string;
  blocks: number;
  /** The longest phone numbers of the rows. */
  longest: LongestPhones;
  /** No other import may run beside it. */
  isAlone: boolean;
  time: Instant;
};

const alignedUp = (seq: number) => Math.ceil(seq / blockSize) * blockSize;

const pagesBetween = (firstSeq: number, lastSeq: number) => {
  const first = pageOf(blockOf(firstSeq));
  return Array.from({ length: pageOf(blockOf(lastSeq)) - first + 1 }, (_, i) => first + i);
};

const stepsOf = (pages: readonly DirectoryPage[], write: (page: DirectoryPage) => TransactItem): Steps =>
  Object.fromEntries(pages.map((page) => [`directory${page.number}`, write(page)]));

/**
 * Whole blocks behind all that were given out, and the steps of the transaction that reserves them. No other
 * writer touches reserved blocks, and the open range makes dialing wait in front of them until the commit.
 * @throws Lost also while another import runs that this import may not run beside
 */
export const reserveBlocks = async (
  database: Database,
  { dataSourceId, importId, blocks, isAlone, time, ...request }: BlockRequest,
): Promise<{ firstSeq: number; steps: Steps }> => {
  const given = await readNextSeq(database, dataSourceId);
  const firstSeq = alignedUp(given);
  const endSeq = firstSeq + blocks * blockSize;
  const written = pagesBetween(given, endSeq - 1);
  const pages = await readDirectoryPages(database, dataSourceId, [...new Set([0, ...written])]);
  if (pages[0]?.isNew && !isBuiltIn(dataSourceId)) throw notFound('data source');
  // Read after the pages: an import that reserves from now on writes one of them, and this transaction fails.
  const open = await readOpenRanges(database, dataSourceId);
  if (isAlone ? open.length > 0 : open.some((range) => range.isAlone)) throw new Lost();
  const longest = pages[0]?.longest && longerOf(pages[0].longest, request.longest);
  const steps = stepsOf(
    pages.filter((page) => written.includes(page.number) || longest !== page.longest),
    (page) => {
      const before = Math.min(seqsPerPage, Math.max(0, given - page.number * seqsPerPage));
      if (page.given !== before) throw new Lost();
      const after = Math.min(seqsPerPage, endSeq - page.number * seqsPerPage);
      return page.changed({ time, given: after, longest: page.number === 0 ? longest : undefined });
    },
  );
  const openRange = database.putOf(openRangeItem(dataSourceId, { firstSeq, endSeq, importId, isAlone }));
  // A step that writes the first page has a condition on it already.
  const mayBeGone = !isBuiltIn(dataSourceId) && steps.directory0 === undefined;
  const exists = mayBeGone && pages.some(({ isNew }) => isNew) && whileExists(database, dataSourceId);
  return { firstSeq, steps: { ...steps, openRange, ...(exists && { exists }) } };
};

const inBlocks = (rows: AddedRows): AddedRows[] =>
  Array.from({ length: Math.ceil(rows.length / blockSize) }, (_, at) =>
    rows.slice(at * blockSize, (at + 1) * blockSize),
  );

/** Writes contacts and phone blocks of rows from the beginning of a block on. The directory does not count them yet. */
export const writeBlocks = async (
  database: Database,
  dataSourceId: string,
  rows: AddedRows,
  { firstSeq, time }: Pick<Reservation, 'firstSeq' | 'time'>,
): Promise<void> => {
  const contacts = rows.flatMap((row, at) =>
    row === undefined ? [] : contactItem(dataSourceId, firstSeq + at, row, time),
  );
  const blocks = inBlocks(rows).flatMap((block, at) => {
    const key = keys.block(dataSourceId, blockOf(firstSeq) + at);
    const bytes = blockOfPhones(block.map((row) => row?.phoneNumber));
    return block.every((row) => row === undefined) ? [] : { ...key, bytes, v: 1 };
  });
  await database.putAll([...contacts, ...blocks]);
};

/** How many contacts a block has. */
export type LiveBlock = readonly [block: number, live: number];

/** The contacts that rows from the beginning of a block on have become. */
export const liveBlocks = (rows: AddedRows, firstSeq: number): LiveBlock[] =>
  inBlocks(rows)
    .map((block, at) => [blockOf(firstSeq) + at, block.filter((row) => row !== undefined).length] as const)
    .filter(([, live]) => live > 0);

/** The steps that show the rows, all at once, and close their range. @throws ServiceError notFound (data source) */
export const revealBlocks = async (
  database: Database,
  dataSourceId: string,
  lives: readonly LiveBlock[],
  { firstSeq, time }: Reservation,
): Promise<Steps> => {
  const touched = [...new Set(lives.map(([block]) => pageOf(block)))];
  const steps = stepsOf(await readDirectoryPages(database, dataSourceId, touched), (page) => {
    // The reservation has written every page of its rows.
    if (page.isNew) throw notFound('data source');
    return page.changed({ time, lives: lives.filter(([block]) => pageOf(block) === page.number) });
  });
  return { ...steps, openRange: database.deleteOf(keys.openRange(dataSourceId, firstSeq)) };
};
