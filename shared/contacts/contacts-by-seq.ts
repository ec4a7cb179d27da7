import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keyRange } from '../platform/table/expressions.ts';
import { nearRuns } from '../platform/table/groups.ts';
import {
  blockOf,
  blockSize,
  chunkOf,
  contactsPerChunk,
  keys,
  pageOf,
  seqKey,
  seqsPerPage,
} from '../platform/table/keys.ts';
import { contactOfItem } from './contact-items.ts';
import { type Directory, readDirectoryOf, readNextSeq } from './directory.ts';
import { bytesOfItem, readOpenRanges } from './directory-page.ts';
import { liveSlots, phonesOf } from './phone-block.ts';
import type { Contact } from './rules/contact.ts';

/**
 * About as many contacts as one read unit has. Contacts closer together cost less in one range than
 * each by its key.
 */
const nearby = 8;
/** A query of fewer contacts costs no less than reading each by key, up to 100 in one call. */
const worthQuery = 4;
const queriesAtOnce = 16;

/** `last`: reads the last `limit` contacts instead of the first. */
type RangeEnd = { limit?: number; last?: boolean };

/** The contacts stored between two sequence numbers of one chunk, both included, in order. */
export const readContactRange = async (
  database: Database,
  dataSourceId: string,
  from: number,
  to: number,
  { limit, last = false }: RangeEnd = {},
): Promise<Contact[]> => {
  if (to < from) return [];
  const items = await database.queryAll({
    ...(limit === undefined ? {} : { Limit: limit }),
    ScanIndexForward: !last,
    ...keyRange(keys.contactPartition(dataSourceId, chunkOf(from)), seqKey(from), seqKey(to)),
  });
  const contacts = items.map((item) => contactOfItem(dataSourceId, item));
  return last ? contacts.reverse() : contacts;
};

/** The contacts of ascending sequence numbers. Deleted contacts are skipped. */
export const readContactList = async (
  database: Database,
  dataSourceId: string,
  seqs: readonly number[],
): Promise<Contact[]> => {
  const runs = nearRuns(seqs, nearby);
  const [ranges, singles] = await Promise.all([
    concurrently(
      runs.filter((run) => run.length >= worthQuery),
      queriesAtOnce,
      (run) => readContactRange(database, dataSourceId, run[0]!, run.at(-1)!),
    ),
    database.batchGet(
      runs
        .filter((run) => run.length < worthQuery)
        .flat()
        .map((seq) => keys.contact(dataSourceId, seq)),
    ),
  ]);
  const found = new Map(ranges.flat().map((contact) => [contact.seq, contact]));
  for (const item of singles) if (item) found.set(Number(item.sk), contactOfItem(dataSourceId, item));
  return seqs.flatMap((seq) => found.get(seq) ?? []);
};

export type VisibleContacts = {
  /** In sequence order. */
  contacts: Contact[];
  /** The sequence number after the last that was read. */
  nextSeq: number;
  /** Every number below was given out and belongs to no unfinished import. This stays true. */
  visibleTo: number;
  /** There are no further contacts at present. */
  isLast: boolean;
  /** An unfinished import has reserved further numbers. */
  isHeldBack: boolean;
};

/** The lowest sequence number from `fromSeq` on that an unfinished import has reserved. */
const firstOpenSeq = async (database: Database, dataSourceId: string, fromSeq: number): Promise<number> => {
  const ranges = await readOpenRanges(database, dataSourceId);
  const firsts = ranges.map(({ firstSeq }) => firstSeq).filter((first) => first >= fromSeq);
  return Math.min(Number.POSITIVE_INFINITY, ...firsts);
};

/**
 * The end of the sequence numbers that were given out and belong to no unfinished import. The order
 * of the reads matters: a range that was given out before the first read is either still open at
 * the second, or its contacts are visible to every later read.
 */
const readVisibleEnd = async (database: Database, dataSourceId: string, fromSeq: number) => {
  const given = await readNextSeq(database, dataSourceId);
  const end = given <= fromSeq ? given : Math.min(given, await firstOpenSeq(database, dataSourceId, fromSeq));
  return { end, isHeldBack: end < given };
};

