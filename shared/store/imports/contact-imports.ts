import { customNames } from '../../domain/contact.ts';
import type { ContactImport, ImportRow, Reservation } from '../../domain/contact-import.ts';
import { conflict } from '../../domain/errors.ts';
import { rememberFieldNames } from '../contacts/field-names.ts';
import type { Database, Update } from '../database.ts';
import { blockSize, keys } from '../keys.ts';
import { Lost, optimistic, transactNamed } from '../optimistic.ts';
import { Roster } from '../roster.ts';
import { reserveBlocks, revealBlocks } from './import-directory.ts';
import { ImportRecords } from './import-records.ts';
import { claimPhones, type PlacedRows, writeRows } from './import-rows.ts';

export type ImportStage = 'named' | 'reserved' | 'guarded' | 'written' | 'committed';
/** `duplicates`, the rows whose phone number was taken, are known from stage `guarded` on. */
export type OnStage = (stage: ImportStage, duplicates: readonly ImportRow[]) => Promise<void>;
export type ImportOutcome = { import: ContactImport; duplicates: readonly ImportRow[] };
/** `importCount`: all rows of the file, those that are not worth trying included. */
export type ImportFile = { rows: readonly ImportRow[]; importCount: number };

type Result = Pick<ContactImport, 'importCount' | 'successCount' | 'failCount' | 'updateTime'>;

const lost = () => conflict('the import is run by another runner');

/** Holds while this runner has the import. */
const heldBy = (found: ContactImport, { ConditionExpression: also, ...set }: Update): Update => ({
  ...set,
  ConditionExpression: ['runner = :runner AND #status = :running', also ?? []].flat().join(' AND '),
  ExpressionAttributeNames: { ...set.ExpressionAttributeNames, '#status': 'status' },
  ExpressionAttributeValues: {
    ...set.ExpressionAttributeValues,
    ':runner': found.runner,
    ':running': 'RUNNING',
  },
});

const namesIn = (rows: readonly ImportRow[]) => [
  ...new Set(rows.flatMap(({ fields }) => customNames(fields))),
];

/**
 * Imports rows so that they all appear at once. Each step may be done again after a crash and ends in the
 * same state: the reservation is kept in the record, guards bear the import's id, and contacts are put
 * whole at their reserved places.
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
   * Runs an import that `begin` gave to the caller. @throws ServiceError conflict when it was taken over,
   * invalid when the data source would have too many field names (nothing is written then)
   */
  async run(
    found: ContactImport,
    { rows, importCount }: ImportFile,
    now: number,
    onStage: OnStage = async () => {},
  ): Promise<ImportOutcome> {
    const { dataSourceId, importId } = found;
    await rememberFieldNames(this.#database, dataSourceId, namesIn(rows));
    await onStage('named', []);
    const reservation = found.reservation ?? (await this.#reserve(found, rows.length, now));
    // Another file than the one that was reserved for would run into the next import's contacts.
    if (rows.length > reservation.blocks * blockSize) throw new Error('the file of the import has changed');
    // Before the first row is written: however the import ends, dialers look in time.
    await this.#roster.wake(dataSourceId, now);
    await onStage('reserved', []);
    const { firstSeq } = reservation;
    const isResumed = found.reservation !== undefined;
    const placed = await claimPhones(this.#database, { dataSourceId, importId, firstSeq, isResumed }, rows);
    const duplicates = rows.filter((_, at) => placed[at] === undefined);
    await onStage('guarded', duplicates);
    await writeRows(this.#database, dataSourceId, placed, reservation);
    await onStage('written', duplicates);
    const successCount = rows.length - duplicates.length;
    const counts = { importCount, successCount, failCount: importCount - successCount };
    const ended = await this.#commit(found, placed, reservation, { ...counts, updateTime: now });
    await this.#roster.wake(dataSourceId, now);
    await onStage('committed', duplicates);
    return { import: ended, duplicates };
  }

  async #reserve(found: ContactImport, rows: number, now: number): Promise<Reservation> {
    const { dataSourceId, importId } = found;
    const blocks = Math.ceil(rows / blockSize);
    if (blocks === 0) return { firstSeq: 0, blocks, time: now };
    return optimistic(async () => {
      const { firstSeq, steps } = await reserveBlocks(this.#database, dataSourceId, importId, blocks);
      const reservation = { firstSeq, blocks, time: now };
      const failed = await transactNamed<string>(this.#database, {
        ...steps,
        record: this.#database.updateOf(keys.import(dataSourceId, importId), reserving(found, reservation)),
      });
      if (failed.has('record')) throw lost();
      if (failed.size > 0) throw new Lost();
      return reservation;
    });
  }

  #commit(
    found: ContactImport,
    placed: PlacedRows,
    reservation: Reservation,
    result: Result,
  ): Promise<ContactImport> {
    return optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, {
        ...(await revealBlocks(this.#database, found.dataSourceId, placed, reservation)),
        record: this.#database.updateOf(
          keys.import(found.dataSourceId, found.importId),
          ending(found, result),
        ),
        pointer: this.#database.deleteOf(keys.pendingImport(found.importId)),
      });
      if (failed.has('record')) {
        // Perhaps by this very call, whose answer got lost on the way.
        const ended = await this.find(found.dataSourceId, found.importId);
        if (ended?.status !== 'DONE' || ended.runner !== found.runner) throw lost();
        return ended;
      }
      if (failed.size > 0) throw new Lost();
      return { ...found, ...result, reservation, status: 'DONE' };
    });
  }
}

const reserving = (found: ContactImport, reservation: Reservation): Update =>
  heldBy(found, {
    UpdateExpression: 'SET reservation = :reservation',
    ConditionExpression: 'attribute_not_exists(reservation)',
    ExpressionAttributeValues: { ':reservation': reservation },
  });

const ending = (found: ContactImport, { importCount, successCount, failCount, updateTime }: Result): Update =>
  heldBy(found, {
    UpdateExpression:
      'SET #status = :done, importCount = :imported, successCount = :succeeded, ' +
      'failCount = :failed, updateTime = :now REMOVE runUntil',
    ExpressionAttributeValues: {
      ':done': 'DONE',
      ':imported': importCount,
      ':succeeded': successCount,
      ':failed': failCount,
      ':now': updateTime,
    },
  });
