/**
 * The way of a file into a list of contacts. What comes with a request, by a presigned upload, from
 * an operator or as a batch goes the same way: register, claim, check, write, commit (see
 * `ContactImporter`). A small file is a large one with one part.
 *
 * What the room keeps. In the table: the record of each import, its entry in the agenda, the range
 * of sequence numbers that it has reserved, and plans of the phone numbers that it may have
 * claimed. In the bucket: the checked rows in parts, what became of each part (its rejected rows),
 * and a report beside the file. The contacts themselves belong to the room `contacts`.
 *
 * Who may do what. An import is registered once, claimed by one runner at a time, and ended once.
 * Only its runner writes rows, and each write into the record has the condition that the claim is
 * still its own. Anybody may cancel it until its rows are visible: the runner finds out with its
 * next write. A row is hidden until a transaction over the directory and the record shows it: all
 * rows at once, or part by part where tasks of the data source run or are paused and the file is
 * large.
 *
 * What happens when a process dies. Its claim expires, and the schedule goes on with the first part
 * that is not written. Each step may be repeated and ends in the same state: the reservation is in
 * the record, guards and updated contacts bear the import's id, and contacts lie at reserved
 * places. An import that is not registered has left nothing but objects that expire. An import that
 * broke off ten times without a step forward is rolled back by its plans, and fails.
 */

import type { SpellPhone } from '../contacts/rules/phone-number.ts';
import type { Worked, Worker } from '../platform/agenda/due-work.ts';
import type { LazyObjects } from '../platform/objects/objects.ts';
import type { RequestKey } from '../platform/requests/effects.ts';
import { notFound, ServiceError } from '../platform/rules/errors.ts';
import { type FormatTime, type Instant, minuteMs } from '../platform/time/time.ts';
import { type CheckedFile, locateIn } from './checked-rows.ts';
import { fileKey, type ImportId, ImportObjects } from './import-objects.ts';
import type { ImportRecords, ImportStart } from './import-records.ts';
import type { ImportedContacts } from './imported-contacts.ts';
import {
  abandonmentOf,
  type ContactImport,
  cancelledReason,
  type FileReport,
  hasEnded,
  type ImportOptions,
  type ImportReport,
  type NewImport,
  reportOf,
} from './rules/contact-import.ts';
import { emptyReport, failureOf, hasWritten, ImportRunner } from './run/import-runner.ts';

/** Longer than any function that imports may run, so the claim of a live runner never expires. */
const claimMs = 6 * minuteMs;
/** How often the schedule looks for the file of a registered import. */
const lookEveryMs = 5 * minuteMs;
/** How long the file of a registered import may take to arrive. */
const arrivalMs = 24 * 60 * minuteMs;

type NewFile = Omit<NewImport, 'createTime'>;

type RunOptions = { takeOver?: boolean; isTimeUp?: () => boolean };

type Dependencies = {
  records: ImportRecords;
  contacts: ImportedContacts;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
  spellPhone: () => Promise<SpellPhone>;
  importMaxRows: number;
};

/**
 * Imports contact files, in the same steps for a file that comes with a request, by a presigned
 * upload or from an operator, and for a batch of contacts:
 *
 * 1. register: the record exists, and the import is on the agenda
 * 2. claim: one runner at a time works on the import
 * 3. check the rows of the file, and store them in parts; a small file has one part
 * 4. write one part after another: the contacts are hidden, and the rejected rows go to the bucket
 * 5. commit: the report goes to the bucket, all contacts appear, and the import is DONE
 *
 * The rows of a request are checked and stored before the import is registered, so that a wrong
 * file leaves no import. `ImportRunner` describes how an import ends without success.
 */
