import type { SpellPhone } from '../domain/contacts/phone-number.ts';
import { notFound, ServiceError } from '../domain/errors.ts';
import {
  abandonmentOf,
  type ContactImport,
  cancelledReason,
  type FileReport,
  type ImportOptions,
  type ImportReport,
  type NewImport,
  reportOf,
} from '../domain/imports/contact-import.ts';
import { type FormatTime, type Instant, minuteMs } from '../domain/time.ts';
import type { Worked, Worker } from '../store/agenda/index.ts';
import type { ImportedContacts, ImportRecords, ImportStart } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { RequestKey } from '../store/requests/index.ts';
import type { CheckedRows } from './checked-rows.ts';
import { begunAtMost, emptyReport, failureOf, hasWritten, ImportFailures } from './import-failures.ts';
import { type ImportId, ImportObjects } from './import-objects.ts';
import { ImportParts } from './import-parts.ts';
import { ImportSteps } from './import-steps.ts';

/** Longer than any function that imports may run: the hold of a live runner never expires. */
const holdMs = 6 * minuteMs;
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
 * Imports contact files, in the same steps for a file that comes with a request, by a presigned upload or from
 * an operator:
 *
 * 1. register: the record exists, and the import is on the agenda
 * 2. hold: one runner at a time works on it
 * 3. check the file's rows
 * 4. write the rows: the contacts are hidden until the commit
 * 5. report: the rejected rows and the report go to the bucket
 * 6. commit: all contacts appear, and the import is DONE
 *
 * A large file is cut into parts in step 3. Steps 4 and 5 follow for each part, and step 6 for all of them, or for each part
 * if tasks of the data source run or are paused.
 *
 * The file lies in the bucket, so that the schedule can take an import whose runner died through the same steps
 * again. A file that cannot be imported ends as FAILED before step 4 has written anything. An import that was
 * cancelled, or that broke off ten times, is abandoned: its hidden contacts are removed, and it ends as FAILED.
 */
