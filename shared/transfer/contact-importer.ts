import type { SpellPhone } from '../domain/contacts/phone-number.ts';
import { notFound, ServiceError } from '../domain/errors.ts';
import {
  type ContactImport,
  type ImportOptions,
  type ImportReport,
  type NewImport,
  type RejectedRow,
  reportOf,
} from '../domain/imports/contact-import.ts';
import { type FormatTime, type Instant, minuteMs } from '../domain/time.ts';
import type { Worked, Worker } from '../store/agenda/index.ts';
import type { ImportedContacts, ImportRecords, ImportStart } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { RequestKey } from '../store/requests/index.ts';
import type { CheckedRows } from './checked-rows.ts';
import { begunAtMost, emptyReport, failureOf, ImportFailures } from './import-failures.ts';
import { type ImportId, ImportObjects } from './import-objects.ts';
import { ImportSteps } from './import-steps.ts';

/** Longer than any function that imports may run: the hold of a live runner never expires. */
const holdMs = 6 * minuteMs;
/** How often the schedule looks for the file of a registered import. */
const lookEveryMs = 5 * minuteMs;
/** How long the file of a registered import may take to arrive. */
const arrivalMs = 24 * 60 * minuteMs;

type NewFile = Omit<NewImport, 'createTime'>;

type Dependencies = {
  records: ImportRecords;
  contacts: ImportedContacts;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
  spellPhone: () => Promise<SpellPhone>;
};

/**
 * Imports contact files, in the same steps for a file that comes with a request, by a presigned upload or from
 * an operator:
 *
 * 1. register: the record exists, and the import is on the agenda
 * 2. hold: one runner at a time works on it
 * 3. check the file's rows
 * 4. place the rows: contacts are written, hidden
 * 5. report: the rejected rows and the report go to the bucket
 * 6. commit: all contacts appear, and the import is DONE
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
    this.#steps = new ImportSteps({ ...deps, objects: this.#objects });
    this.#failures = new ImportFailures({ ...deps, objects: this.#objects, steps: this.#steps });
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
      throw (await this.#failures.settle(held, error, true)).error;
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
      await this.#failures.abandon(held, abandoned ?? `${work} broke off ${begunAtMost} times`);
      return;
    }
    try {
      await this.#steps.importRows(held, await this.#steps.readRows(held));
    } catch (error) {
      const { isEnded } = await this.#failures.settle(held, error);
      if (isEnded) return;
      // If this fails too, the hold expires by itself.
      await this.#deps.records.giveBack(held, this.#deps.now()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Ends an import whose rows are not visible yet. Answers its status: RUNNING while another runner holds it, which
   * removes its rows before it ends; if that runner is dead, the schedule does. @throws ServiceError notFound, notAllowed
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
    if (reservation === undefined) await this.#failures.fail(cancelled, abandoned);
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
      work: ({ id, notes }, { takesOver }) => this.#goOn(notes.dataSourceId as string, id, takesOver),
    };
  }

  /** An import that runs to its end leaves the agenda with its last write. */
  async #goOn(dataSourceId: string, importId: string, takesOver: boolean): Promise<Worked> {
    const { records, now } = this.#deps;
    const later = { next: now() + lookEveryMs };
    const found = await records.find(dataSourceId, importId);
    // The data source was deleted: its removal ends the import.
    if (found === undefined) return later;
    const { status, createTime, objectKey, abandoned } = found;
    if (status === 'DONE' || status === 'FAILED') return 'done';
    const mayRun = status === 'RUNNING' || abandoned !== undefined || (await this.#objects.exists(objectKey));
    if (mayRun) await this.run(dataSourceId, importId, takesOver);
    else if (createTime + arrivalMs < now())
      await records.fail(dataSourceId, importId, 'the file never arrived', now());
    return later;
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

  async #storedReport(ended: ContactImport): Promise<ImportReport> {
    if (ended.status === 'FAILED') throw failureOf(ended);
    const { importCount, successCount, failCount } = ended;
    return { importCount, successCount, failCount, details: await this.#objects.getDetails(ended) };
  }
}
