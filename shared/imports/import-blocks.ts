import { contactItem } from '../contacts/contact-items.ts';
import { readContactRange } from '../contacts/contacts-by-seq.ts';
import { readNextSeq } from '../contacts/directory.ts';
import {
  type DirectoryPage,
  openRangeItem,
  readDirectoryPages,
  readOpenRanges,
  whileExists,
} from '../contacts/directory-page.ts';
import { blockOfPhones, phonesOf } from '../contacts/phone-block.ts';
import { type LongestPhones, longerOf } from '../contacts/rules/phone-number.ts';
import { notFound } from '../platform/rules/errors.ts';
import { isBuiltIn } from '../platform/rules/names.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import { keyRange } from '../platform/table/expressions.ts';
import {
  blockOf,
  blockSize,
  chunkOf,
  contactsPerChunk,
  type Item,
  type Key,
  keys,
  pageOf,
  seqsPerPage,
} from '../platform/table/keys.ts';
import { unlessLost } from '../platform/table/optimistic.ts';
import type { Instant } from '../platform/time/time.ts';
import type { ContactImport, ImportRow, Reservation } from './rules/contact-import.ts';
import { removePlans, rowsPerPlan } from './run/import-phones.ts';

/**
 * The blocks of an import. Whole blocks are reserved for its rows, the rows are written into them,
 * and one transaction over the directory shows all of them at once.
 */

/** Rows in the order of their sequence numbers; `undefined` if a row became no new contact. */
type AddedRows = readonly (ImportRow | undefined)[];

type Steps = Record<string, TransactItem>;

