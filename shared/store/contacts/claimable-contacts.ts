import type { Contact } from '../../domain/contact.ts';
import type { Database } from '../database.ts';
import { blockOf, blockSize, contactsPerChunk, keys, pageOf, seqsPerPage } from '../keys.ts';
import { readContactRange } from './contact-ranges.ts';
import { readDirectoryOf, readNextSeq } from './directory.ts';

export type Claimable = {
  /** In sequence order. */
  contacts: Contact[];
  /** The first sequence number behind all that were looked at. */
  nextSeq: number;
  /** No others are to be had behind it now. */
  isLast: boolean;
  /** An unfinished import keeps some from being had. */
  isHeldBack: boolean;
};

/** The lowest sequence number from `fromSeq` on that an unfinished import still holds. */
const firstOpenSeq = async (database: Database, dataSourceId: string, fromSeq: number): Promise<number> => {
  const ranges = await database.queryAll({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': keys.dataSource(dataSourceId).pk, ':prefix': keys.openRangePrefix },
  });
  const firsts = ranges
    .map(({ sk }) => Number(sk.slice(keys.openRangePrefix.length)))
    .filter((first) => first >= fromSeq);
  return Math.min(Number.POSITIVE_INFINITY, ...firsts);
};

/**
 * Never passes the numbers of an unfinished import, so that no contact is left behind a cursor. The order
 * of the reads matters: a range given out before the first read is either still open at the second, or
 * its contacts show at the third.
 */
export const readClaimable = async (
  database: Database,
  dataSourceId: string,
  fromSeq: number,
  limit: number,
): Promise<Claimable> => {
  const given = await readNextSeq(database, dataSourceId);
  const end = given <= fromSeq ? given : Math.min(given, await firstOpenSeq(database, dataSourceId, fromSeq));
  const isHeldBack = end < given;
  for (let from = fromSeq; from < end; ) {
    const pageEnd = Math.min(end, (pageOf(blockOf(from)) + 1) * seqsPerPage);
    const contacts = await firstContacts(database, dataSourceId, { from, end: pageEnd }, limit);
    const last = contacts.at(-1);
    if (last !== undefined) {
      const nextSeq = contacts.length === limit ? last.seq + 1 : pageEnd;
      return { contacts, nextSeq, isLast: nextSeq === end, isHeldBack };
    }
    from = pageEnd;
  }
  return { contacts: [], nextSeq: Math.max(fromSeq, end), isLast: true, isHeldBack };
};

/** The first contacts of a part of one directory page. */
const firstContacts = async (
  database: Database,
  dataSourceId: string,
  { from, end }: { from: number; end: number },
  limit: number,
): Promise<Contact[]> => {
  const directory = await readDirectoryOf(database, dataSourceId, [pageOf(blockOf(from))]);
  const contacts: Contact[] = [];
  for (let start = from; start < end && contacts.length < limit; ) {
    const chunkEnd = Math.min(end, (Math.floor(start / contactsPerChunk) + 1) * contactsPerChunk);
    const blocks = directory.blocks.filter(
      (block) => block >= blockOf(start) && block * blockSize < chunkEnd,
    );
    if (blocks.length > 0) {
      const first = Math.max(start, blocks[0]! * blockSize);
      contacts.push(
        ...(await readContactRange(database, dataSourceId, first, chunkEnd - 1, {
          limit: limit - contacts.length,
        })),
      );
    }
    start = chunkEnd;
  }
  return contacts;
};
