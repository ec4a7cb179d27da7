import { blockOfPhones } from '../../shared/domain/phone-block.ts';
import { contactItem } from '../../shared/store/contacts/contact-items.ts';
import { firstDirectoryPage } from '../../shared/store/contacts/directory.ts';
import type { Database, Item } from '../../shared/store/database.ts';
import { blockSize, blocksPerPage, keys, seqsPerPage } from '../../shared/store/keys.ts';

export const seededPhone = (seq: number) => `+8613${String(seq).padStart(9, '0')}`;

const seededFields = (seq: number) => ({
  customerName: `Customer ${seq}`,
  address: `${seq} Long Road, Springfield`,
  orderAmount: `${seq}.50`,
});

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

const directoryPages = (dataSourceId: string, count: number): Item[] => {
  const blocks = Math.ceil(count / blockSize);
  return upTo(Math.max(1, Math.ceil(blocks / blocksPerPage))).map((page) => ({
    ...keys.directoryPage(dataSourceId, page),
    bytes: Uint8Array.from(upTo(Math.min(blocksPerPage, blocks - page * blocksPerPage)), (at) =>
      Math.min(blockSize, count - (page * blocksPerPage + at) * blockSize),
    ),
    v: 1,
    next: Math.min(seqsPerPage, count - page * seqsPerPage),
  }));
};

function* contactsAndGuards(dataSourceId: string, count: number, guarded: number): Generator<Item> {
  for (let seq = 0; seq < count; seq++) {
    const phoneNumber = seededPhone(seq);
    yield contactItem(dataSourceId, seq, { phoneNumber, fields: seededFields(seq) }, 1_700_000_000_000);
    if (seq < guarded) yield { ...keys.phone(dataSourceId, phoneNumber), seq };
  }
}

const blockItem = (dataSourceId: string, block: number, count: number): Item => ({
  ...keys.block(dataSourceId, block),
  bytes: blockOfPhones(
    upTo(Math.min(blockSize, count - block * blockSize)).map((slot) => seededPhone(block * blockSize + slot)),
  ),
  v: 1,
});

/** A data source without contacts whose next sequence number is `next`. */
export const seedEmptyDataSource = async (database: Database, dataSourceId: string, next = 0) => {
  const last = Math.floor(next / seqsPerPage);
  await database.putAll(
    upTo(last + 1).map((page) => ({
      ...firstDirectoryPage(dataSourceId),
      ...keys.directoryPage(dataSourceId, page),
      next: page < last ? seqsPerPage : next - last * seqsPerPage,
    })),
  );
};

/**
 * A data source of `count` contacts, as imports of full blocks would have left it. Only the first
 * `guarded` contacts get the guard that changing or deleting them needs: a large seed takes half as long.
 */
export const seedContacts = async (
  database: Database,
  dataSourceId: string,
  count: number,
  guarded = count,
): Promise<void> => {
  await database.putAll([
    ...directoryPages(dataSourceId, count),
    ...upTo(Math.ceil(count / blockSize)).map((block) => blockItem(dataSourceId, block, count)),
    ...contactsAndGuards(dataSourceId, count, guarded),
  ]);
};
