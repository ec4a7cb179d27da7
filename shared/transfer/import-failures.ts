import { invalid, notFound, ServiceError } from '../domain/errors.ts';
import {
  abandonmentOf,
  type ContactImport,
  countByCode,
  type FileReport,
  type ImportFailure,
  refusalOf,
  rejectUnwritten,
  reportOf,
  visibilityOf,
} from '../domain/imports/contact-import.ts';
import type { Instant } from '../domain/time.ts';
import { count } from '../observability/metrics.ts';
import type { ImportedContacts, ImportRecords } from '../store/imports/index.ts';
import type { ImportObjects } from './import-objects.ts';
import { type ImportParts, noneEnded } from './import-parts.ts';
import type { ImportSteps } from './import-steps.ts';

/** A file that kills the process that reads it must not do so for ever, and an open range holds dialing back. */
export const begunAtMost = 10;
/** For the report of an abandoned import the file is read again this often: it may be what kills the process. */
const rereadAtMost = 2;

/** Errors of the file itself: every retry would meet them again. */
const isFinal = (error: unknown) =>
  error instanceof ServiceError && ['invalid', 'tooLarge', 'notFound'].includes(error.code);

/** For `catch`: that value where every retry would meet the error again. */
const unlessFinal =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isFinal(error)) return value;
    throw error;
  };

type Rejected = Pick<FileReport, 'details' | 'rejected'>;

/** Whether rows of the import may be in the table. */
export const hasWritten = ({ reservation, placed }: ContactImport) =>
  reservation !== undefined || placed !== undefined;

const isConflict = (error: unknown) => error instanceof ServiceError && error.word === 'IMPORT_RUNNING';

const isTooBusy = (error: unknown) => error instanceof ServiceError && error.code === 'tooBusy';

const none = { rejected: {}, visibility: 'atOnce' as const };
export const emptyReport: FileReport = { ...reportOf(0, []), ...none };

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
  parts: ImportParts;
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
  async settle(
    held: ContactImport,
    error: unknown,
    { isAwaited = false, isTimeUp }: { isAwaited?: boolean; isTimeUp?: () => boolean } = {},
  ): Promise<Settled> {
    const isTelling = isConflict(error) || isFinal(error) || (isAwaited && isTooBusy(error));
    if (!isTelling) return { isEnded: false, error };
    const found = await this.#deps.records.find(held.dataSourceId, held.importId);
    if (found === undefined) return { isEnded: true, error: notFound('data source') };
    if (isConflict(error)) {
      const isOurs = found.status === 'RUNNING' && found.runner === held.runner;
      if (!isOurs || found.abandoned === undefined) return { isEnded: false, error };
      return { isEnded: true, error: await this.abandon(found, found.abandoned, isTimeUp) };
    }
    if (hasWritten(found)) return { isEnded: false, error };
    await this.fail(held, refusalOf(error as ServiceError));
    return { isEnded: true, error };
  }

  /** Ends an import that has written nothing. @throws ServiceError conflict when it has reserved rows */
  async fail(held: ContactImport, failure: ImportFailure): Promise<void> {
    const { dataSourceId, importId } = held;
    await this.#deps.objects.putReport(held, 'FAILED', failure.message, emptyReport);
    await this.#deps.records.fail(dataSourceId, importId, failure, this.#deps.now());
    count('ImportsFailed', 1);
  }

  /**
   * Rolls an import back that the caller holds, and ends it as FAILED. Answers what its client is told. If the time is up
   * before, the next runner goes on.
   */
  async abandon(held: ContactImport, reason: string, isTimeUp?: () => boolean): Promise<ServiceError> {
    const { records, contacts, objects, now } = this.#deps;
    const told = failureOf({ ...held, abandoned: reason });
    if (!hasWritten(held)) {
      await this.fail(held, abandonmentOf(reason));
      return told;
    }
    if (held.abandoned === undefined) await records.abandon(held, reason);
    const updated = await contacts.rollBack(held, isTimeUp);
    if (updated === undefined) {
      await records.handOn(held, now());
      return told;
    }
    const { report, updateCount } = await this.#whatStays(held, updated);
    const [stayed, what] =
      report.visibility === 'inSteps'
        ? [report.successCount, 'rows visible before that']
        : [updateCount, 'contacts updated before that'];
    const message = stayed === 0 ? reason : `${reason}; ${what}: ${stayed}`;
    await objects.putReport(held, 'FAILED', message, report);
    const { importCount, successCount, failCount } = report;
    const counts = { importCount, successCount, failCount, updateCount };
    await contacts.fail(held, abandonmentOf(reason, message), counts, now());
    count('ImportsFailed', 1);
    return told;
  }

  /** What stays of an abandoned import: its updates, and rows that became visible in steps. */
  async #whatStays(
    held: ContactImport,
    updated: readonly string[],
  ): Promise<{ report: FileReport; updateCount: number }> {
    const { importCount, placed, cut } = held;
    const updateCount = (placed?.updateCount ?? 0) + updated.length;
    const visible = cut?.isStepwise ? (placed?.successCount ?? 0) + updated.length : updateCount;
    if (visible === 0) return { report: emptyReport, updateCount };
    const counts = { importCount, successCount: visible, failCount: importCount - visible };
    const visibility = visibilityOf(held);
    const { details, rejected } = cut
      ? await this.#deps.parts.endedParts(held).catch(unlessFinal(noneEnded))
      : await this.#rejectedOf(held, updated);
    return { report: { ...counts, details, rejected, visibility }, updateCount };
  }

  /** Rows of a small file are listed as far as it can be read. The counts are exact without it. */
  async #rejectedOf(held: ContactImport, updated: readonly string[]): Promise<Rejected> {
    if (held.begun > begunAtMost + rereadAtMost) return noneEnded;
    try {
      const written = new Set(updated);
      const read = await this.#deps.steps.read(held);
      if (!('rows' in read)) return noneEnded;
      const unwritten = read.rows.filter(({ phoneNumber }) => !written.has(phoneNumber)).map(rejectUnwritten);
      const { details } = reportOf(held.importCount, [...read.rejected, ...unwritten]);
      return { details, rejected: countByCode(details) };
    } catch (error) {
      return unlessFinal<Rejected>(noneEnded)(error);
    }
  }
}
