import { customNames } from '../../domain/contacts/contact.ts';
import type {
  ContactImport,
  ImportCounts,
  ImportRow,
  ImportRows,
  OnDuplicate,
  RejectedRow,
  Reservation,
} from '../../domain/imports/contact-import.ts';
import { type Agenda, deferredOf } from '../agenda/index.ts';
import { assertRoomForNames, rememberFieldNames } from '../contacts/index.ts';
import type { Database, TransactItem } from '../table/index.ts';
import { blockSize, concurrently, keys, Lost, optimistic, transactNamed } from '../table/index.ts';
import { type AddedRows, reserveBlocks, revealBlocks, writeBlocks } from './import-blocks.ts';
import { claimRows, tryRows } from './import-phones.ts';
import { type ImportRecords, takenOver } from './import-records.ts';
import { removePlans, removeRows, rowsPerPlan, writePlan } from './import-rollback.ts';

/** The rows after they were written, hidden until the commit. Without a reservation nothing was written. */
export type PlacedRows = {
  reservation?: Reservation;
  added: AddedRows;
  /** How many rows updated a contact. */
  updateCount: number;
  rejected: RejectedRow[];
};

const tasksAtOnce = 16;

const namesIn = (rows: readonly ImportRow[]) => [
  ...new Set(rows.flatMap(({ fields }) => customNames(fields))),
];

/**
 * Imports rows so that their new contacts all appear at once: reserve blocks, claim phone numbers, write
 * contacts, commit. Each step may be repeated after a crash and ends in the same state: the record keeps the
 * reservation, guards and updated contacts bear the import's id, and new contacts are put whole at their
 * reserved sequence numbers.
 */
export class ImportedContacts {
  readonly #database: Database;
  readonly #records: ImportRecords;
  readonly #agenda: Agenda;

  constructor(database: Database, agenda: Agenda, records: ImportRecords) {
    this.#database = database;
    this.#records = records;
    this.#agenda = agenda;
  }

