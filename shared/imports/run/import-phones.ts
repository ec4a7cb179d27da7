import { contactOfItem } from '../../contacts/contact-items.ts';
import { blockOfPhones } from '../../contacts/phone-block.ts';
import { patched } from '../../contacts/rules/contact.ts';
import { timingFields } from '../../contacts/rules/own-times.ts';
import { ServiceError } from '../../platform/rules/errors.ts';
import type { VersionedUpdate } from '../../platform/table/batches.ts';
import { backoff } from '../../platform/table/concurrency.ts';
import type { Database } from '../../platform/table/database.ts';
import { blockSize, type Item, keys } from '../../platform/table/keys.ts';
import { optimistic } from '../../platform/table/optimistic.ts';
import {
  type ContactImport,
  type ImportRow,
  type OnDuplicate,
  type RejectedRow,
  type Reservation,
  rejectDuplicate,
  rejectFields,
} from '../rules/contact-import.ts';

/**
 * The phone numbers of an import's rows. A guard exists while a contact of the data source has the
 * number.
 *
 * A free number is claimed by a guard with the import's id, so that a resumed import recognises it.
 * A row whose number is taken is rejected, or updates the contact. Before the first number of a run
 * of rows is claimed, a plan lists all of them. With the plan the rollback finds the guards without
 * the file.
 */

/**
 * Longer than the bucket keeps the file, which is 35 days. An import removes its plans when it
 * ends, unless it is interrupted there.
 */
const planSeconds = 35 * 24 * 60 * 60;
/** Rows of one plan; whole blocks. Clients see the counts change after as many rows. */
export const rowsPerPlan = 8 * blockSize;
/** The blocks that the rows of a part fill. Each part begins a plan. */
export const blocksOfPart = (rows: number) => (Math.ceil(rows / rowsPerPlan) * rowsPerPlan) / blockSize;

/**
 * What happened to a row: it became a new contact, it updated the contact with its number, or it
 * was rejected. `retimed`: updated, and the zone or the own times of the
 * contact may have changed.
 */
type RowResult = 'added' | 'updated' | 'retimed' | RejectedRow;

/** A row and the sequence number reserved for it. */
type NumberedRow = { row: ImportRow; seq: number };

type ImportRun = {
  dataSourceId: string;
  importId: string;
  /** The update time of changed contacts, in epoch milliseconds. */
  time: number;
  /** An earlier run may have left guards with the import's id. */
  isResumed: boolean;
  /** Gets the contacts that have the fields of their rows, even from an earlier run. */
  onUpdated?: (seqs: readonly number[]) => Promise<void>;
};

/** Stores the numbers that the rows are about to claim, for about 0.01 write units a row. */
export const writePlan = (
  database: Database,
  { dataSourceId, importId, time }: ImportRun,
  rows: readonly NumberedRow[],
): Promise<void> =>
  optimistic(() =>
    database.put({
      ...keys.importPlan(dataSourceId, importId, rows[0]!.seq),
      bytes: blockOfPhones(rows.map(({ row }) => row.phoneNumber)),
      ttl: Math.ceil(time / 1000) + planSeconds,
    }),
  );

/** The import has ended. Nothing needs the phone numbers in its plans any more. */
export const removePlans = async (
  database: Database,
  { dataSourceId, importId }: ContactImport,
  { firstSeq, blocks }: Reservation,
): Promise<void> => {
  const plans = Math.ceil((blocks * blockSize) / rowsPerPlan);
  await database.deleteAll(
    Array.from({ length: plans }, (_, at) =>
      keys.importPlan(dataSourceId, importId, firstSeq + at * rowsPerPlan),
    ),
  );
};

const readGuards = (database: Database, dataSourceId: string, rows: readonly ImportRow[]) =>
  database.batchGet(rows.map(({ phoneNumber }) => keys.phone(dataSourceId, phoneNumber)));

/**
 * Claims the phone number of each row. A guard is read only where it may be the import's own.
 * @returns which rows have their number
 */
const claimPhones = async (
  database: Database,
  { dataSourceId, importId, isResumed }: ImportRun,
  rows: readonly NumberedRow[],
): Promise<boolean[]> => {
  const insertions = await database.insertAll(
    rows.map(({ row, seq }) => ({ ...keys.phone(dataSourceId, row.phoneNumber), seq, importId })),
  );
  const perhapsOwn = rows.filter(
    (_, i) => insertions[i] === 'unsure' || (isResumed && insertions[i] === 'taken'),
  );
  const guards = await readGuards(
    database,
    dataSourceId,
    perhapsOwn.map(({ row }) => row),
  );
  const own = new Set(perhapsOwn.filter((_, i) => guards[i]?.importId === importId));
  return rows.map((row, i) => insertions[i] === 'inserted' || own.has(row));
};

const addOrReject = async (database: Database, run: ImportRun, rows: readonly NumberedRow[]) => {
  const claimed = await claimPhones(database, run, rows);
  return rows.map(({ row }, i): RowResult => (claimed[i] ? 'added' : rejectDuplicate(row)));
};

/** A row and the guard of the contact that has its phone number. */
type TakenRow = { row: ImportRow; guard: Item };

