import type { PhoneForm } from '../domain/contacts/phone-number.ts';
import { invalid, notFound, ServiceError } from '../domain/errors.ts';
import {
  type ContactImport,
  type ImportOptions,
  type ImportReport,
  type NewImport,
  noteUnknownZones,
  type RejectedRow,
  rejectUnwritten,
  reportOf,
} from '../domain/imports/contact-import.ts';
import { type FormatTime, type Instant, minuteMs } from '../domain/time.ts';
import { describeError, log } from '../observability/log.ts';
import { count } from '../observability/metrics.ts';
import type { ImportedContacts, ImportRecords, ImportStart } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { RequestKey } from '../store/requests/index.ts';
import { type CheckedRows, checkContactFile } from './checked-rows.ts';
import { checkStoredBatch } from './contact-batch.ts';
import { type ImportId, ImportObjects } from './import-objects.ts';

/** Longer than any function that imports may run: the hold of a live runner never expires. */
const holdMs = 6 * minuteMs;
/** The sweep leaves a new import alone for this long: its own runner is about to begin it. */
const graceMs = minuteMs;
/** How long the file of a registered import may take to arrive. */
const arrivalMs = 24 * 60 * minuteMs;
/** A file that kills the process that reads it must not do so for ever, and an open range holds dialing back. */
const begunAtMost = 10;
/** For the report of an abandoned import the file is read again this often: it may be what kills the process. */
const reportedAtMost = 2;

type NewFile = Omit<NewImport, 'createTime'>;

type Dependencies = {
  records: ImportRecords;
  contacts: ImportedContacts;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
  phoneForm: () => Promise<PhoneForm>;
};

/** Errors of the file itself: every retry would meet them again. */
const isFinal = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ['invalid', 'tooLarge', 'notFound'].includes(error.code);

const emptyReport = reportOf(0, []);

const isConflict = (error: unknown) => error instanceof ServiceError && error.word === 'IMPORT_RUNNING';

/** What a client is told whose import has FAILED. */
const failureOf = ({ abandoned, message }: ContactImport) =>
  abandoned === undefined
    ? invalid('file', message, 'BAD_FILE')
    : new ServiceError('IMPORT_FAILED', abandoned);

/**
 * Imports contact files, in the same steps for a file that comes with a request, by a presigned upload or from
 * an operator:
 *
 * 1. register: the record exists, and the sweep knows of the import
 * 2. hold: one runner at a time works on it
 * 3. check the file's rows
 * 4. place the rows: contacts are written, hidden
 * 5. report: the rejected rows and the report go to the bucket
 * 6. commit: all contacts appear, and the import is DONE
 *
 * The file lies in the bucket, so that the sweep can take an import whose runner died through the same steps
 * again. A file that cannot be imported ends as FAILED before step 4 has written anything. An import that was
 * cancelled, or that broke off ten times, is abandoned: its hidden contacts are removed, and it ends as FAILED.
 */
