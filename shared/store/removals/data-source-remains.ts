import { phonesOf } from '../directory/index.ts';
import { type ImportRecords, removeRows } from '../imports/index.ts';
import type { Database, Item, Key } from '../table/index.ts';
import { blockOf, blockSize, keys, pageOf } from '../table/index.ts';
import { type IsTimeUp, removePartition, removePartitions } from './remains.ts';

/** 2,048 contacts, with their guards: a second or two of writes. */
const blocksAtOnce = 16;

/** The contacts of some phone blocks, and the guards of their numbers. */
const contactsIn =
  (dataSourceId: string) =>
  (blocks: readonly Item[]): Key[] =>
    blocks.flatMap(({ sk, bytes }) =>
      phonesOf(bytes as Uint8Array).flatMap((phoneNumber, slot) =>
        phoneNumber === undefined
          ? []
          : [
              keys.contact(dataSourceId, Number(sk) * blockSize + slot),
              keys.phone(dataSourceId, phoneNumber),
            ],
      ),
    );

/** The phone blocks name every visible contact, so that no contact has to be read. */
const removeContacts = async (database: Database, id: string, end: number, isTimeUp: IsTimeUp) => {
  const step = { alsoOf: contactsIn(id), atOnce: blocksAtOnce };
  for (let page = 0; page <= pageOf(blockOf(end)); page++) {
    if (!(await removePartition(database, keys.blockPartition(id, page), isTimeUp, step))) return false;
  }
  return true;
};

/**
 * Removes what a deleted data source has left in the table, in bounded steps that may be repeated. `end`: the sequence
 * numbers that it gave out. Answers whether nothing is left, except the record for its CLOSED tasks.
 */
export const removeDataSource = async (
  database: Database,
  records: ImportRecords,
  { id, end }: { id: string; end: number },
  isTimeUp: IsTimeUp,
): Promise<boolean> => {
  const imports = await records.all(id);
  // Rows of these imports may be in no block, and guards without a contact.
  for (const broken of imports.filter(({ status }) => status !== 'DONE')) {
    if (broken.reservation) await removeRows(database, broken, broken.reservation);
    if (isTimeUp()) return false;
  }
  if (!(await removeContacts(database, id, end, isTimeUp))) return false;
  const plans = imports.map(({ importId }) => keys.importPlan(id, importId, 0).pk);
  if (!(await removePartitions(database, [...plans, keys.importList(id)], isTimeUp))) return false;
  // Last: it names the imports.
  const isKept = ({ sk }: Item) => sk === keys.goneDataSource(id).sk;
  return removePartition(database, keys.dataSource(id).pk, isTimeUp, { isKept });
};
