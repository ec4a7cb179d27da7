import { customNames } from '../../domain/contacts/contact.ts';
import type {
  ContactImport,
  ImportCounts,
  ImportRow,
  OnDuplicate,
  Reservation,
} from '../../domain/imports/contact-import.ts';
import { duplicateRow, type FailedRow } from '../../domain/imports/failed-row.ts';
import { assertRoomForNames, rememberFieldNames } from '../contacts/index.ts';
import type { Database } from '../table/index.ts';
import { blockSize, keys, Lost, optimistic, transactNamed } from '../table/index.ts';
import { Roster } from '../tasks/index.ts';
import { reserveBlocks, revealBlocks } from './import-blocks.ts';
import { ImportRecords } from './import-records.ts';
import { type Claimant, claimPhones, type PlacedRows, type RowPlace, writeRows } from './import-rows.ts';
import { addOrUpdate, mergeWithContacts, type RowResult, readGuards } from './import-updates.ts';
import { ending, reserving, takenOver } from './runner-holds.ts';

/** `importCount`: all rows of the file, those that are not worth trying included. */
export type ImportFile = { rows: readonly ImportRow[]; importCount: number };

/** Where the rows lie, unseen until the commit, and those that cannot be imported. */
export type Placement = {
  reservation: Reservation;
  placed: PlacedRows;
  rejected: FailedRow[];
};

/** Rows between two words about how far the import is; whole blocks. */
const rowsAtOnce = 8 * blockSize;

const namesIn = (rows: readonly ImportRow[]) => [
  ...new Set(rows.flatMap(({ fields }) => customNames(fields))),
];

/**
 * Imports rows so that new contacts all appear at once. Each step may be done again after a crash and ends
 * in the same state: the reservation is kept in the record, guards and updated contacts bear the import's
 * id, and new contacts are put whole at their reserved places.
 */
export class Imports extends ImportRecords {
  readonly #database: Database;
  readonly #roster: Roster;

  constructor(database: Database) {
    super(database);
    this.#database = database;
    this.#roster = new Roster(database);
  }

