import { invalid, notFound, ServiceError } from '../domain/errors.ts';
import {
  type ContactImport,
  type ImportReport,
  rejectUnwritten,
  reportOf,
} from '../domain/imports/contact-import.ts';
import type { Instant } from '../domain/time.ts';
import { count } from '../observability/metrics.ts';
import type { ImportedContacts, ImportRecords } from '../store/imports/index.ts';
import type { ImportObjects } from './import-objects.ts';
import type { ImportSteps } from './import-steps.ts';

/** A file that kills the process that reads it must not do so for ever, and an open range holds dialing back. */
export const begunAtMost = 10;
/** For the report of an abandoned import the file is read again this often: it may be what kills the process. */
const reportedAtMost = 2;

/** Errors of the file itself: every retry would meet them again. */
const isFinal = (error: unknown) =>
  error instanceof ServiceError && ['invalid', 'tooLarge', 'notFound'].includes(error.code);

const isConflict = (error: unknown) => error instanceof ServiceError && error.word === 'IMPORT_RUNNING';

const isTooBusy = (error: unknown) => error instanceof ServiceError && error.code === 'tooBusy';

export const emptyReport = reportOf(0, []);

/** What a client is told whose import has FAILED. */
export const failureOf = ({ abandoned, message }: ContactImport) =>
  abandoned === undefined
    ? invalid('file', message, 'BAD_FILE')
    : new ServiceError('IMPORT_FAILED', abandoned);

/** `isEnded`: the import never runs again. The client that waits for it is told `error`. */
type Settled = { isEnded: boolean; error: unknown };

type Dependencies = {
  records: ImportRecords;
  contacts: ImportedContacts;
  objects: ImportObjects;
  steps: ImportSteps;
  now: () => Instant;
};

/**
 * How imports end without success. An import that has written nothing fails at once. An import that has reserved rows is
 * abandoned: first its record says that it will never show a row, then its hidden contacts are removed, then it ends as
 * FAILED. Each part may be repeated, so the schedule finishes what a dead process has begun.
 */
export class ImportFailures {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Decides what becomes of an import that the caller holds, after an error stopped its steps:
   * - Its data source was deleted. What the import wrote is removed with the data source.
   * - It was cancelled meanwhile. It is abandoned: none of its writes are under way.
   * - The file cannot be imported, and nothing was written. It fails. So does an import that is too busy while its
   *   client waits, since the client is told that it failed.
   * - Any other error leaves it to the next run.
   */
  async settle(held: ContactImport, error: unknown, isAwaited = false): Promise<Settled> {
    const isTelling = isConflict(error) || isFinal(error) || (isAwaited && isTooBusy(error));
    if (!isTelling) return { isEnded: false, error };
    const found = await this.#deps.records.find(held.dataSourceId, held.importId);
    if (found === undefined) return { isEnded: true, error: notFound('data source') };
    if (isConflict(error)) {
      const isOurs = found.status === 'RUNNING' && found.runner === held.runner;
      if (!isOurs || found.abandoned === undefined) return { isEnded: false, error };
      return { isEnded: true, error: await this.abandon(found, found.abandoned) };
    }
    if (found.reservation !== undefined) return { isEnded: false, error };
    await this.fail(held, (error as ServiceError).message);
    return { isEnded: true, error };
  }

  /** Ends an import that has written nothing. @throws ServiceError conflict when it has reserved rows */
  async fail(held: ContactImport, message: string): Promise<void> {
    const { dataSourceId, importId } = held;
    await this.#deps.objects.putReport(held, 'FAILED', message, emptyReport);
    await this.#deps.records.fail(dataSourceId, importId, message, this.#deps.now());
    count('ImportsFailed', 1);
  }

  /** Rolls an import back that the caller holds, and ends it as FAILED. Answers what its client is told. */
  async abandon(held: ContactImport, reason: string): Promise<ServiceError> {
    const { records, contacts, objects, now } = this.#deps;
    if (held.reservation === undefined) await this.fail(held, reason);
    else {
      if (held.abandoned === undefined) await records.abandon(held, reason);
      const updated = await contacts.rollBack(held);
      const report = updated.length === 0 ? emptyReport : await this.#partialReport(held, updated);
      const stays = updated.length === 0 ? '' : `; contacts updated before that: ${updated.length}`;
      const message = `${reason}${stays}`;
      await objects.putReport(held, 'FAILED', message, report);
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
      const { rows, rejected } = await this.#deps.steps.readRows(held);
      const unwritten = rows.filter(({ phoneNumber }) => !written.has(phoneNumber)).map(rejectUnwritten);
      return { ...counts, details: reportOf(importCount, [...rejected, ...unwritten]).details };
    } catch (error) {
      if (isFinal(error)) return { ...counts, details: [] };
      throw error;
    }
  }
}
