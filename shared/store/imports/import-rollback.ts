import type { ContactImport, Reservation } from '../../domain/imports/contact-import.ts';
import { readContactRange } from '../contacts/index.ts';
import { phonesOf } from '../directory/index.ts';
import type { Database, Item, Key } from '../table/index.ts';
import {
  blockOf,
  blockSize,
  chunkOf,
  concurrently,
  contactsPerChunk,
  keyRange,
  keys,
  unlessLost,
} from '../table/index.ts';
import { removePlans, rowsPerPlan } from './import-phones.ts';

/**
 * What an unfinished import has left in the table, found without its file: guards that bear its id, and contacts
 * and blocks in its reserved range. The plans of the import list the phone numbers that it may have claimed.
 */

const deletesAtOnce = 16;
/** Rows that are removed together: a rollback must not hold a million of them in memory. */
const rowsPerSlice = 8 * rowsPerPlan;

const readPlannedPhones = async (
  database: Database,
  { dataSourceId, importId }: ContactImport,
  { firstSeq, blocks }: Reservation,
) => {
  const { pk, sk } = keys.importPlan(dataSourceId, importId, firstSeq);
  const last = keys.importPlan(dataSourceId, importId, firstSeq + blocks * blockSize - 1).sk;
  const plans = await database.queryAll(keyRange(pk, sk, last));
  return plans.flatMap(({ bytes }) => phonesOf(bytes as Uint8Array).filter((phone) => phone !== undefined));
};

/** The hidden contacts in the reserved range, read chunk by chunk. */
const readHidden = async (database: Database, dataSourceId: string, { firstSeq, blocks }: Reservation) => {
  const end = firstSeq + blocks * blockSize;
  const hidden = [];
  for (let from = firstSeq; from < end; ) {
    const to = Math.min(end, (chunkOf(from) + 1) * contactsPerChunk);
    hidden.push(...(await readContactRange(database, dataSourceId, from, to - 1)));
    from = to;
  }
  return hidden;
};

/** Phone numbers of the contacts that the import has updated. Each contact remembers the last import that changed it. */
const readUpdated = async (
  database: Database,
  { dataSourceId, importId, options }: ContactImport,
  guards: readonly Item[],
): Promise<string[]> => {
  if (options?.onDuplicate !== 'update') return [];
  const contacts = await database.batchGet(
    guards.map(({ seq }) => keys.contact(dataSourceId, seq as number)),
  );
  return contacts.flatMap((item) => (item?.importId === importId ? [item.phone as string] : []));
};

/** The first rows of a reserved range, and the rest of it. */
const slicesOf = ({ firstSeq, blocks, time }: Reservation): Reservation[] => {
  const size = rowsPerSlice / blockSize;
  return Array.from({ length: Math.ceil(blocks / size) }, (_, at) => ({
    firstSeq: firstSeq + at * rowsPerSlice,
    blocks: Math.min(size, blocks - at * size),
    time,
  }));
};

/**
 * Removes the guards, contacts and blocks of an import that the caller holds and that is never resumed. May be
 * repeated after a crash. Answers the phone numbers of contacts that the import has updated: an update stays.
 * `undefined` when the time was up before everything was removed.
 */
export const removeRows = async (
  database: Database,
  abandoned: ContactImport,
  reservation: Reservation,
  isTimeUp: () => boolean = () => false,
): Promise<string[] | undefined> => {
  const updated: string[] = [];
  for (const slice of slicesOf(reservation)) {
    if (isTimeUp()) return undefined;
    updated.push(...(await removeSlice(database, abandoned, slice)));
    // The next run passes this slice without looking for its numbers. Those of updated contacts are still needed.
    if (abandoned.options?.onDuplicate !== 'update') await removePlans(database, abandoned, slice);
  }
  return updated;
};

const removeSlice = async (
  database: Database,
  abandoned: ContactImport,
  reservation: Reservation,
): Promise<string[]> => {
  const { dataSourceId, importId } = abandoned;
  const hidden = await readHidden(database, dataSourceId, reservation);
  const planned = await readPlannedPhones(database, abandoned, reservation);
  const phones = [...new Set([...planned, ...hidden.map(({ phoneNumber }) => phoneNumber)])];
  const guards = (await database.batchGet(phones.map((phone) => keys.phone(dataSourceId, phone)))).filter(
    (guard) => guard !== undefined,
  );
  const isOwn = {
    ConditionExpression: 'importId = :importId',
    ExpressionAttributeValues: { ':importId': importId },
  };
  const own = guards.filter((guard) => guard.importId === importId);
  await concurrently(own, deletesAtOnce, ({ pk, sk }) =>
    unlessLost(() => database.delete({ pk, sk }, isOwn)),
  );
  const firstBlock = blockOf(reservation.firstSeq);
  const hiddenKeys: Key[] = [
    ...hidden.map(({ seq }) => keys.contact(dataSourceId, seq)),
    ...Array.from({ length: reservation.blocks }, (_, at) => keys.block(dataSourceId, firstBlock + at)),
  ];
  await concurrently(hiddenKeys, deletesAtOnce, (key) => database.delete(key));
  return readUpdated(
    database,
    abandoned,
    guards.filter((guard) => guard.importId !== importId),
  );
};