  /**
   * Writes the rows of an import that the caller holds, hidden until `commit`. @throws ServiceError conflict when
   * the hold was lost; tooBusy when an import that may not run beside this one does not end; invalid when the
   * data source would have too many field names (nothing is written then)
   */
  async place(
    held: ContactImport,
    { rows, importCount, fieldOrder }: ImportRows,
    now: number,
  ): Promise<PlacedRows> {
    const { dataSourceId, importId, options } = held;
    await rememberFieldNames(this.#database, dataSourceId, namesIn(rows), fieldOrder);
    if (rows.length === 0 && held.reservation === undefined)
      return { added: [], updateCount: 0, rejected: [] };
    const reservation = held.reservation ?? (await this.#reserve(held, { rows, importCount }, now));
    const { firstSeq, blocks, time } = reservation;
    // More rows than were reserved for would overwrite the contacts of the next import.
    if (rows.length > blocks * blockSize) throw new Error('the file of the import has changed');
    // Before the first row is written: dialers check the data source in time, however the import ends.
    await this.#agenda.bringGroupForward('calls', dataSourceId, now);
    const run = { dataSourceId, importId, time, isResumed: held.reservation !== undefined };
    const added: (ImportRow | undefined)[] = [];
    const rejected: RejectedRow[] = [];
    let updateCount = 0;
    for (let at = 0; at < rows.length; at += rowsPerPlan) {
      const part = rows.slice(at, at + rowsPerPlan).map((row, i) => ({ row, seq: firstSeq + at + i }));
      await writePlan(this.#database, run, part);
      const results = await claimRows(this.#database, run, part, options?.onDuplicate);
      const addedHere = part.map(({ row }, i) => (results[i] === 'added' ? row : undefined));
      await writeBlocks(this.#database, dataSourceId, addedHere, { firstSeq: firstSeq + at, time });
      added.push(...addedHere);
      rejected.push(...results.filter((result) => typeof result === 'object'));
      updateCount += results.filter((result) => result === 'updated' || result === 'rezoned').length;
      if (results.includes('rezoned')) await this.#markTasks(dataSourceId, now);
      if (added.length === rows.length) break;
      await this.#records.showProgress(held, {
        importCount,
        successCount: added.length - rejected.length,
        failCount: importCount - rows.length + rejected.length,
        updateCount,
      });
    }
    return { reservation, added, updateCount, rejected };
  }

  /** The tasks of the data source consider the contacts again that they have deferred. */
  async #markTasks(dataSourceId: string, now: number): Promise<void> {
    const tasks = await this.#agenda.listed('calls', dataSourceId);
    await concurrently(tasks, tasksAtOnce, ({ id }) =>
      this.#agenda.reschedule(deferredOf(id), now, { time: now }),
    );
  }

  /** Shows the new contacts, and the import as done, with a note about its rows. @throws ServiceError conflict when the hold was lost */
  async commit(
    held: ContactImport,
    { added, reservation, updateCount }: PlacedRows,
    rowCounts: ImportCounts,
    now: number,
    message = '',
  ): Promise<ContactImport> {
    const { dataSourceId } = held;
    const counts = { ...rowCounts, updateCount };
    const steps = async () => ({
      ...(reservation && (await revealBlocks(this.#database, dataSourceId, added, reservation))),
      ...this.#records.endSteps(held, 'DONE', message, counts, now),
    });
    await this.#end(held, 'DONE', steps, now);
    await this.#forgetPlans(held, reservation);
    return { ...held, ...counts, message, updateTime: now, status: 'DONE' };
  }

  /**
   * Removes the rows of an abandoned import that the caller holds. Dialing still waits in front of its range.
   * Answers the phone numbers of contacts that the import has updated, which stay as they are.
   */
  rollBack(held: ContactImport): Promise<string[]> {
    const { reservation } = held;
    return reservation === undefined ? Promise.resolve([]) : removeRows(this.#database, held, reservation);
  }

  /** Shows an import that was rolled back as FAILED, and lets dialing pass its range. @throws ServiceError conflict */
  async fail(held: ContactImport, message: string, counts: ImportCounts, now: number): Promise<void> {
    const { dataSourceId, reservation } = held;
    const steps = async () => ({
      ...(reservation && {
        openRange: this.#database.deleteOf(keys.openRange(dataSourceId, reservation.firstSeq)),
      }),
      // What stays of an abandoned import are its updates.
      ...this.#records.endSteps(
        held,
        'FAILED',
        message,
        { ...counts, updateCount: counts.successCount },
        now,
      ),
    });
    await this.#end(held, 'FAILED', steps, now);
    await this.#forgetPlans(held, reservation);
  }

  /** As `place`, but writes nothing. @throws ServiceError invalid (field names) */
  async dryRun(
    dataSourceId: string,
    rows: readonly ImportRow[],
    onDuplicate?: OnDuplicate,
  ): Promise<PlacedRows> {
    await assertRoomForNames(this.#database, dataSourceId, namesIn(rows));
    return { added: [], ...(await tryRows(this.#database, dataSourceId, rows, onDuplicate)) };
  }

  /** The import has ended, whether this succeeds or not: plans that are left expire. */
  async #forgetPlans(held: ContactImport, reservation: Reservation | undefined): Promise<void> {
    if (reservation === undefined) return;
    await removePlans(this.#database, held, reservation).catch(() => undefined);
  }

  async #end(
    { dataSourceId, importId, runner }: ContactImport,
    status: 'DONE' | 'FAILED',
    steps: () => Promise<Record<string, TransactItem>>,
    now: number,
  ): Promise<void> {
    await optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, await steps());
      if (failed.has('record')) {
        // This very call may have ended it, and the answer got lost.
        const found = await this.#records.find(dataSourceId, importId);
        if (found?.status !== status || found.runner !== runner) throw takenOver();
      } else if (failed.size > 0) throw new Lost();
    });
    await this.#agenda.bringGroupForward('calls', dataSourceId, now);
  }

  #reserve(held: ContactImport, { rows, importCount }: ImportRows, now: number): Promise<Reservation> {
    const { dataSourceId, importId, options } = held;
    const isAlone = options?.onDuplicate === 'update';
    return optimistic(async () => {
      const request = { dataSourceId, importId, rows, isAlone, time: now };
      const { firstSeq, blocks, steps } = await reserveBlocks(this.#database, request);
      const reservation = { firstSeq, blocks, time: now };
      const counts = { importCount, successCount: 0, failCount: importCount - rows.length };
      const failed = await transactNamed<string>(this.#database, {
        ...steps,
        record: this.#records.reserveStep(held, reservation, counts),
      });
      if (failed.has('record')) throw takenOver();
      if (failed.size > 0) throw new Lost();
      return reservation;
    });
  }
}
