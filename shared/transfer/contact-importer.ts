import type { PhoneForm } from '../domain/contacts/phone-number.ts';
import { invalid, notFound, ServiceError, StillRunning } from '../domain/errors.ts';
import type { ContactImport, ImportOptions, ImportOutcome } from '../domain/imports/contact-import.ts';
import type { FailedRow } from '../domain/imports/failed-row.ts';
import type { FormatTime, Instant } from '../domain/time.ts';
import { describeError, log } from '../observability/log.ts';
import { count } from '../observability/metrics.ts';
import type { Begun, Imports } from '../store/imports/index.ts';
import type { LazyObjects } from '../store/objects/index.ts';
import type { RequestKey } from '../store/requests/index.ts';
import type { CheckedFile } from './contact-rows.ts';
import { ImportFiles } from './import-files.ts';
import { dayMs, ImportRegister, type NewFile } from './import-register.ts';

/** Longer than any function that imports may run, so that a dead runner's import is free only after it. */
const holdMs = 6 * 60 * 1000;
/** Whoever registered an import just now is about to run it. */
const graceMs = 60 * 1000;
/** A file that ends the process that reads it must not do so for ever. */
const begunAtMost = 10;

type Tools = {
  imports: Imports;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
  phoneForm: () => Promise<PhoneForm>;
};

/** Why a file ends its import: what is wrong with it will be wrong the next time too. */
const isHopeless = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ['invalid', 'tooLarge', 'notFound'].includes(error.code);

const ageSeconds = ({ beginTime, createTime }: ContactImport, now: Instant) =>
  Math.round((now - (beginTime ?? createTime)) / 1000);

/** Imports contact files from the bucket, the same way whichever road they came by. */
export class ContactImporter extends ImportRegister {
  readonly #tools: Tools;
  readonly #files: ImportFiles;

  constructor(tools: Tools) {
    super(tools);
    this.#tools = tools;
    this.#files = new ImportFiles(tools);
  }

