import type { Contact } from '../../domain/contacts/contact.ts';
import { type PhoneFilter, wholeNumbers } from '../../domain/contacts/phone-number.ts';
import {
  bytesOfItem,
  type Directory,
  type DirectoryStart,
  matchingSlots,
  readDirectoryStart,
} from '../directory/index.ts';
import type { Database, Item } from '../table/index.ts';
import { blockOf, blockSize, concurrently, groupedBy, keys, pageOf } from '../table/index.ts';
import { contactOfItem } from './contact-items.ts';
import { readContactList } from './contact-ranges.ts';

type Part = { offset: number; limit: number };
type Found = { total: number; rows: Contact[] };

const callsAtOnce = 16;

/**
 * The contacts whose phone number meets the filter, in the order they were added. @throws ServiceError
 * notFound when there is no such data source
 */
export const searchContacts = async (
  database: Database,
  dataSourceId: string,
  filter: PhoneFilter | 'none',
  { offset, limit }: Part,
): Promise<Found> => {
  const start = await readDirectoryStart(database, dataSourceId);
  if (filter === 'none') return { total: 0, rows: [] };
  const phones = wholeNumbers(filter, start.longest);
  if (phones === undefined) {
    const { total, seqs } = await lookThrough(database, dataSourceId, await start.all(), filter, {
      offset,
      limit,
    });
    return { total, rows: await readContactList(database, dataSourceId, seqs) };
  }
  const rows = await bearersOf(database, dataSourceId, phones, start);
  return { total: rows.length, rows: rows.slice(offset, offset + limit) };
};

/** The contacts with one of the phone numbers, found by their guards: the cost does not depend on the data source's size. */
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
  { offset, limit }: Part,
): Promise<{ total: number; seqs: number[] }> => {
  const byPage = groupedBy(directory.blocks, pageOf);
  const read = await concurrently(byPage, callsAtOnce, (blocks) =>
    readBlocks(database, dataSourceId, blocks[0]!, blocks.at(-1)!),
  );
  let total = 0;
  const seqs: number[] = [];
  for (const item of read.flat()) {
    const block = Number(item.sk);
    if (!directory.holds(block)) continue;
    const slots = matchingSlots(bytesOfItem(item).bytes, filter);
    const [from, to] = [Math.max(0, offset - total), Math.max(0, offset + limit - total)];
    seqs.push(...slots.slice(from, to).map((slot) => block * blockSize + slot));
    total += slots.length;
  }
  return { total, seqs };
};

/** The blocks of one directory page. */
const readBlocks = (database: Database, dataSourceId: string, first: number, last: number): Promise<Item[]> =>
  database.queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': keys.blockPartition(dataSourceId, pageOf(first)),
      ':first': keys.block(dataSourceId, first).sk,
      ':last': keys.block(dataSourceId, last).sk,
    },
  });