  /**
   * Puts the rows of an import that `begin` gave to the caller where `commit` will show them.
   * @throws ServiceError conflict when it was taken over; tooBusy when another import does not end that may
   * not run beside it; invalid when the data source would have too many field names (nothing is written then)
   */
  async place(found: ContactImport, { rows, importCount }: ImportFile, now: number): Promise<Placement> {
    await rememberFieldNames(this.#database, found.dataSourceId, namesIn(rows));
    const reservation = found.reservation ?? (await this.#reserve(found, { rows, importCount }, now));
    // Another file than the one that was reserved for would run into the next import's contacts.
    if (rows.length > reservation.blocks * blockSize) throw new Error('the file of the import has changed');
    // Before the first row is written: however the import ends, dialers look in time.
    await this.#roster.wake(found.dataSourceId, now);
    const placed: (ImportRow | undefined)[] = [];
    const rejected: FailedRow[] = [];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const part = rows.slice(at, at + rowsAtOnce);
      const results = await this.#placePart(found, part, {
        ...reservation,
        firstSeq: reservation.firstSeq + at,
      });
      placed.push(...part.map((row, i) => (results[i] === 'added' ? row : undefined)));
      rejected.push(...results.filter((result) => typeof result === 'object'));
      const done = at + part.length;
      if (done === rows.length) break;
      const failCount = importCount - rows.length + rejected.length;
      await this.showProgress(found, { importCount, successCount: done - rejected.length, failCount });
    }
    return { reservation, placed, rejected };
  }

  /** Shows the new contacts, and the import as done. @throws ServiceError conflict when it was taken over */
  async commit(
    found: ContactImport,
    placement: Placement,
    counts: ImportCounts,
    now: number,
  ): Promise<ContactImport> {
    const ended = await this.#end(found, placement, counts, now);
    await this.#roster.wake(found.dataSourceId, now);
    return ended;
  }

  #end(
    found: ContactImport,
    { placed, reservation }: Placement,
    counts: ImportCounts,
    now: number,
  ): Promise<ContactImport> {
    const { dataSourceId, importId } = found;
    return optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, {
        ...(await revealBlocks(this.#database, dataSourceId, placed, reservation)),
        record: this.#database.updateOf(keys.import(dataSourceId, importId), ending(found, counts, now)),
        pointer: this.#database.deleteOf(keys.pendingImport(importId)),
      });
      if (failed.has('record')) {
        // Perhaps by this very call, whose answer got lost on the way.
        const ended = await this.find(dataSourceId, importId);
        if (ended?.status !== 'DONE' || ended.runner !== found.runner) throw takenOver();
        return ended;
      }
      if (failed.size > 0) throw new Lost();
      return { ...found, ...counts, updateTime: now, reservation, status: 'DONE' };
    });
  }

  /** The rows that an import would reject now; nothing is written. @throws ServiceError invalid (field names) */
  async tryOut(
    dataSourceId: string,
    rows: readonly ImportRow[],
    onDuplicate: OnDuplicate,
    now: number,
  ): Promise<Placement> {
    await assertRoomForNames(this.#database, dataSourceId, namesIn(rows));
    const guards = await readGuards(this.#database, dataSourceId, rows);
    const taken = rows.flatMap((row, i) => (guards[i] === undefined ? [] : [{ row, guard: guards[i] }]));
    const nobody: Claimant = { dataSourceId, importId: '', isResumed: false };
    const rejected =
      onDuplicate === 'skip'
        ? taken.map(({ row }) => duplicateRow(row))
        : (await mergeWithContacts(this.#database, nobody, taken, now)).filter(isFailure);
    return { reservation: { firstSeq: 0, blocks: 0, time: now }, placed: [], rejected };
  }

  async #placePart(
    { dataSourceId, importId, options, reservation }: ContactImport,
    rows: readonly ImportRow[],
    { firstSeq, time }: Reservation,
  ): Promise<RowResult[]> {
    const claimant = { dataSourceId, importId, isResumed: reservation !== undefined };
    const places: RowPlace[] = rows.map((row, i) => ({ row, seq: firstSeq + i }));
    const results =
      options?.onDuplicate === 'update'
        ? await addOrUpdate(this.#database, claimant, places, time)
        : await addOrReject(this.#database, claimant, places);
    const placed = rows.map((row, i) => (results[i] === 'added' ? row : undefined));
    await writeRows(this.#database, dataSourceId, placed, { firstSeq, time });
    return results;
  }

  async #reserve(found: ContactImport, { rows, importCount }: ImportFile, now: number): Promise<Reservation> {
    const { dataSourceId, importId, options } = found;
    const blocks = Math.ceil(rows.length / blockSize);
    if (blocks === 0) return { firstSeq: 0, blocks, time: now };
    const isAlone = options?.onDuplicate === 'update';
    return optimistic(async () => {
      const { firstSeq, steps } = await reserveBlocks(this.#database, {
        dataSourceId,
        importId,
        rows,
        isAlone,
      });
      const reservation = { firstSeq, blocks, time: now };
      const counts = { importCount, successCount: 0, failCount: importCount - rows.length };
      const failed = await transactNamed<string>(this.#database, {
        ...steps,
        record: this.#database.updateOf(
          keys.import(dataSourceId, importId),
          reserving(found, reservation, counts),
        ),
      });
      if (failed.has('record')) throw takenOver();
      if (failed.size > 0) throw new Lost();
      return reservation;
    });
  }
}

const isFailure = (result: unknown): result is FailedRow =>
  typeof result === 'object' && result !== null && 'code' in result;

const addOrReject = async (
  database: Database,
  claimant: Claimant,
  places: readonly RowPlace[],
): Promise<RowResult[]> => {
  const claimed = await claimPhones(database, claimant, places);
  return places.map(({ row }, i) => (claimed[i] ? 'added' : duplicateRow(row)));
};
