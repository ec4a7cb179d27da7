import { TaskTimeline } from '../../calls/timeline.ts';
import { pointFromNumbers } from '../../contacts/contact-items.ts';
import { readNextSeq } from '../../contacts/directory.ts';
import { phonesOf } from '../../contacts/phone-block.ts';
import { removeRows } from '../../imports/import-blocks.ts';
import type { ImportRecords } from '../../imports/import-records.ts';
import type { Database } from '../../platform/table/database.ts';
import {
  blockOf,
  blockSize,
  callParts,
  chunkOf,
  counterGroups,
  freedParts,
  type Item,
  type Key,
  keys,
  pageOf,
} from '../../platform/table/keys.ts';

/** Items that are read and deleted at a time. A run that breaks off repeats at most these. */
const itemsAtOnce = 1024;

/** Whether a run must stop. The next run finds what it left. */
export type IsTimeUp = () => boolean;

type Step = {
  /** Items that are only found through these items. They are deleted before them. */
  alsoOf?: (items: readonly Item[]) => Promise<Key[]>;
  isKept?: (item: Item) => boolean;
  atOnce?: number;
};

/** Deletes the items of a partition in bounded steps. @returns whether nothing is left */
const removePartition = async (
  database: Database,
  pk: string,
  isTimeUp: IsTimeUp,
  { alsoOf, isKept = () => false, atOnce = itemsAtOnce }: Step = {},
): Promise<boolean> => {
  // Sorts before every key. A condition on a key takes no empty text.
  let after = ' ';
  while (!isTimeUp()) {
    const items = await database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk > :after',
      ExpressionAttributeValues: { ':pk': pk, ':after': after },
      Limit: atOnce,
    });
    const left = items.filter((item) => !isKept(item));
    if (alsoOf) await database.deleteAll(await alsoOf(left));
    await database.deleteAll(left);
    if (items.length < atOnce) return true;
    after = items.at(-1)!.sk;
  }
  return false;
};

/** Like `removePartition`, for one partition after the other. */
const removePartitions = async (
  database: Database,
  partitions: Iterable<string>,
  isTimeUp: IsTimeUp,
): Promise<boolean> => {
  for (const pk of partitions) if (!(await removePartition(database, pk, isTimeUp))) return false;
  return true;
};

/** The end of the sequence numbers of the data source, also after it was deleted. */
const readEnd = async (database: Database, dataSourceId: string): Promise<number> => {
  const gone = await database.get(keys.goneDataSource(dataSourceId));
  return gone === undefined ? readNextSeq(database, dataSourceId) : Number(gone.end);
};

/**
 * Removes what a deleted task has left in the table, except its calls by day, in bounded steps that
 * may be repeated.
 * @returns whether nothing is left
 */
export const removeTask = async (
  database: Database,
  { id, dataSourceId }: { id: string; dataSourceId: string },
  isTimeUp: IsTimeUp,
): Promise<boolean> => {
  const chunks = chunkOf(await readEnd(database, dataSourceId)) + 1;
  const contacts = Array.from({ length: chunks }, (_, chunk) => keys.taskContactPartition(id, chunk));
  const callbacks = keys.agendaEntry('callbacks', id, id).pk;
  const calls = Array.from({ length: callParts }, (_, part) => keys.callPart(id, part));
  const counters = Array.from({ length: counterGroups }, (_, group) => keys.counterGroup(id, group));
  const freed = Array.from({ length: freedParts }, (_, part) => keys.wideFreedPart(keys.taskPace(id), part));
  const paced = [keys.taskPace(id), ...freed];
  const others = [keys.intakes(id), keys.aheads(id), callbacks, ...paced, ...calls, ...counters];
  // The days of the service keep its calls.
  await new TaskTimeline(database).gatherAll(id);
  const isKept = ({ sk }: Item) => sk.startsWith(keys.timelineDays);
  if (!(await removePartition(database, keys.timeline(id), isTimeUp, { isKept }))) return false;
  return removePartitions(database, [...contacts, ...others, keys.task(id).pk], isTimeUp);
};

/** 2,048 contacts, with their guards: a second or two of writes. */
const blocksAtOnce = 16;

/**
 * `end`: the end of the sequence numbers that it gave out. `keepsNumbers`: CLOSED tasks called its
 * contacts, whose calls must be found by their numbers afterwards.
 */
type GoneDataSource = { id: string; end: number; keepsNumbers: boolean };

/** The contacts of some phone blocks, and the guards of their numbers. */
const contactsIn =
  (database: Database, { id: dataSourceId, keepsNumbers }: GoneDataSource) =>
  async (blocks: readonly Item[]): Promise<Key[]> => {
    const found = blocks.flatMap(({ sk, bytes }) =>
      phonesOf(bytes as Uint8Array).flatMap((phoneNumber, slot) =>
        phoneNumber === undefined
          ? []
          : [{ key: keys.contact(dataSourceId, Number(sk) * blockSize + slot), phoneNumber }],
      ),
    );
    if (keepsNumbers && found.length > 0) {
      const contacts = await database.batchGet(found.map(({ key }) => key));
      const there = contacts.filter((item) => item !== undefined);
      await pointFromNumbers(database, dataSourceId, there);
    }
    return found.flatMap(({ key, phoneNumber }) => [key, keys.phone(dataSourceId, phoneNumber)]);
  };

/** The phone blocks name every visible contact. */
const removeContacts = async (database: Database, source: GoneDataSource, isTimeUp: IsTimeUp) => {
  const { id, end } = source;
  const step = { alsoOf: contactsIn(database, source), atOnce: blocksAtOnce };
  for (let page = 0; page <= pageOf(blockOf(end)); page++) {
    if (!(await removePartition(database, keys.blockPartition(id, page), isTimeUp, step))) return false;
  }
  return true;
};

/**
 * Removes what a deleted data source has left in the table, in bounded steps that may be repeated.
 * @returns whether nothing is left, except the record for its CLOSED tasks
 */
export const removeDataSource = async (
  database: Database,
  records: ImportRecords,
  source: GoneDataSource,
  isTimeUp: IsTimeUp,
): Promise<boolean> => {
  const { id } = source;
  const imports = await records.all(id);
  // These imports may have rows in no block, and guards without a contact.
  for (const broken of imports.filter(({ status }) => status !== 'DONE')) {
    if (broken.reservation && !(await removeRows(database, broken, broken.reservation, isTimeUp)))
      return false;
    if (isTimeUp()) return false;
  }
  if (!(await removeContacts(database, source, isTimeUp))) return false;
  const plans = imports.map(({ importId }) => keys.importPlan(id, importId, 0).pk);
  if (
    !(await removePartitions(database, [...plans, keys.importList(id), keys.waitingContacts(id)], isTimeUp))
  )
    return false;
  // Deleted last, because it names the imports.
  const isKept = ({ sk }: Item) => sk === keys.goneDataSource(id).sk;
  return removePartition(database, keys.dataSource(id).pk, isTimeUp, { isKept });
};
