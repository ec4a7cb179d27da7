import { assertRoomForNames, rememberFields } from '../contacts/data-sources.ts';
import { customNames, zonesAmong } from '../contacts/rules/contact.ts';
import { noPhones, withLongest } from '../contacts/rules/phone-number.ts';
import type { Agenda } from '../platform/agenda/agenda.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import { type Database, Lost, type TransactItem } from '../platform/table/database.ts';
import { blockSize, keys } from '../platform/table/keys.ts';
import { optimistic, transactNamed } from '../platform/table/optimistic.ts';
import { deferredOf } from '../tasks/task-work.ts';
import {
  type LiveBlock,
  liveBlocks,
  removeRows,
  reserveBlocks,
  revealBlocks,
  writeBlocks,
} from './import-blocks.ts';
import { type ImportRecords, takenOver } from './import-records.ts';
import {
  type ContactImport,
  type ImportCounts,
  type ImportFailure,
  type ImportRow,
  type ImportRows,
  noneWritten,
  type OnDuplicate,
  type RejectedRow,
  type Reservation,
  type WrittenParts,
} from './rules/contact-import.ts';
import { claimRows, removePlans, rowsPerPlan, tryRows, writePlan } from './run/import-phones.ts';

type StoredCounts = ImportCounts & { updateCount: number };

/**
 * The rows after they were written, hidden until the commit. Without a reservation nothing was
 * written.
 */
export type WrittenRows = {
  reservation?: Reservation;
  /** The blocks with new contacts. */
  lives: readonly LiveBlock[];
  /** How many rows updated a contact. */
  updateCount: number;
  rejected: RejectedRow[];
};

/** Gets the changed contacts, so that tasks whose filter excluded them look at them again. */
type Reconsider = (dataSourceId: string, seqs: readonly number[], now: number) => Promise<void>;

const tasksAtOnce = 16;

const namesIn = (rows: readonly ImportRow[]) => [
  ...new Set(rows.flatMap(({ fields }) => customNames(fields))),
];

/**
 * Imports rows so that their new contacts all appear at once: reserve blocks, claim phone numbers,
 * write contacts, commit.
 *
 * The parts of a file are written one after another, and the record says how many are done. If they
 * become visible at once, one reservation is for all of them, and the commit shows them. If they
 * become visible in steps, each part has a reservation of its own, which `endPart` closes.
 */
export class ImportedContacts {
  readonly #database: Database;
  readonly #records: ImportRecords;
  readonly #agenda: Agenda;
  readonly #reconsider: Reconsider;

  constructor(database: Database, agenda: Agenda, records: ImportRecords, reconsider: Reconsider) {
    this.#database = database;
    this.#records = records;
    this.#agenda = agenda;
    this.#reconsider = reconsider;
  }

  /**
   * Stores the names of all fields of a file.
   * @throws ServiceError invalid if the data source would have too many
   */
  async rememberNames(
    dataSourceId: string,
    names: readonly string[],
    order: readonly string[],
  ): Promise<void> {
    await rememberFields(this.#database, dataSourceId, { names, order });
  }

  /**
   * Writes the rows of an import that the caller has claimed, or of its next part, hidden until
   * `commit` or `endPart`. `isResumed`: an earlier run may have begun to write them.
   * @throws ServiceError conflict if the claim was lost; tooBusy if an import that excludes this
   *   one does not end
   */
  async writeRows(
    claimed: ContactImport,
    { rows, importCount, firstBlock = 0 }: ImportRows,
    now: number,
    isResumed = claimed.reservation !== undefined,
  ): Promise<WrittenRows> {
    const { dataSourceId, importId, options, cut, placed: done = noneWritten } = claimed;
    const isForAll = cut !== undefined && !cut.isStepwise && cut.parts > 1;
    const needed = isForAll ? cut.blocks : Math.ceil(rows.length / blockSize);
    if (needed === 0 && claimed.reservation === undefined) return { lives: [], updateCount: 0, rejected: [] };
    const total = cut ? claimed.importCount : importCount;
    const invalidCount = done.failCount + importCount - rows.length;
    const counts = { importCount: total, successCount: done.successCount, failCount: invalidCount };
    const reservation = claimed.reservation ?? (await this.#reserve(claimed, rows, needed, counts, now));
    const { blocks, time } = reservation;
    const offset = cut?.isStepwise ? 0 : firstBlock * blockSize;
    // More rows than were reserved would overwrite the contacts of the next import.
    if (offset + rows.length > blocks * blockSize) throw new Error('the file of the import has changed');
    const firstSeq = reservation.firstSeq + offset;
    await rememberFields(this.#database, dataSourceId, { zones: zonesAmong(rows) });
    // Before the first row is written, so that dialers check the data source in time, however the
    // import ends.
    await this.#agenda.bringGroupForward('calls', dataSourceId, now);
    const onUpdated = (seqs: readonly number[]) => this.#reconsider(dataSourceId, seqs, now);
    const run = { dataSourceId, importId, time, isResumed, onUpdated };
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
      updateCount += results.filter((result) => result === 'updated' || result === 'retimed').length;
      if (results.includes('retimed')) await this.#markTasks(dataSourceId, now);
      if (added.length === rows.length) break;
      await this.#records.showProgress(claimed, {
        importCount: total,
        successCount: done.successCount + added.length - rejected.length,
        failCount: invalidCount + rejected.length,
        updateCount: done.updateCount + updateCount,
      });
    }
    return { reservation, lives: liveBlocks(added, firstSeq), updateCount, rejected };
  }

