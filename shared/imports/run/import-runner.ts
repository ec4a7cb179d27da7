import type { SpellPhone } from '../../contacts/rules/phone-number.ts';
import { limitsFor } from '../../files/workbook.ts';
import { count } from '../../platform/observability/metrics.ts';
import { invalid, notFound, ServiceError } from '../../platform/rules/errors.ts';
import type { Instant } from '../../platform/time/time.ts';
import { type CheckedPart, checkedParts, checkStoredBatch, locateIn } from '../checked-rows.ts';
import {
  addEnded,
  type EndedParts,
  type ImportObjects,
  isOfRequest,
  noneEnded,
  rejectedCells,
} from '../import-objects.ts';
import type { ImportRecords } from '../import-records.ts';
import type { ImportedContacts, WrittenRows } from '../imported-contacts.ts';
import {
  abandonmentOf,
  type ContactImport,
  type FileReport,
  type ImportFailure,
  type ImportReport,
  noneWritten,
  noteUnknownZones,
  refusalOf,
  rejectUnwritten,
  reportOf,
  unknownZonesOf,
  visibilityOf,
  type WrittenParts,
} from '../rules/contact-import.ts';
import { blocksOfPart } from './import-phones.ts';

/**
 * A file may kill the process that reads it. It must not do so for ever, because an open range
 * holds dialing back.
 */
const begunAtMost = 10;

/** Parts of a file that are read between two writes of its progress. */
const partsPerShow = 8;

/** Errors of the file itself, which every retry would meet again. */
const isFinal = (error: unknown) =>
  error instanceof ServiceError && ['invalid', 'tooLarge', 'notFound'].includes(error.code);
const isConflict = (error: unknown) => error instanceof ServiceError && error.word === 'IMPORT_RUNNING';
const isTooBusy = (error: unknown) => error instanceof ServiceError && error.code === 'tooBusy';

/** Whether rows of the import may be in the table. */
export const hasWritten = ({ reservation, placed }: ContactImport) =>
  reservation !== undefined || placed !== undefined;

export const emptyReport: FileReport = { ...reportOf(0, []), rejected: {}, visibility: 'atOnce' };

/** What the message of an abandoned import says about rows that stay. */
const noteOfRest = ({ visibility, successCount }: FileReport, updateCount: number): string => {
  const isStepwise = visibility === 'inSteps';
  const stayed = isStepwise ? successCount : updateCount;
  if (stayed === 0) return '';
  return `; ${isStepwise ? 'rows visible' : 'contacts updated'} before that: ${stayed}`;
};

/** Why the import has FAILED, for its client. */
export const failureOf = ({ abandoned, message }: ContactImport) =>
  abandoned === undefined
    ? invalid('file', message, 'BAD_FILE')
    : new ServiceError('IMPORT_FAILED', abandoned);

type RunOptions = {
  /** A client waits for the import, and gets its result. */
  isAwaited?: boolean;
  isTimeUp?: () => boolean;
};

/**
 * - done: the rows are visible.
 * - ended: the import never runs again, and its client gets `error`.
 * - handedOn: the time was up, and another runner goes on.
 * - broken: the next run tries again.
 */
type RunEnd =
  | { state: 'done'; report: ImportReport }
  | { state: 'handedOn' }
  | { state: 'ended' | 'broken'; error: unknown };

type Dependencies = {
  records: ImportRecords;
  contacts: ImportedContacts;
  objects: ImportObjects;
  spellPhone: () => Promise<SpellPhone>;
  now: () => Instant;
  newId: () => string;
  /** Maximum of rows of an uploaded or dropped file. */
  importMaxRows: number;
  /** How long the claim on an import lasts from each part on. */
  claimMs: number;
};

/**
 * Does the work of an import that its caller has claimed: the steps 3 to 5 of `ContactImporter`.
 * Each step may be repeated, so a runner goes on where a dead one has stopped.
 *
 * How an import ends without success: an import that has written nothing fails at once, for example
 * because its file cannot be read. An import that has reserved rows and was cancelled, or broke off
 * ten times, is abandoned. First its record says that it will never show a row, then its hidden
 * contacts are removed, then it ends as FAILED.
 */
export class ImportRunner {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws errors that stop a rollback. The next run continues it */
  async run(claimed: ContactImport, options: RunOptions = {}): Promise<RunEnd> {
    const { isTimeUp = () => false } = options;
    const { abandoned, begun, reservation } = claimed;
    if (abandoned !== undefined || begun > begunAtMost) {
      const work = reservation === undefined ? 'reading the file' : 'the import';
      const reason = abandoned ?? `${work} broke off ${begunAtMost} times`;
      return { state: 'ended', error: await this.abandon(claimed, reason, isTimeUp) };
    }
    try {
      const cut = claimed.cut === undefined ? await this.#cut(claimed) : claimed;
      const report = await this.#importParts(cut, isTimeUp);
      if (report !== undefined) return { state: 'done', report };
      await this.#deps.records.handOn(cut, this.#deps.now());
      return { state: 'handedOn' };
    } catch (error) {
      return this.#settle(claimed, error, options);
    }
  }

