import type { Contact } from '../../domain/contacts/contact.ts';
import { readDirectoryOf, readNextSeq, readOpenRanges } from '../directory/index.ts';
import type { Database } from '../table/index.ts';
import { blockOf, blockSize, chunkOf, contactsPerChunk, pageOf, seqsPerPage } from '../table/index.ts';
import { readContactRange } from './contact-ranges.ts';

export type Claimable = {
  /** In sequence order. */
  contacts: Contact[];
  /** The first sequence number after all that were read. */
  nextSeq: number;
  /** Every number below has been given out and belongs to no unfinished import. This stays true. */
  visibleTo: number;
  /** There are no further contacts now. */
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
 * The end of the sequence numbers that have been given out and belong to no unfinished import. The order of
 * the reads matters: a range that was given out before the first read is either still open at the second, or
 * its contacts are visible to every later read.
 */
const readVisibleEnd = async (database: Database, dataSourceId: string, fromSeq: number) => {
  const given = await readNextSeq(database, dataSourceId);
  const end = given <= fromSeq ? given : Math.min(given, await firstOpenSeq(database, dataSourceId, fromSeq));
  return { end, isHeldBack: end < given };
};

/**
 * Never passes the numbers of an unfinished import, so that a cursor never passes a contact unseen.
 * @param visibleTo the `visibleTo` of an earlier answer, which saves the reads that find it
 */
export const readClaimable = async (
  database: Database,
  dataSourceId: string,
  fromSeq: number,
  limit: number,
  visibleTo = 0,
): Promise<Claimable> => {
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

/** The first contacts of a part of one directory page. The page itself is read only when there are gaps. */
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