/** What a row does to its contact. Each contact stores the last import that changed it. */
const mergeRow = (
  item: Item,
  row: ImportRow,
  run: ImportRun,
): Exclude<RowResult, 'added'> | (VersionedUpdate & { result: RowResult }) => {
  const { dataSourceId, importId, time } = run;
  const removed = (row.removed ?? []).map((name) => [name, null] as const);
  const changes = new Map<string, string | null>([...Object.entries(row.fields), ...removed]);
  if (item.importId === importId)
    return timingFields.some((name) => changes.has(name)) ? 'retimed' : 'updated';
  try {
    const contact = contactOfItem(dataSourceId, item);
    const { fields } = patched(contact, { changes });
    const text = JSON.stringify(fields);
    if (text === item.fields) return 'updated';
    const { pk, sk, v } = item;
    const set = { fields: text, updated: time, importId };
    const isRetimed = timingFields.some((name) => fields[name] !== contact.fields[name]);
    const result = isRetimed ? 'retimed' : 'updated';
    return { key: { pk, sk }, version: v as number, set, result };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return rejectFields(row, error.message);
  }
};

/** `mergeRow` of each row with its present contact; `undefined` if that was deleted. */
const mergeRows = async (database: Database, run: ImportRun, taken: readonly TakenRow[]) => {
  const contacts = await database.batchGet(
    taken.map(({ guard }) => keys.contact(run.dataSourceId, guard.seq as number)),
  );
  return taken.map(({ row }, i) => {
    const item = contacts[i];
    return item?.phone === row.phoneNumber ? mergeRow(item, row, run) : undefined;
  });
};

/** The result of each row; `undefined` if the contact was changed or deleted meanwhile. */
const updateTaken = async (database: Database, run: ImportRun, taken: readonly TakenRow[]) => {
  const merged = await mergeRows(database, run, taken);
  const updates = merged.filter((each) => typeof each === 'object' && 'key' in each);
  const made = await database.updateAll(updates);
  const lost = new Set<unknown>(updates.filter((_, i) => !made[i]));
  const results = merged.map((each): RowResult | undefined => {
    if (typeof each !== 'object' || !('key' in each)) return each;
    return lost.has(each) ? undefined : each.result;
  });
  const updated = taken.filter((_, i) => results[i] === 'updated' || results[i] === 'retimed');
  if (updated.length > 0) await run.onUpdated?.(updated.map(({ guard }) => guard.seq as number));
  return results;
};

/**
 * Claims free numbers, and updates the contacts of taken ones. If another writer was first, the row
 * is read again.
 */
const addOrUpdate = async (database: Database, run: ImportRun, rows: readonly NumberedRow[]) => {
  const results = new Map<number, RowResult>();
  for (let tries = 0, open = rows; open.length > 0; tries++) {
    if (tries > 0) await backoff(tries);
    const guards = await readGuards(
      database,
      run.dataSourceId,
      open.map(({ row }) => row),
    );
    const free = open.filter((_, i) => guards[i] === undefined);
    const own = open.filter((_, i) => guards[i]?.importId === run.importId);
    const taken = open.flatMap((each, i) => {
      const guard = guards[i];
      return guard === undefined || guard.importId === run.importId ? [] : [{ ...each, guard }];
    });
    const claimed = await claimPhones(database, run, free);
    for (const { seq } of own) results.set(seq, 'added');
    for (const [at, { seq }] of free.entries()) if (claimed[at]) results.set(seq, 'added');
    const updated = await updateTaken(database, run, taken);
    for (const [at, { seq }] of taken.entries()) if (updated[at] !== undefined) results.set(seq, updated[at]);
    open = open.filter(({ seq }) => !results.has(seq));
  }
  return rows.map(({ seq }) => results.get(seq)!);
};

/**
 * Claims the phone numbers of the rows, or updates their contacts.
 * @returns what happened to each row
 */
export const claimRows = (
  database: Database,
  run: ImportRun,
  rows: readonly NumberedRow[],
  onDuplicate: OnDuplicate = 'skip',
): Promise<RowResult[]> => (onDuplicate === 'update' ? addOrUpdate : addOrReject)(database, run, rows);

/** The rows that an import would reject now, and how many it would update. Writes nothing. */
export const tryRows = async (
  database: Database,
  dataSourceId: string,
  rows: readonly ImportRow[],
  onDuplicate: OnDuplicate = 'skip',
): Promise<{ rejected: RejectedRow[]; updateCount: number }> => {
  const guards = await readGuards(database, dataSourceId, rows);
  const taken = rows.flatMap((row, i) => (guards[i] === undefined ? [] : [{ row, guard: guards[i] }]));
  if (onDuplicate === 'skip')
    return { rejected: taken.map(({ row }) => rejectDuplicate(row)), updateCount: 0 };
  const run = { dataSourceId, importId: '', time: 0, isResumed: false };
  const merged = await mergeRows(database, run, taken);
  const rejected = merged.filter((each) => typeof each === 'object' && 'code' in each);
  const deleted = merged.filter((each) => each === undefined);
  return { rejected, updateCount: merged.length - rejected.length - deleted.length };
};