  /**
   * Reads and checks the file, and stores its rows in parts.
   * @throws ServiceError invalid, tooLarge, notFound
   */
  async #cut(claimed: ContactImport): Promise<ContactImport> {
    const { contacts, objects, records, newId, spellPhone, importMaxRows } = this.#deps;
    const file = await objects.getFile(claimed);
    const limits = isOfRequest(claimed) ? undefined : limitsFor(importMaxRows);
    const { head, parts } =
      claimed.isBatch && file instanceof Uint8Array
        ? checkStoredBatch(file, await spellPhone())
        : await checkedParts(file, claimed.options, await spellPhone(), limits);
    const { cut, importCount } = await objects.putParts(claimed, newId(), head, this.#shown(claimed, parts));
    const isStepwise =
      cut.parts > 1 && !claimed.options?.dryRun && (await contacts.hasTasks(claimed.dataSourceId));
    return records.setCut(claimed, { ...cut, isStepwise }, importCount);
  }

  /** Passes the parts on. The import shows how many rows were read every few parts. */
  async *#shown(
    claimed: ContactImport,
    parts: AsyncIterable<CheckedPart> | Iterable<CheckedPart>,
  ): AsyncGenerator<CheckedPart> {
    let importCount = 0;
    let read = 0;
    for await (const part of parts) {
      yield part;
      importCount += part.importCount;
      if (++read % partsPerShow === 0)
        await this.#deps.records.showProgress(claimed, { importCount, successCount: 0, failCount: 0 });
    }
  }

  /**
   * Writes one part after another, and shows the rows. The last part ends with the import.
   * @returns undefined if the time was up before
   */
  async #importParts(begun: ContactImport, isTimeUp: () => boolean): Promise<ImportReport | undefined> {
    const { contacts, objects, now, claimMs } = this.#deps;
    const { dataSourceId, cut, options = {} } = begun;
    if (cut === undefined) throw new Error('the file of the import is not cut');
    const head = await objects.getHead(cut);
    const first = begun.placed?.parts ?? 0;
    if (first === 0 && !options.dryRun)
      await contacts.rememberNames(dataSourceId, head.names, head.fieldOrder);
    let claimed = begun;
    let ended = await objects.getEnded(begun);
    let placed = begun.placed ?? noneWritten;
    let last: WrittenRows | undefined;
    for (let number = first; number < cut.parts; number++) {
      if (cut.parts > 1 && isTimeUp()) return undefined;
      const part = await objects.getPart(cut, number);
      const isResumed = number === first && begun.reservation !== undefined;
      const written = options.dryRun
        ? await contacts.dryRun(dataSourceId, part.rows, options.onDuplicate)
        : await contacts.writeRows(claimed, part, now(), isResumed);
      const all = [...part.rejected, ...written.rejected.map(locateIn(head))];
      const { details: rejected, successCount, failCount } = reportOf(part.importCount, all);
      const refused = new Set(written.rejected.map(({ row }) => row));
      const zones = unknownZonesOf(part.rows.filter(({ line }) => !refused.has(line)));
      const end = { rejected, cells: rejectedCells(part, rejected), lives: written.lives, zones };
      await objects.putEnded(cut, number, end);
      ended = addEnded(ended, end, isOfRequest(claimed));
      placed = {
        parts: number + 1,
        blocks: placed.blocks + blocksOfPart(part.rows.length),
        successCount: placed.successCount + successCount,
        failCount: placed.failCount + failCount,
        updateCount: placed.updateCount + written.updateCount,
      };
      if (placed.parts === cut.parts) last = written;
      else claimed = await contacts.endPart(claimed, written, placed, now(), now() + claimMs);
    }
    return this.#commit(claimed, ended, placed, last);
  }

  /** `last` is missing if a runner of 0.4 has ended the last part, but not the import. */
  async #commit(
    claimed: ContactImport,
    { details, rejected, lives, zones }: EndedParts,
    { successCount, failCount, updateCount }: WrittenParts,
    last: WrittenRows | undefined,
  ): Promise<ImportReport> {
    const { contacts, objects, now } = this.#deps;
    const { importCount, options } = claimed;
    const counts = { importCount, successCount, failCount };
    const visibility = visibilityOf(claimed);
    const note = noteUnknownZones(zones);
    // Before the commit, so that an import that is DONE always has its report.
    await objects.putReport(claimed, 'DONE', note, { ...counts, details, rejected, visibility });
    const reservation = last?.reservation ?? claimed.reservation;
    const written = {
      // Where rows become visible in steps, the parts before the last one are visible already.
      lives: visibility === 'inSteps' ? (last?.lives ?? []) : lives,
      updateCount,
      ...(reservation && { reservation }),
    };
    await contacts.commit(claimed, written, counts, now(), note);
    count('RowsImported', options?.dryRun ? 0 : successCount);
    count('RowsRefused', failCount);
    return { ...counts, details };
  }

  /**
   * Decides what becomes of an import that the caller has claimed, after an error stopped its
   * steps:
   * - Its data source was deleted. The rows of the import are removed with the data source.
   * - It was cancelled meanwhile. It is abandoned, because none of its writes are under way.
   * - The file cannot be imported, and nothing was written. It fails. An import that is too busy
   *   fails too if its client waits, because the client is told that it failed.
   * - Any other error: the next run tries again.
   */
  async #settle(
    claimed: ContactImport,
    error: unknown,
    { isAwaited = false, isTimeUp }: RunOptions,
  ): Promise<RunEnd> {
    const broken = { state: 'broken', error } as const;
    if (!isConflict(error) && !isFinal(error) && !(isAwaited && isTooBusy(error))) return broken;
    const found = await this.#deps.records.find(claimed.dataSourceId, claimed.importId);
    if (found === undefined) return { state: 'ended', error: notFound('data source') };
    if (isConflict(error)) {
      const isOurs = found.status === 'RUNNING' && found.runner === claimed.runner;
      if (!isOurs || found.abandoned === undefined) return broken;
      return { state: 'ended', error: await this.abandon(found, found.abandoned, isTimeUp) };
    }
    if (hasWritten(found)) return broken;
    await this.fail(claimed, refusalOf(error as ServiceError));
    return { state: 'ended', error };
  }

  /**
   * Ends an import that has written nothing.
   * @throws ServiceError conflict if it has reserved rows
   */
  async fail(claimed: ContactImport, failure: ImportFailure): Promise<void> {
    const { dataSourceId, importId } = claimed;
    await this.#deps.objects.putReport(claimed, 'FAILED', failure.message, emptyReport);
    await this.#deps.records.fail(dataSourceId, importId, failure, this.#deps.now());
    count('ImportsFailed', 1);
  }

  /**
   * Rolls back an import that the caller has claimed, and ends it as FAILED. If the time is up
   * before, the next runner goes on.
   * @returns the error for its client
   */
  async abandon(claimed: ContactImport, reason: string, isTimeUp?: () => boolean): Promise<ServiceError> {
    const { records, contacts, objects, now } = this.#deps;
    const error = failureOf({ ...claimed, abandoned: reason });
    if (!hasWritten(claimed)) {
      await this.fail(claimed, abandonmentOf(reason));
      return error;
    }
    if (claimed.abandoned === undefined) await records.abandon(claimed, reason);
    const updated = await contacts.rollBack(claimed, isTimeUp);
    if (updated === undefined) {
      await records.handOn(claimed, now());
      return error;
    }
    const { report, updateCount } = await this.#whatStays(claimed, updated);
    const message = reason + noteOfRest(report, updateCount);
    await objects.putReport(claimed, 'FAILED', message, report);
    const { importCount, successCount, failCount } = report;
    const counts = { importCount, successCount, failCount, updateCount };
    await contacts.fail(claimed, abandonmentOf(reason, message), counts, now());
    count('ImportsFailed', 1);
    return error;
  }

  /** What stays of an abandoned import: its updates, and rows that became visible in steps. */
  async #whatStays(
    claimed: ContactImport,
    updated: readonly string[],
  ): Promise<{ report: FileReport; updateCount: number }> {
    const { importCount, placed, cut } = claimed;
    const updateCount = (placed?.updateCount ?? 0) + updated.length;
    const visible = cut?.isStepwise ? (placed?.successCount ?? 0) + updated.length : updateCount;
    if (visible === 0) return { report: emptyReport, updateCount };
    const counts = { importCount, successCount: visible, failCount: importCount - visible };
    const { details, rejected } = await this.#rejectedOf(claimed, updated).catch((error) => {
      // The counts are exact without the rows, which have expired.
      if (isFinal(error)) return noneEnded();
      throw error;
    });
    return { report: { ...counts, details, rejected, visibility: visibilityOf(claimed) }, updateCount };
  }

  /** The rejected rows of the written parts, and for a small file also the unwritten rows. */
  async #rejectedOf(claimed: ContactImport, updated: readonly string[]): Promise<EndedParts> {
    const ended = await this.#deps.objects.getEnded(claimed);
    if (claimed.cut?.parts !== 1) return ended;
    const { importCount, rows, rejected } = await this.#deps.objects.getPart(claimed.cut, 0);
    const written = new Set(updated);
    const unwritten = rows.filter(({ phoneNumber }) => !written.has(phoneNumber)).map(rejectUnwritten);
    const { details } = reportOf(importCount, [...rejected, ...unwritten]);
    return addEnded(noneEnded(), { rejected: details, lives: [], zones: ended.zones }, isOfRequest(claimed));
  }
}
