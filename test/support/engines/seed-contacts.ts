import { contactItem } from '../../../shared/contacts/contact-items.ts';
import { firstDirectoryPage } from '../../../shared/contacts/directory-page.ts';
import { blockOfPhones } from '../../../shared/contacts/phone-block.ts';
import { customNames, type Fields } from '../../../shared/contacts/rules/contact.ts';
import { noPhones, withLongest } from '../../../shared/contacts/rules/phone-number.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import {
  blockSize,
  blocksPerPage,
  type Item,
  keys,
  seqsPerPage,
} from '../../../shared/platform/table/keys.ts';
import { packBytes } from '../../../shared/platform/table/packed-bytes.ts';

export const seedTime = 1_700_000_000_000;

/**
 * All over the mobile numbers of one country, in no order: how near they lie decides the size of
 * phone blocks.
 */
export const seededPhone = (seq: number) => `+861${3_000_000_000 + ((seq * 2_654_435_761) % 7_000_000_000)}`;

/** With it a contact kept as one item of plain attributes has about 300 bytes. */
export const seededFields = (seq: number): Fields => ({
  customerName: `Customer ${seq}`,
  address: `${seq % 1000} Long Road, Springfield ${200_000 + (seq % 1000)}`,
  orderAmount: `${seq % 10_000}.50`,
  email: `customer.${seq}@example.com`,
  product: 'Fibre 500, 24 months',
});

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

export function* directoryPages(dataSourceId: string, count: number): Generator<Item> {
  const blocks = Math.ceil(count / blockSize);
  for (let page = 0; page === 0 || page * blocksPerPage < blocks; page++) {
    yield {
      ...keys.directoryPage(dataSourceId, page),
      bytes: packBytes(
        Uint8Array.from(upTo(Math.min(blocksPerPage, blocks - page * blocksPerPage)), (at) =>
          Math.min(blockSize, count - (page * blocksPerPage + at) * blockSize),
        ),
      ),
      v: 1,
      next: Math.min(seqsPerPage, count - page * seqsPerPage),
      ...(page === 0 ? { longest: count === 0 ? noPhones : withLongest(noPhones, seededPhone(0)) } : {}),
    };
  }
}

const blockOf = (first: number, size: number) =>
  blockOfPhones(upTo(size).map((slot) => seededPhone(first + slot)));

/** The same in every data source: tests make up several of a million contacts. */
const fullBlocks: ReturnType<typeof blockOf>[] = [];

function* phoneBlocks(dataSourceId: string, count: number): Generator<Item> {
  for (let at = 0; at * blockSize < count; at++) {
    const first = at * blockSize;
    const isFull = count - first >= blockSize;
    if (isFull) fullBlocks[at] ??= blockOf(first, blockSize);
    const bytes = isFull ? fullBlocks[at] : blockOf(first, count - first);
    yield { ...keys.block(dataSourceId, at), bytes, v: 1 };
  }
}

/** A contact and the guard that changing or deleting it needs. */
export const contactAndGuard = (dataSourceId: string, seq: number): [contact: Item, guard: Item] => {
  const phoneNumber = seededPhone(seq);
  return [
    contactItem(dataSourceId, seq, { phoneNumber, fields: seededFields(seq) }, seedTime),
    { ...keys.phone(dataSourceId, phoneNumber), seq, importId: 'seed' },
  ];
};

/** The record of a data source, which a task that names it needs. */
const record = (dataSourceId: string): Item => ({
  ...keys.dataSource(dataSourceId),
  id: dataSourceId,
  dataSourceName: dataSourceId,
  dataSourceDesc: '',
  createTime: seedTime,
  updateTime: null,
  version: 0,
});

/**
 * All of a data source but its contacts: what tells how many there are and who bears which number.
 */
export function* frameItems(dataSourceId: string, count: number): Generator<Item> {
  yield record(dataSourceId);
  yield* directoryPages(dataSourceId, count);
  yield* phoneBlocks(dataSourceId, count);
  yield { ...keys.fieldNames(dataSourceId), names: new Set(customNames(seededFields(0))) };
}

/** A data source of `count` contacts, as imports of full blocks would have left it. */
export function* seedItems(dataSourceId: string, count: number): Generator<Item> {
  yield* frameItems(dataSourceId, count);
  for (let seq = 0; seq < count; seq++) yield* contactAndGuard(dataSourceId, seq);
}

export const seedContacts = (database: Database, dataSourceId: string, count: number): Promise<void> =>
  database.putAll([...seedItems(dataSourceId, count)]);

/**
 * Of a large data source only what reading and changing the contacts of the given numbers needs.
 */
export const seedSparsely = (database: Database, dataSourceId: string, count: number, seqs: number[]) =>
  database.putAll([
    ...frameItems(dataSourceId, count),
    ...seqs.flatMap((seq) => contactAndGuard(dataSourceId, seq)),
  ]);

/**
 * Directory and phone blocks of a data source with these numbers; `undefined`: a contact that was
 * deleted.
 */
export const seedPhones = (
  database: Database,
  dataSourceId: string,
  phones: readonly (string | undefined)[],
): Promise<void> => {
  const blocks = upTo(Math.ceil(phones.length / blockSize)).map((at) =>
    phones.slice(at * blockSize, (at + 1) * blockSize),
  );
  const live = blocks.map((block) => block.filter((phone) => phone !== undefined).length);
  return database.putAll([
    {
      ...firstDirectoryPage(dataSourceId),
      bytes: packBytes(Uint8Array.from(live)),
      next: phones.length,
    },
    ...blocks.flatMap((block, at) =>
      live[at] === 0 ? [] : { ...keys.block(dataSourceId, at), bytes: blockOfPhones(block), v: 1 },
    ),
  ]);
};

/** The directory of a data source without contacts whose next sequence number is `next`. */
export const emptyPages = (dataSourceId: string, next: number): Item[] => {
  const last = Math.floor(next / seqsPerPage);
  return upTo(last + 1).map((page) => ({
    ...firstDirectoryPage(dataSourceId),
    ...keys.directoryPage(dataSourceId, page),
    next: page < last ? seqsPerPage : next - last * seqsPerPage,
  }));
};

export const seedEmptyDataSource = (database: Database, dataSourceId: string, next = 0): Promise<void> =>
  database.putAll([record(dataSourceId), ...emptyPages(dataSourceId, next)]);