  /**
   * A further part of a file is written. The counts are those of all rows so far. Shows the
   * contacts of the part if the import is stepwise. The claim lasts until `until`.
   * @throws ServiceError conflict if the claim was lost or the import was cancelled
   */
  async endPart(
    claimed: ContactImport,
    { lives, reservation }: WrittenRows,
    placed: WrittenParts,
    now: number,
    until: number,
  ): Promise<ContactImport> {
    const { dataSourceId, cut } = claimed;
    const shown = cut?.isStepwise ? reservation : undefined;
    const steps = async () => ({
      ...(shown && (await revealBlocks(this.#database, dataSourceId, lives, shown))),
      record: this.#records.writtenStep(claimed, placed, until),
    });
    await this.#write(claimed, steps, (found) => found.placed?.parts === placed.parts);
    if (shown !== undefined) {
      await this.#agenda.bringGroupForward('calls', dataSourceId, now);
      await this.#forgetPlans(claimed, shown);
    }
    const { parts: _parts, blocks: _blocks, ...counts } = placed;
    const ended = { ...claimed, ...counts, placed, runUntil: until, begun: 0 };
    delete ended.reservation;
    if (cut?.isStepwise || reservation === undefined) return ended;
    return { ...ended, reservation };
  }

  /** Whether tasks of the data source run or are paused. */
  async hasTasks(dataSourceId: string): Promise<boolean> {
    return (await this.#agenda.listed('calls', dataSourceId)).length > 0;
  }

  /** The tasks of the data source place their contacts in line again. */
  async #markTasks(dataSourceId: string, now: number): Promise<void> {
    const tasks = await this.#agenda.listed('calls', dataSourceId);
    await concurrently(tasks, tasksAtOnce, ({ id }) =>
      this.#agenda.reschedule(deferredOf(id), now, { time: now, isAll: true }),
    );
  }

  /**
   * Shows the new contacts, and the import as done, with a note about its rows.
   * @throws ServiceError conflict if the claim was lost
   */
  async commit(
    claimed: ContactImport,
    { lives, reservation, updateCount }: Omit<WrittenRows, 'rejected'>,
    rowCounts: ImportCounts,
    now: number,
    message = '',
  ): Promise<ContactImport> {
    const { dataSourceId } = claimed;
    const counts = { ...rowCounts, updateCount };
    const steps = async () => ({
      ...(reservation && (await revealBlocks(this.#database, dataSourceId, lives, reservation))),
      ...this.#records.endSteps(claimed, { status: 'DONE', message }, counts, now),
    });
    await this.#end(claimed, 'DONE', steps, now);
    await this.#forgetPlans(claimed, reservation);
    return { ...claimed, ...counts, message, updateTime: now, status: 'DONE' };
  }

  /**
   * Removes the rows of an abandoned import that the caller has claimed, except visible rows.
   * Dialing still waits before its range.
   * @returns the phone numbers of contacts that the import has updated since the last part that it
   *   ended, because updates stay; undefined if the time was up before all rows were removed
   */
  async rollBack(claimed: ContactImport, isTimeUp?: () => boolean): Promise<string[] | undefined> {
    const { reservation, cut, placed } = claimed;
    if (reservation === undefined) return [];
    const blocks = cut?.isStepwise ? 0 : (placed?.blocks ?? 0);
    const { firstSeq } = reservation;
    const ended = { ...reservation, blocks };
    if ((await removeRows(this.#database, claimed, ended, isTimeUp)) === undefined) return undefined;
    const last = {
      ...reservation,
      firstSeq: firstSeq + blocks * blockSize,
      blocks: reservation.blocks - blocks,
    };
    return removeRows(this.#database, claimed, last, isTimeUp);
  }

  /**
   * Shows an import that was rolled back as FAILED, and lets dialing pass its range.
   * @throws ServiceError conflict
   */
  async fail(
    claimed: ContactImport,
    failure: ImportFailure,
    counts: StoredCounts,
    now: number,
  ): Promise<void> {
    const { dataSourceId, reservation } = claimed;
    const steps = async () => ({
      ...(reservation && {
        openRange: this.#database.deleteOf(keys.openRange(dataSourceId, reservation.firstSeq)),
      }),
      ...this.#records.endSteps(claimed, { status: 'FAILED', ...failure }, counts, now),
    });
    await this.#end(claimed, 'FAILED', steps, now);
    await this.#forgetPlans(claimed, reservation);
  }

  /** Like `writeRows`, but writes nothing. @throws ServiceError invalid (field names) */
  async dryRun(
    dataSourceId: string,
    rows: readonly ImportRow[],
    onDuplicate?: OnDuplicate,
  ): Promise<WrittenRows> {
    await assertRoomForNames(this.#database, dataSourceId, namesIn(rows));
    return { lives: [], ...(await tryRows(this.#database, dataSourceId, rows, onDuplicate)) };
  }

  /** The import has ended, whether this succeeds or not. Remaining plans expire. */
  async #forgetPlans(claimed: ContactImport, reservation: Reservation | undefined): Promise<void> {
    if (reservation === undefined) return;
    await removePlans(this.#database, claimed, reservation).catch(() => undefined);
  }

  async #end(
    claimed: ContactImport,
    status: 'DONE' | 'FAILED',
    steps: () => Promise<Record<string, TransactItem>>,
    now: number,
  ): Promise<void> {
    await this.#write(claimed, steps, (found) => found.status === status);
    await this.#agenda.bringGroupForward('calls', claimed.dataSourceId, now);
  }

  /** A transaction with a step `record`. `isWritten`: it was written, and its answer was lost. */
  async #write(
    { dataSourceId, importId, runner }: ContactImport,
    steps: () => Promise<Record<string, TransactItem>>,
    isWritten: (found: ContactImport) => boolean,
  ): Promise<void> {
    await optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, await steps());
      if (failed.has('record')) {
        const found = await this.#records.find(dataSourceId, importId);
        if (found === undefined || !isWritten(found) || found.runner !== runner) throw takenOver();
      } else if (failed.size > 0) throw new Lost();
    });
  }

  #reserve(
    claimed: ContactImport,
    rows: readonly ImportRow[],
    blocks: number,
    counts: ImportCounts,
    now: number,
  ): Promise<Reservation> {
    const { dataSourceId, importId, options, cut } = claimed;
    const isAlone = options?.onDuplicate === 'update';
    const longest =
      cut?.longest ?? rows.reduce((known, row) => withLongest(known, row.phoneNumber), noPhones);
    return optimistic(async () => {
      const request = { dataSourceId, importId, blocks, longest, isAlone, time: now };
      const { firstSeq, steps } = await reserveBlocks(this.#database, request);
      const reservation = { firstSeq, blocks, time: now };
      const failed = await transactNamed<string>(this.#database, {
        ...steps,
        record: this.#records.reserveStep(claimed, reservation, counts),
      });
      if (failed.has('record')) throw takenOver();
      if (failed.size > 0) throw new Lost();
      return reservation;
    });
  }
}
