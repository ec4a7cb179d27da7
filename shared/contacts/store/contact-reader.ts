import { concurrently, readAhead } from '../../platform/table/concurrency.ts';
import type { Database } from '../../platform/table/database.ts';
import { groupedBy } from '../../platform/table/groups.ts';
import { blockOf, blockSize, chunkOf, keys, pageOf } from '../../platform/table/keys.ts';
import { contactOfItem } from '../contact-items.ts';
import { readContactList, readContactRange } from '../contacts-by-seq.ts';
import {
  type BlockPart,
  type Directory,
  type DirectoryStart,
  readDirectory,
  readDirectoryStart,
} from '../directory.ts';
import { bytesOfItem } from '../directory-page.ts';
import { liveSlots, matchingSlots, readPhoneBlocks } from '../phone-block.ts';
import type { Contact } from '../rules/contact.ts';
import { type PhoneFilter, readPhoneFilter, wholeNumbers } from '../rules/phone-number.ts';

export type ContactQuery = { offset: number; limit: number; phoneNumber?: string | undefined };
export type ContactPage = { total: number; rows: Contact[] };
type SeqRange = { from: number; to: number };

/** If contacts are far apart, a page may need one call for each of its rows. */
const callsAtOnce = 16;
/** Chunks that an export reads ahead: about 300 KB each, at most 8 MB. */
const chunksAhead = 4;

const firstSeq = (block: number) => block * blockSize;
const lastSeq = (block: number) => firstSeq(block) + blockSize - 1;

/** One range for each chunk that contains some of the blocks. */
const rangesOf = (blocks: readonly number[], { from, to }: SeqRange): SeqRange[] =>
  groupedBy(blocks, (block) => chunkOf(firstSeq(block))).map((group) => ({
    from: Math.max(from, firstSeq(group[0]!)),
    to: Math.min(to, lastSeq(group.at(-1)!)),
  }));

/**
 * The last contacts of a block with gaps. They can be read from its end, so their first slot need
 * not be known.
 */
const isEndOfGaps = ({ live, skip, take }: BlockPart) => skip > 0 && skip + take === live && live < blockSize;

const everything: SeqRange = { from: 0, to: Number.POSITIVE_INFINITY };

export const readContactPage = async (
  database: Database,
  dataSourceId: string,
  { offset, limit, phoneNumber }: ContactQuery,
): Promise<ContactPage> => {
  const filter = readPhoneFilter(phoneNumber);
  if (filter !== undefined) {
    const found = await search(database, dataSourceId, filter);
    if ('rows' in found) return { total: found.rows.length, rows: found.rows.slice(offset, offset + limit) };
    const shown = found.seqs.slice(offset, offset + limit);
    return { total: found.seqs.length, rows: await readContactList(database, dataSourceId, shown) };
  }
  const directory = await readDirectory(database, dataSourceId);
  const parts = directory.parts(offset, limit);
  const [only] = parts;
  if (only && parts.length === 1 && isEndOfGaps(only)) {
    return { total: directory.total, rows: await readLast(database, dataSourceId, directory, only) };
  }
  const range = await readRangeOf(database, dataSourceId, parts);
  const blocks = parts.map((part) => part.block);
  const rows = await readRanges(database, dataSourceId, directory, rangesOf(blocks, range));
  return { total: directory.total, rows };
};

export async function* scanContacts(database: Database, dataSourceId: string): AsyncGenerator<Contact[]> {
  const directory = await readDirectory(database, dataSourceId);
  yield* readAhead(rangesOf(directory.blocks, everything), chunksAhead, (range) =>
    readRanges(database, dataSourceId, directory, [range]),
  );
}

/** Contacts that were added after the directory was read belong to no page yet. */
const readRanges = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  ranges: readonly SeqRange[],
): Promise<Contact[]> => {
  const read = await concurrently(ranges, callsAtOnce, ({ from, to }) =>
    readContactRange(database, dataSourceId, from, to),
  );
  return read.flat().filter(({ seq }) => seq < directory.end && directory.holds(blockOf(seq)));
};

/** Stops at the numbers that were given out when the directory was read, like `readRanges`. */
const readLast = (
  database: Database,
  dataSourceId: string,
  { end }: Directory,
  { block, take }: BlockPart,
): Promise<Contact[]> => {
  const to = Math.min(lastSeq(block), end - 1);
  return readContactRange(database, dataSourceId, firstSeq(block), to, { limit: take, last: true });
};

/** Where a page begins and ends. A block is read only if it has gaps and belongs in part. */
const readRangeOf = async (
  database: Database,
  dataSourceId: string,
  parts: readonly BlockPart[],
): Promise<SeqRange> => {
  const unclear = parts.filter(({ live, take }) => take < live && live < blockSize);
  const items = await database.batchGet(unclear.map(({ block }) => keys.block(dataSourceId, block)));
  const slotsOf = new Map(unclear.map(({ block }, i) => [block, liveSlots(bytesOfItem(items[i]).bytes)]));
  const seqAt = ({ block, live }: BlockPart, nth: number, otherwise: number) =>
    firstSeq(block) + (live === blockSize ? nth : (slotsOf.get(block)?.[nth] ?? otherwise));
  const first = parts[0];
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return everything;
  return {
    from: first.skip === 0 ? firstSeq(first.block) : seqAt(first, first.skip, blockSize),
    to: seqAt(last, last.skip + last.take - 1, blockSize - 1),
  };
};

export const searchSeqs = async (
  database: Database,
  dataSourceId: string,
  filter: PhoneFilter | 'none',
): Promise<number[]> => {
  const found = await search(database, dataSourceId, filter);
  return 'rows' in found ? found.rows.map(({ seq }) => seq) : found.seqs;
};

/** `rows`: contacts that the search has read already. */
const search = async (
  database: Database,
  dataSourceId: string,
  filter: PhoneFilter | 'none',
): Promise<{ rows: Contact[] } | { seqs: number[] }> => {
  const start = await readDirectoryStart(database, dataSourceId);
  if (filter === 'none') return { rows: [] };
  const phones = wholeNumbers(filter, start.longest);
  if (phones !== undefined) return { rows: await bearersOf(database, dataSourceId, phones, start) };
  return { seqs: await lookThrough(database, dataSourceId, await start.all(), filter) };
};

/**
 * The contacts with one of the phone numbers, found by their guards. The cost does not depend on
 * the size of the data source.
 */
const bearersOf = async (
  database: Database,
  dataSourceId: string,
  phones: readonly string[],
  start: DirectoryStart,
): Promise<Contact[]> => {
  const guards = await database.batchGet(phones.map((phone) => keys.phone(dataSourceId, phone)));
  const seqs = guards.flatMap((guard) => (guard === undefined ? [] : [Number(guard.seq)]));
  const [directory, items] = await Promise.all([
    start.with(seqs.map((seq) => pageOf(blockOf(seq)))),
    database.batchGet(seqs.map((seq) => keys.contact(dataSourceId, seq))),
  ]);
  return items
    .flatMap((item) => (item === undefined ? [] : [contactOfItem(dataSourceId, item)]))
    .filter(({ seq, phoneNumber }) => directory.holds(blockOf(seq)) && phones.includes(phoneNumber))
    .sort((a, b) => a.seq - b.seq);
};

/** Reads the phone numbers of all contacts. */
const lookThrough = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  filter: PhoneFilter,
): Promise<number[]> => {
  const seqs: number[] = [];
  for (const { block, phones } of await readPhoneBlocks(database, dataSourceId, directory)) {
    for (const slot of matchingSlots(phones, filter)) seqs.push(block * blockSize + slot);
  }
  return seqs;
};
