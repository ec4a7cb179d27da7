import { customNames } from '../domain/contact.ts';
import type { ContactImport, ImportRow, Reservation } from '../domain/contact-import.ts';
import { conflict } from '../domain/errors.ts';
import { withLive } from './contact-slot.ts';
import type { Database, TransactItem, Update } from './database.ts';
import { rememberFieldNames } from './field-names.ts';
import { ImportRecords } from './import-records.ts';
import { claimPhones, liveOfBlocks, type PlacedRows, writeRows } from './import-rows.ts';
import { blockOf, blockSize, blocksPerPage, keys, pageOf } from './keys.ts';
import { transactNamed } from './named-transaction.ts';
import { Outdated, optimistic } from './retry.ts';
import { bytesOfItem, nextVersion } from './versioned-bytes.ts';

export type ImportStage = 'named' | 'reserved' | 'guarded' | 'written' | 'committed';
/** `duplicates`, the rows whose phone number was taken, are known from stage `guarded` on. */
export type OnStage = (stage: ImportStage, duplicates: readonly ImportRow[]) => Promise<void>;
export type ImportOutcome = { import: ContactImport; duplicates: readonly ImportRow[] };
/** `importCount`: all rows of the file, those that are not worth trying included. */
export type ImportFile = { rows: readonly ImportRow[]; importCount: number };

const lost = () => conflict('the import is run by another runner');

/** Holds while this runner has the import. */
const heldBy = (found: ContactImport, set: Omit<Update, 'ConditionExpression'>): Update => ({
  ...set,
  ConditionExpression: 'runner = :runner AND #status = :running',
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

  constructor(database: Database) {
    super(database);
    this.#database = database;
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
    await onStage('reserved', []);
    const placed = await claimPhones(this.#database, dataSourceId, importId, rows, reservation.firstSeq);
    const duplicates = rows.filter((_, at) => placed[at] === undefined);
    await onStage('guarded', duplicates);
    await writeRows(this.#database, dataSourceId, placed, reservation);
    await onStage('written', duplicates);
    const successCount = rows.length - duplicates.length;
    const counts = { importCount, successCount, failCount: importCount - successCount };
    const ended = await this.#commit(found, placed, reservation, { ...counts, updateTime: now });
    await onStage('committed', duplicates);
    return { import: ended, duplicates };
  }

  /** Whole blocks behind every number handed out: no other writer ever touches them before the commit. */
  #reserve(found: ContactImport, rows: number, now: number): Promise<Reservation> {
    return optimistic(async () => {
      const sequence = await this.#database.get(keys.sequence(found.dataSourceId));
      const blocks = Math.ceil(rows / blockSize);
      const firstSeq = Math.ceil((sequence?.next as number) / blockSize) * blockSize;
      const reservation = { firstSeq, blocks, time: now };
      const failed = await transactNamed(this.#database, {
        sequence: this.#database.updateOf(keys.sequence(found.dataSourceId), {
          UpdateExpression: 'SET #next = :next',
          ConditionExpression: '#next = :read',
          ExpressionAttributeNames: { '#next': 'next' },
          ExpressionAttributeValues: { ':next': firstSeq + blocks * blockSize, ':read': sequence?.next },
        }),
        record: this.#database.updateOf(
          keys.import(found.dataSourceId, found.importId),
          heldBy(found, {
            UpdateExpression: 'SET reservation = :reservation',
            ExpressionAttributeValues: { ':reservation': reservation },
          }),
        ),
      });
      if (failed.has('record')) throw lost();
      if (failed.size > 0) throw new Outdated();
      return reservation;
    });
  }

  #commit(
    found: ContactImport,
    placed: PlacedRows,
    reservation: Reservation,
    result: Pick<ContactImport, 'importCount' | 'successCount' | 'failCount' | 'updateTime'>,
  ): Promise<ContactImport> {
    return optimistic(async () => {
      const failed = await transactNamed<string>(this.#database, {
        ...(await this.#directoryPuts(found.dataSourceId, placed, reservation)),
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
      if (failed.size > 0) throw new Outdated();
      return { ...found, ...result, reservation, status: 'DONE' };
    });
  }

  async #directoryPuts(dataSourceId: string, placed: PlacedRows, reservation: Reservation) {
    const firstBlock = blockOf(reservation.firstSeq);
    const lives = liveOfBlocks(placed, reservation).map((live, at) => ({ live, block: firstBlock + at }));
    const pages = [...new Set(lives.filter(({ live }) => live > 0).map(({ block }) => pageOf(block)))];
    const read = await this.#database.batchGet(pages.map((page) => keys.directoryPage(dataSourceId, page)));
    return Object.fromEntries(
      pages.map((page, i): [string, TransactItem] => {
        const directory = bytesOfItem(read[i]);
        const bytes = lives
          .filter(({ block }) => pageOf(block) === page)
          .reduce((into, { live, block }) => withLive(into, block % blocksPerPage, live), directory.bytes);
        const key = keys.directoryPage(dataSourceId, page);
        return [`directory${page}`, this.#database.putOf(...nextVersion(key, directory, bytes))];
      }),
    );
  }
}

const ending = (
  found: ContactImport,
  {
    importCount,
    successCount,
    failCount,
    updateTime,
  }: Pick<ContactImport, 'importCount' | 'successCount' | 'failCount' | 'updateTime'>,
): Update =>
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