export class ContactImporter {
  readonly #deps: Dependencies;
  readonly #objects: ImportObjects;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#objects = new ImportObjects(deps);
  }

  /** The id of an import that a client asks for. */
  newId(requestKey?: RequestKey): Promise<string> {
    return this.#deps.records.newId(this.#deps.newId, requestKey);
  }

  /** An import whose file exists or will arrive. An import that is registered already stays as it is. */
  register(file: NewFile): Promise<ContactImport> {
    return this.#deps.records.create({ ...file, createTime: this.#deps.now() });
  }

  /** Whether the import was registered for an upload to that key. */
  async awaits({ dataSourceId, importId }: ImportId, key: string): Promise<boolean> {
    return (await this.#deps.records.find(dataSourceId, importId))?.objectKey === key;
  }

  /** @throws ServiceError notFound */
  async find(dataSourceId: string, importId: string): Promise<ContactImport & { details: RejectedRow[] }> {
    const found = await this.#deps.records.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    const hasDetails = found.status !== 'RUNNING' && found.failCount > 0;
    return { ...found, details: hasDetails ? await this.#objects.getDetails(found) : [] };
  }

  /**
   * Imports a file while the client waits. If an earlier request with the same key broke off, its import is
   * resumed; if its import has ended, its report is answered. @throws ServiceError invalid, conflict
   */
  async importNow(
    { dataSourceId, importId, ...file }: Omit<NewFile, 'objectKey' | 'fileSize'>,
    bytes: Uint8Array,
    rows: CheckedRows,
    requestKey?: RequestKey,
  ): Promise<ImportReport> {
    // Stored first: the sweep can finish the import from here on.
    const objectKey = await this.#objects.putFile({ dataSourceId, importId }, bytes);
    await this.register({ dataSourceId, importId, ...file, objectKey, fileSize: bytes.length });
    const { state, import: held } = await this.#begin({ dataSourceId, importId }, false, requestKey);
    if (state === 'busy') throw new ServiceError('STILL_RUNNING', 'the import is still running; retry later');
    if (state === 'done') return this.#storedReport(held);
    if (held.abandoned !== undefined) throw await this.#abandon(held, held.abandoned);
    try {
      return await this.#import(held, rows);
    } catch (error) {
      if (await this.#isGone(held, error)) throw notFound('data source');
      const cancelled = await this.#cancelledMeanwhile(held, error);
      if (cancelled !== undefined) throw await this.#abandon(cancelled, cancelled.abandoned!);
      if (await this.#mustFail(held, error)) await this.#fail(held, (error as Error).message);
      throw error;
    }
  }

  /** What importing the rows would come to now. Stores nothing. */
  async dryRun(dataSourceId: string, rows: CheckedRows, options: ImportOptions): Promise<ImportReport> {
    const { rejected } = await this.#deps.contacts.dryRun(dataSourceId, rows.rows, options.onDuplicate);
    return reportOf(rows.importCount, [...rows.rejected, ...rejected.map(rows.locate)]);
  }

  /**
   * Runs a registered import to its end, unless another runner holds it. An error that is not the file's leaves
   * the import to the next run. `takeOver`: the process knows that no other runner is alive.
   */
  async run(dataSourceId: string, importId: string, takeOver = false): Promise<void> {
    const { state, import: held } = await this.#begin({ dataSourceId, importId }, takeOver);
    if (state !== 'run') return;
    const { reservation, begun, abandoned } = held;
    if (abandoned !== undefined || begun > begunAtMost) {
      const work = reservation === undefined ? 'reading the file' : 'the import';
      await this.#abandon(held, abandoned ?? `${work} broke off ${begunAtMost} times`);
      return;
    }
    try {
      await this.#import(held, await this.#checkFile(held));
    } catch (error) {
      if (await this.#isGone(held, error)) return;
      const cancelled = await this.#cancelledMeanwhile(held, error);
      if (cancelled !== undefined) {
        await this.#abandon(cancelled, cancelled.abandoned!);
        return;
      }
      if (isFinal(error) && reservation === undefined) return this.#fail(held, error.message);
      // If this fails too, the hold expires by itself.
      await this.#deps.records.giveBack(held, this.#deps.now()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Ends an import whose rows are not visible yet. Answers its status: RUNNING while another runner holds it, which
   * removes its rows before it ends; if that runner is dead, the sweep does. @throws ServiceError notFound, notAllowed
   */
  async cancel(
    dataSourceId: string,
    importId: string,
    requestKey?: RequestKey,
  ): Promise<Pick<ContactImport, 'status' | 'message'>> {
    const cancelled = await this.#deps.records.cancel(dataSourceId, importId, 'the import was cancelled');
    const { status, message, reservation, abandoned = '' } = cancelled;
    if (status === 'FAILED') return { status, message };
    // Without a reservation nothing was written, so that no runner needs to be waited for.
    if (reservation === undefined) await this.#fail(cancelled, abandoned);
    else {
      const { state, import: held } = await this.#begin({ dataSourceId, importId }, false, requestKey);
      if (state === 'busy') return { status: 'RUNNING', message: abandoned };
      if (state === 'run') await this.#abandon(held, abandoned);
    }
    return { status: 'FAILED', message: abandoned };
  }

  /**
   * Runs unfinished imports whose file exists, and ends those whose file never arrived. An import that fails
   * does not stop the others. @throws AggregateError at the end, with all errors
   */
  async sweep(takeOver = false): Promise<void> {
    const failures: unknown[] = [];
    count('ImportAgeSeconds', 0);
    for (const { dataSourceId, importId } of await this.#deps.records.pending()) {
      try {
        await this.#sweepImport(dataSourceId, importId, takeOver);
      } catch (error) {
        log.error('import not ended', { dataSourceId, importId, error: describeError(error) });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'imports that cannot be ended');
  }

  async #sweepImport(dataSourceId: string, importId: string, takeOver: boolean): Promise<void> {
    const { records, now } = this.#deps;
    const found = await records.find(dataSourceId, importId);
    if (found === undefined) return;
    const { status, createTime, beginTime = createTime, objectKey, abandoned } = found;
    if (status === 'RUNNING' || abandoned !== undefined) {
      count('ImportAgeSeconds', Math.round((now() - beginTime) / 1000));
      return this.run(dataSourceId, importId, takeOver);
    }
    if (!takeOver && createTime + graceMs > now()) return;
    if (await this.#objects.exists(objectKey)) return this.run(dataSourceId, importId, takeOver);
    if (createTime + arrivalMs < now()) {
      await records.fail(dataSourceId, importId, 'the file never arrived', now());
    }
  }

  /** Reports to an operator that a dropped file could not be registered. */
  async refuse(file: NewFile, message: string): Promise<void> {
    const createTime = this.#deps.now();
    await this.#objects.putReport({ ...file, createTime }, 'FAILED', message, emptyReport);
  }

  /** A repeat of a request takes over from the earlier requests with its key: they no longer run. */
  #begin(
    { dataSourceId, importId }: ImportId,
    takeOver: boolean,
    requestKey?: RequestKey,
  ): Promise<ImportStart> {
    const { records, now, newId } = this.#deps;
    const earlier = requestKey && { beginWith: requestKey.id };
    return records.begin(dataSourceId, importId, {
      owner: `${requestKey?.id ?? ''}${newId()}`,
      now: now(),
      until: now() + holdMs,
      dead: takeOver ? 'all' : earlier,
    });
  }

  async #import(held: ContactImport, rows: CheckedRows): Promise<ImportReport> {
    const { contacts, now } = this.#deps;
    const { dataSourceId, options = {} } = held;
    const placed = options.dryRun
      ? await contacts.dryRun(dataSourceId, rows.rows, options.onDuplicate)
      : await contacts.place(held, rows, now());
    const report = reportOf(rows.importCount, [...rows.rejected, ...placed.rejected.map(rows.locate)]);
    // Before the commit: an import that shows as DONE always has its report.
    await this.#objects.putRejected(held, rows, report.details);
    const rejectedLines = new Set(placed.rejected.map(({ row }) => row));
    const note = noteUnknownZones(rows.rows.filter(({ line }) => !rejectedLines.has(line)));
    await this.#objects.putReport(held, 'DONE', note, report);
    const { details: _, ...counts } = report;
    await contacts.commit(held, placed, counts, now(), note);
    count('RowsImported', options.dryRun ? 0 : report.successCount);
    count('RowsRefused', report.failCount);
    return report;
  }

  async #checkFile(held: ContactImport): Promise<CheckedRows> {
    const file = await this.#objects.getFile(held);
    const form = await this.#deps.phoneForm();
    return held.isBatch ? checkStoredBatch(file, form) : checkContactFile(file, held.options, form);
  }

  /** The data source was deleted while this runner held the import. What the import wrote is removed with it. */
  async #isGone({ dataSourceId, importId }: ContactImport, error: unknown): Promise<boolean> {
    if (!isConflict(error) && !isFinal(error)) return false;
    return (await this.#deps.records.find(dataSourceId, importId)) === undefined;
  }

  /** The record of an import that was cancelled while this runner held it; none of its writes are under way. */
  async #cancelledMeanwhile(held: ContactImport, error: unknown): Promise<ContactImport | undefined> {
    if (!isConflict(error)) return undefined;
    const found = await this.#deps.records.find(held.dataSourceId, held.importId);
    const isOurs = found?.status === 'RUNNING' && found.runner === held.runner;
    return isOurs && found.abandoned !== undefined ? found : undefined;
  }

  /** Rolls an import back that the caller holds, and ends it as FAILED. Answers what its client is told. */
  async #abandon(held: ContactImport, reason: string): Promise<ServiceError> {
    const { records, contacts, now } = this.#deps;
    if (held.reservation === undefined) await this.#fail(held, reason);
    else {
      if (held.abandoned === undefined) await records.abandon(held, reason);
      const updated = await contacts.rollBack(held);
      const report = updated.length === 0 ? emptyReport : await this.#partialReport(held, updated);
      const stays = updated.length === 0 ? '' : `; contacts updated before that: ${updated.length}`;
      const message = `${reason}${stays}`;
      await this.#objects.putReport(held, 'FAILED', message, report);
      const { details: _, ...counts } = report;
      await contacts.fail(held, message, counts, now());
      count('ImportsFailed', 1);
    }
    return failureOf({ ...held, abandoned: reason });
  }

  /** Rows are listed as far as the file can be read. The counts are exact without it. */
  async #partialReport(held: ContactImport, updated: readonly string[]): Promise<ImportReport> {
    const { importCount, begun } = held;
    const counts = { importCount, successCount: updated.length, failCount: importCount - updated.length };
    if (begun > begunAtMost + reportedAtMost) return { ...counts, details: [] };
    try {
      const written = new Set(updated);
      const { rows, rejected } = await this.#checkFile(held);
      const unwritten = rows.filter(({ phoneNumber }) => !written.has(phoneNumber)).map(rejectUnwritten);
      return { ...counts, details: reportOf(importCount, [...rejected, ...unwritten]).details };
    } catch (error) {
      if (isFinal(error)) return { ...counts, details: [] };
      throw error;
    }
  }

  async #storedReport(ended: ContactImport): Promise<ImportReport> {
    if (ended.status === 'FAILED') throw failureOf(ended);
    const { importCount, successCount, failCount } = ended;
    return { importCount, successCount, failCount, details: await this.#objects.getDetails(ended) };
  }

  /** The client is told that its import failed, so the sweep must not finish it. With reserved rows it has to. */
  async #mustFail({ dataSourceId, importId }: ContactImport, error: unknown): Promise<boolean> {
    if (isFinal(error)) return true;
    if (!(error instanceof ServiceError) || error.code !== 'tooBusy') return false;
    return (await this.#deps.records.find(dataSourceId, importId))?.reservation === undefined;
  }

  async #fail(held: ContactImport, message: string): Promise<void> {
    const { dataSourceId, importId } = held;
    await this.#objects.putReport(held, 'FAILED', message, emptyReport);
    await this.#deps.records.fail(dataSourceId, importId, message, this.#deps.now());
    count('ImportsFailed', 1);
  }
}