export class ContactImporter {
  readonly #deps: Dependencies;
  readonly #objects: ImportObjects;
  readonly #steps: ImportSteps;
  readonly #failures: ImportFailures;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#objects = new ImportObjects(deps);
    const files = { ...deps, objects: this.#objects, parts: new ImportParts(deps.objects) };
    this.#steps = new ImportSteps({ ...files, holdMs });
    this.#failures = new ImportFailures({ ...files, steps: this.#steps });
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
  async find(
    dataSourceId: string,
    importId: string,
  ): Promise<ContactImport & Pick<FileReport, 'details' | 'rejected'>> {
    const found = await this.#deps.records.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    const hasDetails = found.status !== 'RUNNING' && found.failCount > 0;
    const told = hasDetails ? await this.#objects.getDetails(found) : { details: [], rejected: {} };
    return { ...found, ...told };
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
    // Stored first: the schedule can finish the import from here on.
    const objectKey = await this.#objects.putFile({ dataSourceId, importId }, bytes);
    await this.register({ dataSourceId, importId, ...file, objectKey, fileSize: bytes.length });
    const { state, import: held } = await this.#begin({ dataSourceId, importId }, false, requestKey);
    if (state === 'busy') throw new ServiceError('STILL_RUNNING', 'the import is still running; retry later');
    if (state === 'done') return this.#storedReport(held);
    if (held.abandoned !== undefined) throw await this.#failures.abandon(held, held.abandoned);
    try {
      return await this.#steps.importRows(held, rows);
    } catch (error) {
      throw (await this.#failures.settle(held, error, { isAwaited: true })).error;
    }
  }

  /** What importing the rows would come to now. Stores nothing. */
  async dryRun(dataSourceId: string, rows: CheckedRows, options: ImportOptions): Promise<ImportReport> {
    const { rejected } = await this.#deps.contacts.dryRun(dataSourceId, rows.rows, options.onDuplicate);
    return reportOf(rows.importCount, [...rows.rejected, ...rejected.map(rows.locate)]);
  }

  /**
   * Runs a registered import to its end, unless another runner holds it. An error that is not the file's leaves
   * the import to the next run. `takeOver`: the process knows that no other runner is alive. When the time is up between
   * two parts of a large file, the import is handed on: the schedule goes on with the next part.
   */
  async run(
    dataSourceId: string,
    importId: string,
    { takeOver = false, isTimeUp = () => false }: RunOptions = {},
  ): Promise<void> {
    const { state, import: held } = await this.#begin({ dataSourceId, importId }, takeOver);
    if (state !== 'run') return;
    const { reservation, begun, abandoned } = held;
    if (abandoned !== undefined || begun > begunAtMost) {
      const work = reservation === undefined ? 'reading the file' : 'the import';
      await this.#failures.abandon(held, abandoned ?? `${work} broke off ${begunAtMost} times`, isTimeUp);
      return;
    }
    try {
      const read = held.cut === undefined ? await this.#steps.read(held) : held;
      if ('rows' in read) await this.#steps.importRows(held, read);
      else if (!(await this.#steps.importParts(read, isTimeUp)))
        await this.#deps.records.handOn(read, this.#deps.now());
    } catch (error) {
      const { isEnded } = await this.#failures.settle(held, error, { isTimeUp });
      if (isEnded) return;
      // If this fails too, the hold expires by itself.
      await this.#deps.records.giveBack(held, this.#deps.now()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Ends an import whose rows are not visible yet, or become visible in steps. Answers its status: RUNNING while another
   * runner holds it, which removes its hidden rows before it ends; if that runner is dead, the schedule does. The schedule
   * also removes the rows of a large file, which may take longer than a request. @throws ServiceError notFound, notAllowed
   */
  async cancel(
    dataSourceId: string,
    importId: string,
    requestKey?: RequestKey,
  ): Promise<Pick<ContactImport, 'status' | 'message'>> {
    const cancelled = await this.#deps.records.cancel(dataSourceId, importId, cancelledReason);
    const { status, message, cut, abandoned = '' } = cancelled;
    if (status === 'FAILED') return { status, message };
    // If nothing was written, no runner needs to be waited for.
    if (!hasWritten(cancelled)) await this.#failures.fail(cancelled, abandonmentOf(abandoned));
    else if (cut !== undefined) return { status: 'RUNNING', message: abandoned };
    else {
      const { state, import: held } = await this.#begin({ dataSourceId, importId }, false, requestKey);
      if (state === 'busy') return { status: 'RUNNING', message: abandoned };
      if (state === 'run') await this.#failures.abandon(held, abandoned);
    }
    return { status: 'FAILED', message: abandoned };
  }

  /** Runs unfinished imports whose file exists, and ends those whose file never arrived. */
  worker(): Worker {
    return {
      kind: 'import',
      claimMs: holdMs,
      work: ({ id, notes }, { takesOver, isTimeUp }) =>
        this.#goOn(notes.dataSourceId as string, id, { takeOver: takesOver, isTimeUp }),
    };
  }

  /** An import that runs to its end leaves the agenda with its last write. */
  async #goOn(dataSourceId: string, importId: string, options: RunOptions): Promise<Worked> {
    const { records, now } = this.#deps;
    const later = { next: now() + lookEveryMs };
    const found = await records.find(dataSourceId, importId);
    // The data source was deleted: its removal ends the import.
    if (found === undefined) return later;
    const { status, createTime, objectKey, abandoned } = found;
    if (status === 'DONE' || status === 'FAILED') return 'done';
    const mayRun = status === 'RUNNING' || abandoned !== undefined || (await this.#objects.exists(objectKey));
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

  async #storedReport(ended: ContactImport): Promise<ImportReport> {
    if (ended.status === 'FAILED') throw failureOf(ended);
    const { importCount, successCount, failCount } = ended;
    const { details } = await this.#objects.getDetails(ended);
    return { importCount, successCount, failCount, details };
  }
}
