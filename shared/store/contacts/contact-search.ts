import type { Contact } from '../../domain/contacts/contact.ts';
import { type PhoneFilter, wholeNumbers } from '../../domain/contacts/phone-number.ts';
import {
  type Directory,
  type DirectoryStart,
  matchingSlots,
  readDirectoryStart,
  readPhoneBlocks,
} from '../directory/index.ts';
import { blockOf, blockSize, type Database, keys, pageOf } from '../table/index.ts';
import { contactOfItem } from './contact-items.ts';
import { readContactList } from './contact-ranges.ts';

type PageWindow = { offset: number; limit: number };
type FoundContacts = { total: number; rows: Contact[] };

/**
 * The contacts whose phone number meets the filter, in the order they were added. @throws ServiceError
 * notFound when there is no such data source
 */
export const searchContacts = async (
  database: Database,
  dataSourceId: string,
  filter: PhoneFilter | 'none',
  { offset, limit }: PageWindow,
): Promise<FoundContacts> => {
  const found = await search(database, dataSourceId, filter);
  const rows =
    'rows' in found
      ? found.rows.slice(offset, offset + limit)
      : await readContactList(database, dataSourceId, found.seqs.slice(offset, offset + limit));
  return { total: 'rows' in found ? found.rows.length : found.seqs.length, rows };
};

/** The sequence numbers of the same contacts, ascending. @throws ServiceError notFound */
export const searchSeqs = async (
  database: Database,
  dataSourceId: string,
  filter: PhoneFilter | 'none',
): Promise<number[]> => {
  const found = await search(database, dataSourceId, filter);
  return 'rows' in found ? found.rows.map(({ seq }) => seq) : found.seqs;
};

/** `rows`: the search has read the contacts already. */
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
): Promise<number[]> => {
  const seqs: number[] = [];
  for (const { block, phones } of await readPhoneBlocks(database, dataSourceId, directory)) {
    for (const slot of matchingSlots(phones, filter)) seqs.push(block * blockSize + slot);
  }
  return seqs;
};