/**
 * Stops before the numbers of an unfinished import, so that a cursor never passes a contact unseen.
 * @param visibleTo the `visibleTo` of an earlier answer, which saves the reads that find it
 */
export const readVisible = async (
  database: Database,
  dataSourceId: string,
  fromSeq: number,
  limit: number,
  visibleTo = 0,
): Promise<VisibleContacts> => {
  const isKnown = fromSeq < visibleTo;
  const { end, isHeldBack } = isKnown
    ? { end: visibleTo, isHeldBack: false }
    : await readVisibleEnd(database, dataSourceId, fromSeq);
  for (let from = fromSeq; from < end; ) {
    const pageEnd = Math.min(end, (pageOf(blockOf(from)) + 1) * seqsPerPage);
    const contacts = await firstContacts(database, dataSourceId, { from, end: pageEnd }, limit);
    const last = contacts.at(-1);
    if (last !== undefined) {
      const nextSeq = contacts.length === limit ? last.seq + 1 : pageEnd;
      return { contacts, nextSeq, visibleTo: end, isLast: nextSeq === end && !isKnown, isHeldBack };
    }
    from = pageEnd;
  }
  const nextSeq = Math.max(fromSeq, end);
  return { contacts: [], nextSeq, visibleTo: end, isLast: !isKnown, isHeldBack };
};

const chunkEndOf = (seq: number) => (chunkOf(seq) + 1) * contactsPerChunk;

/** The first contacts of a part of one directory page, which is read only if there are gaps. */
const firstContacts = async (
  database: Database,
  dataSourceId: string,
  { from, end }: { from: number; end: number },
  limit: number,
): Promise<Contact[]> => {
  const firstEnd = Math.min(end, chunkEndOf(from));
  const contacts = await readContactRange(database, dataSourceId, from, firstEnd - 1, { limit });
  if (contacts.length === limit || firstEnd === end) return contacts;
  const directory = await readDirectoryOf(database, dataSourceId, [pageOf(blockOf(from))]);
  for (let start = firstEnd; start < end && contacts.length < limit; ) {
    const chunkEnd = Math.min(end, chunkEndOf(start));
    const blocks = directory.blocks.filter(
      (block) => block >= blockOf(start) && block * blockSize < chunkEnd,
    );
    if (blocks.length > 0) {
      const first = Math.max(start, blocks[0]! * blockSize);
      const part = { limit: limit - contacts.length };
      contacts.push(...(await readContactRange(database, dataSourceId, first, chunkEnd - 1, part)));
    }
    start = chunkEnd;
  }
  return contacts;
};

/**
 * The phone numbers of those sequence numbers that are contacts, read from the phone blocks (128
 * contacts each).
 */
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

/** Those sequence numbers that are contacts. A known directory saves reads of whole blocks. */
const liveAmong = async (
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
  /** Contacts that the cursor has passed and that have not been called. */
  untouched: readonly number[];
  /** Contacts that a recall took up, wherever the cursor was. */
  ahead: readonly number[];
};

/** Contacts that a task has not called: taken up, or not looked at. Deleted ones do not count. */
export const countUntouched = async (
  database: Database,
  dataSourceId: string,
  directory: Directory,
  { cursor, untouched, ahead }: TakenUp,
): Promise<{ takenUp: number; fresh: number }> => {
  const nextBlock = blockOf(cursor) + 1;
  // There is nothing after the last contact.
  const rest = Math.max(0, Math.min(nextBlock * blockSize, directory.end) - cursor);
  const inBlock = Array.from({ length: rest }, (_, i) => cursor + i);
  const taken = new Set(ahead.filter((seq) => seq >= cursor));
  const live = await liveAmong(database, dataSourceId, directory, [...untouched, ...inBlock, ...taken]);
  const known = live.filter((seq) => taken.has(seq));
  const others = live.filter((seq) => !taken.has(seq));
  const takenUp = others.filter((seq) => seq < cursor).length;
  const behind = directory.liveFrom(nextBlock) - known.filter((seq) => blockOf(seq) >= nextBlock).length;
  return { takenUp, fresh: others.length - takenUp + behind };
};