  /** @throws ServiceError notFound */
  async find(dataSourceId: string, importId: string): Promise<ContactImport & { details: FailedRow[] }> {
    const found = await this.#tools.imports.find(dataSourceId, importId);
    if (found === undefined) throw notFound('import');
    return { ...found, details: found.status === 'DONE' ? await this.#files.details(found) : [] };
  }

  /**
   * Runs a registered import to its end, unless another runner has it. A file that cannot be imported ends
   * it as FAILED; whatever else goes wrong leaves it to the next try. `takeOver` is for a process that knows
   * that no other runner lives.
   */
  async run(dataSourceId: string, importId: string, takeOver = false): Promise<void> {
    const { state, import: running } = await this.#begin(dataSourceId, importId, takeOver);
    if (state !== 'run') return;
    if (running.reservation === undefined && running.begun > begunAtMost) {
      await this.#fail(running, `reading the file broke off ${begunAtMost} times`);
      return;
    }
    try {
      await this.#import(running, await this.#files.check(running));
    } catch (error) {
      if (isHopeless(error)) return this.#fail(running, error.message);
      // Where that fails too, the hold ends by itself.
      await this.#tools.imports.giveBack(running, this.#tools.now()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Imports a file that has been checked, while its sender waits. One that was sent before and broke off goes
   * on where it was; one that has ended is answered from its report. @throws ServiceError invalid, conflict
   */
  async runChecked(file: NewFile, checked: CheckedFile, requestKey?: RequestKey): Promise<ImportOutcome> {
    await this.register(file);
    const { state, import: running } = await this.#begin(
      file.dataSourceId,
      file.importId,
      false,
      requestKey?.id,
    );
    if (state === 'busy') throw new StillRunning('the import is still running; try again');
    if (state === 'done') return this.#outcomeOf(running);
    try {
      return await this.#import(running, checked);
    } catch (error) {
      if (await this.#isToFail(running, error)) await this.#fail(running, (error as Error).message);
      throw error;
    }
  }

  /** What importing the file would come to now; nothing is stored. */
  async tryOut(dataSourceId: string, file: CheckedFile, options: ImportOptions): Promise<ImportOutcome> {
    const { imports, now } = this.#tools;
    const { rejected } = await imports.tryOut(dataSourceId, file.rows, options.onDuplicate ?? 'skip', now());
    return outcomeOf(file, rejected);
  }

  /**
   * Ends what was left unfinished: runs what has its file, gives up what never got one. One that fails
   * keeps none of the others waiting. @throws AggregateError at the end, with what failed
   */
  async sweep(takeOver = false): Promise<void> {
    const failures: unknown[] = [];
    count('ImportAgeSeconds', 0);
    for (const { dataSourceId, importId } of await this.#tools.imports.pending()) {
      try {
        await this.#sweepOne(dataSourceId, importId, takeOver);
      } catch (error) {
        log.error('import not ended', { dataSourceId, importId, error: describeError(error) });
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'imports that cannot be ended');
  }

  async #sweepOne(dataSourceId: string, importId: string, takeOver: boolean): Promise<void> {
    const { imports, objects, now } = this.#tools;
    const found = await imports.find(dataSourceId, importId);
    if (found === undefined) return;
    const hasBegun = found.status === 'RUNNING';
    if (hasBegun) count('ImportAgeSeconds', ageSeconds(found, now()));
    if (!(hasBegun || takeOver) && found.createTime + graceMs > now()) return;
    if (hasBegun || (await (await objects()).head(found.objectKey)) !== undefined) {
      await this.run(dataSourceId, importId, takeOver);
    } else if (found.createTime + dayMs < now()) {
      await imports.fail(dataSourceId, importId, 'the file never arrived', now());
    }
  }

  /** Tells an operator who dropped a file what came of it, where no import could be registered. */
  async refuse(file: NewFile, message: string): Promise<void> {
    const createTime = this.#tools.now();
    await this.#files.report({ ...file, createTime }, 'FAILED', message, nothing);
  }

  #begin(dataSourceId: string, importId: string, takeOver: boolean, heirOf?: string): Promise<Begun> {
    const { imports, now, newId } = this.#tools;
    const runner = `${heirOf ?? ''}${newId()}`;
    return imports.begin(dataSourceId, importId, { runner, now: now(), holdMs, takeOver, heirOf });
  }

  async #outcomeOf(ended: ContactImport): Promise<ImportOutcome> {
    if (ended.status === 'FAILED') throw invalid('file', ended.message, 'BAD_FILE');
    const { importCount, successCount, failCount } = ended;
    return { importCount, successCount, failCount, details: await this.#files.details(ended) };
  }

  async #import(running: ContactImport, file: CheckedFile): Promise<ImportOutcome> {
    const { imports, now } = this.#tools;
    const { dataSourceId, options = {} } = running;
    const placement = options.dryRun
      ? await imports.tryOut(dataSourceId, file.rows, options.onDuplicate ?? 'skip', now())
      : await imports.place(running, file, now());
    const outcome = outcomeOf(file, placement.rejected);
    // Before the commit: an import that shows as done always has its report.
    await this.#files.keepRejected(running, file, outcome.details);
    await this.#files.report(running, 'DONE', '', outcome);
    const { details: _, ...counts } = outcome;
    await imports.commit(running, placement, counts, now());
    count('RowsImported', options.dryRun ? 0 : outcome.successCount);
    count('RowsRefused', outcome.failCount);
    return outcome;
  }

  /** Its sender is told that it failed, so that it must not run on by itself; one that has reserved its rows must. */
  async #isToFail({ dataSourceId, importId }: ContactImport, error: unknown): Promise<boolean> {
    if (isHopeless(error)) return true;
    if (!(error instanceof ServiceError) || error.code !== 'tooBusy') return false;
    return (await this.#tools.imports.find(dataSourceId, importId))?.reservation === undefined;
  }

  async #fail(claimed: ContactImport, message: string): Promise<void> {
    const { dataSourceId, importId } = claimed;
    await this.#files.report(claimed, 'FAILED', message, nothing);
    await this.#tools.imports.fail(dataSourceId, importId, message, this.#tools.now());
    count('ImportsFailed', 1);
  }
}

const outcomeOf = ({ importCount, failed }: CheckedFile, rejected: readonly FailedRow[]): ImportOutcome => {
  const details = [...failed, ...rejected].sort((a, b) => a.row - b.row);
  return {
    importCount,
    successCount: importCount - details.length,
    failCount: details.length,
    details,
  };
};

const nothing: ImportOutcome = { importCount: 0, successCount: 0, failCount: 0, details: [] };
