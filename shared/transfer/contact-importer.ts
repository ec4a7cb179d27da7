import type { ContactImport, ImportRow } from '../domain/contact-import.ts';
import { ServiceError } from '../domain/errors.ts';
import type { FailedRow } from '../domain/failed-row.ts';
import type { Instant } from '../domain/time.ts';
import { MAX_FILE_BYTES } from '../files/limits.ts';
import type { Imports } from '../store/contact-imports.ts';
import type { Claim } from '../store/import-records.ts';
import type { Objects } from '../store/objects.ts';
import { type CheckedFile, checkContactFile, duplicateRow } from './contact-rows.ts';
import { resultKey } from './import-objects.ts';

/** Longer than any function that imports may run, so that a dead runner's import is free only after it. */
const leaseMs = 6 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;

export type ImportOutcome = Pick<ContactImport, 'importCount' | 'successCount' | 'failCount'> & {
  details: FailedRow[];
};

type NewFile = {
  dataSourceId: string;
  importId: string;
  objectKey: string;
  fileName: string;
  fileSize: number;
};
type Tools = { imports: Imports; objects: Objects; now: () => Instant; newId: () => string };

/** Imports contact files from the bucket, the same way whichever road they came by. */
export class ContactImporter {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Registers an import whose file is there or will arrive; an id that is known already stays as it is. */
  async register(file: NewFile): Promise<ContactImport> {
    const createTime = this.#tools.now();
    return this.#tools.imports.create({ ...file, createTime }, Math.ceil((createTime + dayMs) / 1000));
  }

  /** @throws ServiceError notFound */
  async find(dataSourceId: string, importId: string): Promise<ContactImport & { details: FailedRow[] }> {
    const found = await this.#tools.imports.find(dataSourceId, importId);
    if (found === undefined) throw new ServiceError('notFound', 'import does not exist');
    return { ...found, details: found.status === 'DONE' ? await this.#details(found) : [] };
  }

  /**
   * Runs a registered import to its end, unless another runner has it. A file that cannot be imported ends
   * it as FAILED. `takeOver` is for a process that knows that no other runner lives.
   */
  async run(dataSourceId: string, importId: string, takeOver = false): Promise<void> {
    const claim = await this.#begin(dataSourceId, importId, takeOver);
    if (claim.state !== 'run') return;
    try {
      const file = await this.#tools.objects.get(claim.import.objectKey, MAX_FILE_BYTES);
      await this.#import(claim.import, await checkContactFile(file));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      await this.#fail(claim.import, error.message);
    }
  }

  /** Imports a file that has been checked, while its sender waits. */
  async runChecked(file: NewFile, checked: CheckedFile): Promise<ImportOutcome> {
    await this.register(file);
    const claim = await this.#begin(file.dataSourceId, file.importId, false);
    return this.#import(claim.import, checked);
  }

  /** Ends what was left unfinished: runs what has its file, gives up what never got one. */
  async sweep(takeOver = false): Promise<void> {
    const { imports, objects, now } = this.#tools;
    for (const { dataSourceId, importId } of await imports.pending()) {
      const found = await imports.find(dataSourceId, importId);
      if (found === undefined) continue;
      const arrived = (await objects.head(found.objectKey)) !== undefined;
      if (arrived) await this.run(dataSourceId, importId, takeOver);
      else if (found.status === 'WAITING' && found.createTime + dayMs < now()) {
        await imports.fail(dataSourceId, importId, 'the file never arrived', now());
      }
    }
  }

  /** Tells an operator who dropped a file what came of it, where no import could be registered. */
  async refuse(objectKey: string, message: string): Promise<void> {
    await this.#writeResult(objectKey, { status: 'FAILED', message, ...nothing });
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
        await this.#writeResult(claimed.objectKey, { status: 'DONE', message: '', ...outcomeOf(found) });
      },
    );
    return outcomeOf(duplicates);
  }

  async #fail({ dataSourceId, importId, objectKey }: ContactImport, message: string): Promise<void> {
    await this.#tools.imports.fail(dataSourceId, importId, message, this.#tools.now());
    await this.#writeResult(objectKey, { status: 'FAILED', message, ...nothing });
  }

  async #writeResult(objectKey: string, result: ImportOutcome & { status: string; message: string }) {
    await this.#tools.objects.put(resultKey(objectKey), JSON.stringify(result), 'application/json');
  }

  async #details({ objectKey }: ContactImport): Promise<FailedRow[]> {
    const result = await this.#tools.objects.get(resultKey(objectKey));
    return (JSON.parse(Buffer.from(result).toString()) as ImportOutcome).details;
  }
}

const nothing: ImportOutcome = { importCount: 0, successCount: 0, failCount: 0, details: [] };
