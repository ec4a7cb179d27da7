import type { ContactImport, ImportRow } from '../domain/contact-import.ts';
import { ServiceError } from '../domain/errors.ts';
import type { FailedRow } from '../domain/failed-row.ts';
import type { FormatTime, Instant } from '../domain/time.ts';
import { describeError, log } from '../observability/log.ts';
import { count } from '../observability/metrics.ts';
import type { Imports } from '../store/imports/contact-imports.ts';
import type { Claim } from '../store/imports/import-records.ts';
import type { LazyObjects } from '../store/objects/objects.ts';
import { type CheckedFile, checkContactFile, duplicateRow } from './contact-rows.ts';
import { ImportFiles, type ImportOutcome } from './import-files.ts';
import type { ImportId } from './import-objects.ts';

/** Longer than any function that imports may run, so that a dead runner's import is free only after it. */
const leaseMs = 6 * 60 * 1000;
/** Whoever registered an import just now is about to run it. */
const settleMs = 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** A file that ends the process that reads it must not do so for ever. */
const begunAtMost = 10;

type NewFile = {
  dataSourceId: string;
  importId: string;
  objectKey: string;
  fileName: string;
  fileSize: number;
};
type Tools = {
  imports: Imports;
  objects: LazyObjects;
  now: () => Instant;
  newId: () => string;
  formatTime: FormatTime;
};

/** Why a file ends its import: what is wrong with it will be wrong the next time too. */
const isHopeless = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && ['invalid', 'tooLarge', 'notFound'].includes(error.code);

const ageSeconds = ({ beginTime, createTime }: ContactImport, now: Instant) =>
  Math.round((now - (beginTime ?? createTime)) / 1000);

/** Imports contact files from the bucket, the same way whichever road they came by. */
export class ContactImporter {
  readonly #tools: Tools;
  readonly #files: ImportFiles;

  constructor(tools: Tools) {
    this.#tools = tools;
    this.#files = new ImportFiles(tools);
  }

  /** Registers an import whose file is there or will arrive; an id that is known already stays as it is. */
  async register(file: NewFile): Promise<ContactImport> {
    const createTime = this.#tools.now();
    return this.#tools.imports.create({ ...file, createTime }, Math.ceil((createTime + dayMs) / 1000));
  }

  /** Whether the import was registered for an upload to that very key. */
  async awaits({ dataSourceId, importId }: ImportId, key: string): Promise<boolean> {
    return (await this.#tools.imports.find(dataSourceId, importId))?.objectKey === key;
  }

  /** @throws ServiceError notFound */
  async find(dataSourceId: string, importId: string): Promise<ContactImport & { details: FailedRow[] }> {
    const found = await this.#tools.imports.find(dataSourceId, importId);
    if (found === undefined) throw new ServiceError('notFound', 'import does not exist');
    return { ...found, details: found.status === 'DONE' ? await this.#files.details(found) : [] };
  }

  /**
   * Runs a registered import to its end, unless another runner has it. A file that cannot be imported ends
   * it as FAILED. `takeOver` is for a process that knows that no other runner lives.
   */
  async run(dataSourceId: string, importId: string, takeOver = false): Promise<void> {
    const claim = await this.#begin(dataSourceId, importId, takeOver);
    if (claim.state !== 'run') return;
    if (claim.import.reservation === undefined && claim.import.begun > begunAtMost) {
      await this.#fail(claim.import, `reading the file broke off ${begunAtMost} times`);
      return;
    }
    try {
      await this.#import(claim.import, await checkContactFile(await this.#files.read(claim.import)));
    } catch (error) {
      if (!isHopeless(error)) throw error;
      await this.#fail(claim.import, error.message);
    }
  }

  /** Imports a file that has been checked, while its sender waits. */
  async runChecked(file: NewFile, checked: CheckedFile): Promise<ImportOutcome> {
    await this.register(file);
    const claim = await this.#begin(file.dataSourceId, file.importId, false);
    try {
      return await this.#import(claim.import, checked);
    } catch (error) {
      if (isHopeless(error)) await this.#fail(claim.import, error.message);
      throw error;
    }
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
    if (!(hasBegun || takeOver) && found.createTime + settleMs > now()) return;
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

  #begin(dataSourceId: string, importId: string, takeOver: boolean): Promise<Claim> {
    const { imports, now, newId } = this.#tools;
    return imports.begin(dataSourceId, importId, { runner: newId(), now: now(), leaseMs, takeOver });
  }

  async #import(claimed: ContactImport, { importCount, rows, failed }: CheckedFile): Promise<ImportOutcome> {
    const outcomeOf = (duplicates: readonly ImportRow[]): ImportOutcome => {
      const details = [...failed, ...duplicates.map(duplicateRow)].sort((a, b) => a.row - b.row);
      return {
        importCount,
        successCount: importCount - details.length,
        failCount: details.length,
        details,
      };
    };
    const { duplicates } = await this.#tools.imports.run(
      claimed,
      { rows, importCount },
      this.#tools.now(),
      async (stage, found) => {
        // Before the commit: an import that shows as done always has its report.
        if (stage !== 'written') return;
        await this.#files.report(claimed, 'DONE', '', outcomeOf(found));
      },
    );
    const outcome = outcomeOf(duplicates);
    count('RowsImported', outcome.successCount);
    count('RowsRefused', outcome.failCount);
    return outcome;
  }

  async #fail(claimed: ContactImport, message: string): Promise<void> {
    const { dataSourceId, importId } = claimed;
    await this.#files.report(claimed, 'FAILED', message, nothing);
    await this.#tools.imports.fail(dataSourceId, importId, message, this.#tools.now());
    count('ImportsFailed', 1);
  }
}

const nothing: ImportOutcome = { importCount: 0, successCount: 0, failCount: 0, details: [] };