type BlockRequest = {
  dataSourceId: string;
  importId: string;
  blocks: number;
  /** The longest phone numbers of the rows. */
  longest: LongestPhones;
  /** No other import may run at the same time. */
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
 * Whole blocks behind all that were given out, and the steps of the transaction that reserves them.
 * No other writer changes reserved blocks. The open range makes dialing wait before them until the
 * commit.
 * @throws Lost, also while another import runs that excludes this one
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
  // Read after the pages. An import that reserves from now on writes one of them, and this
  // transaction fails.
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

/**
 * Writes contacts and phone blocks of rows from the beginning of a block on. The directory does not
 * count them yet.
 */
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

/** How many new contacts the blocks have, from the beginning of a block on. */
export const liveBlocks = (rows: AddedRows, firstSeq: number): LiveBlock[] =>
  inBlocks(rows)
    .map((block, at) => [blockOf(firstSeq) + at, block.filter((row) => row !== undefined).length] as const)
    .filter(([, live]) => live > 0);

/**
 * The steps that show the rows, all at once, and close their range.
 * @throws ServiceError notFound (data source)
 */
export const revealBlocks = async (
  database: Database,
  dataSourceId: string,
  lives: readonly LiveBlock[],
  { firstSeq, time }: Reservation,
): Promise<Steps> => {
  const touched = [...new Set(lives.map(([block]) => pageOf(block)))];
  const steps = stepsOf(await readDirectoryPages(database, dataSourceId, touched), (page) => {
    // The reservation has written every page of its rows, so the data source was deleted.
    if (page.isNew) throw notFound('data source');
    return page.changed({ time, lives: lives.filter(([block]) => pageOf(block) === page.number) });
  });
  return { ...steps, openRange: database.deleteOf(keys.openRange(dataSourceId, firstSeq)) };
};

/**
 * What an unfinished import has left in the table, found without its file: guards with its id, and
 * contacts and blocks in its reserved range. The plans of the import list the phone numbers that it
 * may have claimed.
 */

const deletesAtOnce = 16;
/** Rows that are removed together. A rollback must not hold a million of them in memory. */
const rowsPerSlice = 8 * rowsPerPlan;

const readPlannedPhones = async (
  database: Database,
  { dataSourceId, importId }: ContactImport,
  { firstSeq, blocks }: Reservation,
) => {
  const { pk, sk } = keys.importPlan(dataSourceId, importId, firstSeq);
  const last = keys.importPlan(dataSourceId, importId, firstSeq + blocks * blockSize - 1).sk;
  const plans = await database.queryAll(keyRange(pk, sk, last));
  return plans.flatMap(({ bytes }) => phonesOf(bytes as Uint8Array).filter((phone) => phone !== undefined));
};

/** The hidden contacts in the reserved range, read chunk by chunk. */
const readHidden = async (database: Database, dataSourceId: string, { firstSeq, blocks }: Reservation) => {
  const end = firstSeq + blocks * blockSize;
  const hidden = [];
  for (let from = firstSeq; from < end; ) {
    const to = Math.min(end, (chunkOf(from) + 1) * contactsPerChunk);
    hidden.push(...(await readContactRange(database, dataSourceId, from, to - 1)));
    from = to;
  }
  return hidden;
};

/**
 * Phone numbers of the contacts that the import has updated. Each contact stores the last import
 * that changed it.
 */
const readUpdated = async (
  database: Database,
  { dataSourceId, importId, options }: ContactImport,
  guards: readonly Item[],
): Promise<string[]> => {
  if (options?.onDuplicate !== 'update') return [];
  const contacts = await database.batchGet(
    guards.map(({ seq }) => keys.contact(dataSourceId, seq as number)),
  );
  return contacts.flatMap((item) => (item?.importId === importId ? [item.phone as string] : []));
};

/** The first rows of a reserved range, and the rest of it. */
const slicesOf = ({ firstSeq, blocks, time }: Reservation): Reservation[] => {
  const size = rowsPerSlice / blockSize;
  return Array.from({ length: Math.ceil(blocks / size) }, (_, at) => ({
    firstSeq: firstSeq + at * rowsPerSlice,
    blocks: Math.min(size, blocks - at * size),
    time,
  }));
};

/**
 * Removes the guards, contacts and blocks of an import that the caller has claimed and that is
 * never resumed. May be repeated after a crash.
 * @returns the phone numbers of contacts that the import has updated, because updates stay;
 *   undefined if the time was up before everything was removed
 */
export const removeRows = async (
  database: Database,
  abandoned: ContactImport,
  reservation: Reservation,
  isTimeUp: () => boolean = () => false,
): Promise<string[] | undefined> => {
  const updated: string[] = [];
  for (const slice of slicesOf(reservation)) {
    if (isTimeUp()) return undefined;
    updated.push(...(await removeSlice(database, abandoned, slice)));
    // The next run skips this slice, and does not look for its numbers. Those of updated contacts
    // are still needed.
    if (abandoned.options?.onDuplicate !== 'update') await removePlans(database, abandoned, slice);
  }
  return updated;
};

const removeSlice = async (
  database: Database,
  abandoned: ContactImport,
  reservation: Reservation,
): Promise<string[]> => {
  const { dataSourceId, importId } = abandoned;
  const hidden = await readHidden(database, dataSourceId, reservation);
  const planned = await readPlannedPhones(database, abandoned, reservation);
  const phones = [...new Set([...planned, ...hidden.map(({ phoneNumber }) => phoneNumber)])];
  const guards = (await database.batchGet(phones.map((phone) => keys.phone(dataSourceId, phone)))).filter(
    (guard) => guard !== undefined,
  );
  const isOwn = {
    ConditionExpression: 'importId = :importId',
    ExpressionAttributeValues: { ':importId': importId },
  };
  const own = guards.filter((guard) => guard.importId === importId);
  await concurrently(own, deletesAtOnce, ({ pk, sk }) =>
    unlessLost(() => database.delete({ pk, sk }, isOwn)),
  );
  const firstBlock = blockOf(reservation.firstSeq);
  const hiddenKeys: Key[] = [
    ...hidden.map(({ seq }) => keys.contact(dataSourceId, seq)),
    ...Array.from({ length: reservation.blocks }, (_, at) => keys.block(dataSourceId, firstBlock + at)),
  ];
  await concurrently(hiddenKeys, deletesAtOnce, (key) => database.delete(key));
  return readUpdated(
    database,
    abandoned,
    guards.filter((guard) => guard.importId !== importId),
  );
};