export class ContactImporter {
  readonly #deps: Dependencies;
  readonly #objects: ImportObjects;
  readonly #runner: ImportRunner;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#objects = new ImportObjects(deps);
    this.#runner = new ImportRunner({ ...deps, objects: this.#objects, claimMs });
  }

  /** The id of a new import that a client asks for. */
  newId(requestKey?: RequestKey): Promise<string> {
    return this.#deps.records.newId(this.#deps.newId, requestKey);
  }

  /** Registers an import whose file exists or will arrive, unless it is registered already. */
  register(file: NewFile): Promise<ContactImport> {
    return this.#deps.records.create({ ...file, createTime: this.#deps.now() });
  }

  /** Whether the import was registered for an upload to this key. */
  async awaits({ dataSourceId, importId }: ImportId, key: string): Promise<boolean> {
    return (await this.#deps.records.find(dataSourceId, importId))?.objectKey === key;
  }

  /** @throws ServiceError notFound */
  async find(
    dataSourceId: string,
    importId: string,
  ): Promise<ContactImport & Pick<FileReport, 'details' | 'rejected'>> {
    const found = await this.#deps.records.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    const hasDetails = found.status !== 'RUNNING' && found.failCount > 0;
    const report = hasDetails ? await this.#objects.getDetails(found) : { details: [], rejected: {} };
    return { ...found, ...report };
  }

  /**
   * Imports checked rows while the client waits. If an earlier request with the same key broke off,
   * its import is resumed. If that import has ended, its report is answered.
   * @throws ServiceError invalid, conflict
   */
  async importNow(
    { dataSourceId, importId, ...file }: Omit<NewFile, 'objectKey' | 'cut' | 'importCount'>,
    { head, parts }: CheckedFile,
    requestKey?: RequestKey,
  ): Promise<ImportReport> {
    const id = { dataSourceId, importId };
    // Stored first. From here on the schedule can finish the import.
    const stored = await this.#objects.putParts(id, this.#deps.newId(), head, parts);
    await this.register({ ...id, ...file, ...stored, objectKey: fileKey(id) });
    const { state, import: claimed } = await this.#begin(id, false, requestKey);
    if (state === 'busy') throw new ServiceError('STILL_RUNNING', 'the import is still running; retry later');
    if (state === 'done') return this.#storedReport(claimed);
    const end = await this.#runner.run(claimed, { isAwaited: true });
    if (end.state === 'done') return end.report;
    throw 'error' in end ? end.error : new Error('the time of a request is never up');
  }

  /** The report of an import of the rows at present. Stores nothing. */
  async dryRun(
    dataSourceId: string,
    { head, parts }: CheckedFile,
    options: ImportOptions,
  ): Promise<ImportReport> {
    const { contacts } = this.#deps;
    const importCount = parts.reduce((sum, part) => sum + part.importCount, 0);
    const rows = parts.flatMap((part) => part.rows);
    const { rejected } = await contacts.dryRun(dataSourceId, rows, options.onDuplicate);
    const invalidRows = parts.flatMap((part) => part.rejected);
    return reportOf(importCount, [...invalidRows, ...rejected.map(locateIn(head))]);
  }

  /**
   * Runs a registered import to its end, unless another runner has the claim. After an error that
   * is not about the file, the next run continues. `takeOver`: this process knows that no other
   * runner is alive. If the time is up between two parts of a large file, the schedule goes on with
   * the next part.
   */
  async run(
    dataSourceId: string,
    importId: string,
    { takeOver = false, ...options }: RunOptions = {},
  ): Promise<void> {
    const { state, import: claimed } = await this.#begin({ dataSourceId, importId }, takeOver);
    if (state !== 'run') return;
    const end = await this.#runner.run(claimed, options);
    if (end.state !== 'broken') return;
    // If this fails too, the claim expires by itself.
    await this.#deps.records.giveBack(claimed, this.#deps.now()).catch(() => undefined);
    throw end.error;
  }

  /**
   * Ends an import whose rows are not visible yet, or become visible in steps. The schedule also
   * removes the rows of a large file, which may take longer than a request.
   * @returns the status of the import: RUNNING while another runner has the claim, which removes
   *   its hidden rows before the import ends; if that runner is dead, the schedule does
   * @throws ServiceError notFound, notAllowed
   */
  async cancel(
    dataSourceId: string,
    importId: string,
    requestKey?: RequestKey,
  ): Promise<Pick<ContactImport, 'status' | 'message'>> {
    const cancelled = await this.#deps.records.cancel(dataSourceId, importId, cancelledReason);
    const { status, message, cut, abandoned = '' } = cancelled;
    if (status === 'FAILED') return { status, message };
    // If nothing was written, there is no runner to wait for.
    if (!hasWritten(cancelled)) await this.#runner.fail(cancelled, abandonmentOf(abandoned));
    else if (cut !== undefined && cut.parts > 1) return { status: 'RUNNING', message: abandoned };
    else {
      const { state, import: claimed } = await this.#begin({ dataSourceId, importId }, false, requestKey);
      if (state === 'busy') return { status: 'RUNNING', message: abandoned };
      if (state === 'run') await this.#runner.abandon(claimed, abandoned);
    }
    return { status: 'FAILED', message: abandoned };
  }

  /** Runs unfinished imports whose file exists, and ends those whose file never arrived. */
  worker(): Worker {
    return {
      kind: 'import',
      claimMs,
      work: ({ id, notes }, { takesOver, isTimeUp }) =>
        this.#goOn(notes.dataSourceId as string, id, { takeOver: takesOver, isTimeUp }),
    };
  }

  /** An import that runs to its end removes itself from the agenda with its last write. */
  async #goOn(dataSourceId: string, importId: string, options: RunOptions): Promise<Worked> {
    const { records, now } = this.#deps;
    const later = { next: now() + lookEveryMs };
    const found = await records.find(dataSourceId, importId);
    // The data source was deleted. Its removal ends the import.
    if (found === undefined) return later;
    const { status, createTime, objectKey, abandoned, cut } = found;
    if (hasEnded(found)) return 'done';
    const isKnown = status === 'RUNNING' || abandoned !== undefined || cut !== undefined;
    const mayRun = isKnown || (await this.#objects.exists(objectKey));
    if (mayRun) await this.run(dataSourceId, importId, options);
    else if (createTime + arrivalMs < now()) {
      const failure = { message: 'the file never arrived', reasonCode: 'NEVER_ARRIVED' } as const;
      await records.fail(dataSourceId, importId, failure, now());
    }
    return later;
  }

  /** Tells an operator that a dropped file could not be registered. */
  async refuse(file: NewFile, message: string): Promise<void> {
    const createTime = this.#deps.now();
    await this.#objects.putReport({ ...file, createTime }, 'FAILED', message, emptyReport);
  }

  /** A repeat of a request takes over, because earlier requests with its key no longer run. */
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
      until: now() + claimMs,
      dead: takeOver ? 'all' : earlier,
    });
  }

  async #storedReport(ended: ContactImport): Promise<ImportReport> {
    if (ended.status === 'FAILED') throw failureOf(ended);
    const { importCount, successCount, failCount } = ended;
    const { details } = await this.#objects.getDetails(ended);
    return { importCount, successCount, failCount, details };
  }
}
