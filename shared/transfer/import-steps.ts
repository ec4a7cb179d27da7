import type { SpellPhone } from '../domain/contacts/phone-number.ts';
import {
  type ContactImport,
  countByCode,
  type ImportReport,
  noneWritten,
  noteUnknownZones,
  reportOf,
  unknownZonesOf,
  visibilityOf,
  type WrittenParts,
} from '../domain/imports/contact-import.ts';
import type { Instant } from '../domain/time.ts';
import { limitsFor } from '../files/index.ts';
import { count } from '../observability/metrics.ts';
import {
  blocksOfPart,
  type ImportedContacts,
  type ImportRecords,
  type WrittenRows,
} from '../store/imports/index.ts';
import {
  type CheckedRows,
  checkContactFile,
  checkedParts,
  partLimits,
  rejectedCells,
  wholeOf,
} from './checked-rows.ts';
import { checkStoredBatch } from './contact-batch.ts';
import { type ImportObjects, isOfRequest, partsFolder } from './import-objects.ts';
import type { ImportParts } from './import-parts.ts';

type Dependencies = {
  contacts: ImportedContacts;
  records: ImportRecords;
  objects: ImportObjects;
  parts: ImportParts;
  spellPhone: () => Promise<SpellPhone>;
  now: () => Instant;
  newId: () => string;
  /** Rows of an uploaded or dropped file. */
  importMaxRows: number;
  /** How long a runner holds an import from each part on. */
  holdMs: number;
};

/** Takes the first ones out of their list, so that each is held no longer than it is needed. */
async function* joined<T>(first: T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  for (let next = first.shift(); next !== undefined; next = first.shift()) yield next;
  yield* rest;
}

/** The rows of a part, or of a whole file, that became or updated contacts. */
const importedOf = ({ rows }: CheckedRows, { rejected }: WrittenRows) => {
  const lines = new Set(rejected.map(({ row }) => row));
  return rows.filter(({ line }) => !lines.has(line));
};

/** The steps 3 to 6 of an import that its runner holds: see `ContactImporter`. */
export class ImportSteps {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Reads and checks the rows of the stored file. Answers them, or the import with its file cut into parts.
   * @throws ServiceError invalid, tooLarge, notFound
   */
  async read(held: ContactImport): Promise<CheckedRows | ContactImport> {
    const { objects, spellPhone, importMaxRows } = this.#deps;
    const file = await objects.getFile(held);
    const spell = await spellPhone();
    if (file instanceof Uint8Array) {
      if (held.isBatch) return checkStoredBatch(file, spell);
      // An import that has reserved its rows was read whole then.
      if (isOfRequest(held) || held.reservation) return checkContactFile(file, held.options, spell);
    }
    const { head, parts } = await checkedParts(file, held.options, spell, limitsFor(importMaxRows));
    const first: CheckedRows[] = [];
    let rows = 0;
    // Few rows may hold much text, and make many parts.
    const mostParts = Math.ceil(partLimits.whole / partLimits.rows);
    while (rows <= partLimits.whole && first.length <= mostParts) {
      const { done, value } = await parts.next();
      if (done && file instanceof Uint8Array) return wholeOf(first);
      if (done) break;
      first.push(value);
      rows += value.importCount;
    }
    return this.#cut(held, head, joined(first, parts));
  }

  async #cut(
    held: ContactImport,
    head: Awaited<ReturnType<typeof checkedParts>>['head'],
    checked: AsyncIterable<CheckedRows>,
  ): Promise<ContactImport> {
    const { contacts, records, parts, newId } = this.#deps;
    const { cut, importCount } = await parts.store(partsFolder(held, newId()), head, checked);
    const isStepwise = cut.parts > 1 && !held.options?.dryRun && (await contacts.hasTasks(held.dataSourceId));
    return records.setCut(held, { ...cut, isStepwise }, importCount);
  }

  /** Writes the rows, stores the report and commits. @throws ServiceError as `writeRows` and `commit` of the store */
  async importRows(held: ContactImport, rows: CheckedRows): Promise<ImportReport> {
    const { contacts, objects, now } = this.#deps;
    const written = await this.#writeRows(held, rows, held.reservation !== undefined);
    const report = reportOf(rows.importCount, [...rows.rejected, ...written.rejected.map(rows.locate)]);
    // Before the commit: an import that shows as DONE always has its report.
    await objects.putRejected(held, rows, report.details);
    const note = noteUnknownZones(unknownZonesOf(importedOf(rows, written)));
    const rejected = countByCode(report.details);
    await objects.putReport(held, 'DONE', note, { ...report, rejected, visibility: 'atOnce' });
    const { details: _, ...counts } = report;
    await contacts.commit(held, written, counts, now(), note);
    this.#count(held, report);
    return report;
  }

  /** As `importRows`, part by part. Answers whether the import has ended, or the time was up before. */
  async importParts(begun: ContactImport, isTimeUp: () => boolean): Promise<boolean> {
    const { contacts, objects, parts, now } = this.#deps;
    const { dataSourceId, cut, options = {} } = begun;
    if (cut === undefined) throw new Error('the file of the import is not cut');
    const head = await parts.head(cut);
    const first = begun.placed?.parts ?? 0;
    if (first === 0 && !options.dryRun)
      await contacts.rememberNames(dataSourceId, head.names, head.fieldOrder);
    let held = begun;
    for (let number = first; number < cut.parts; number++) {
      if (isTimeUp()) return false;
      const rows = await parts.part(cut, head, number);
      const isResumed = number === first && begun.reservation !== undefined;
      held = await this.#importPart(held, number, rows, isResumed);
    }
    const { details, rejected, lives, zones } = await parts.endedParts(held);
    const { importCount, successCount, failCount, updateCount = 0 } = held;
    const counts = { importCount, successCount, failCount };
    const note = noteUnknownZones(zones);
    const visibility = visibilityOf(held);
    await objects.putReport(held, 'DONE', note, { ...counts, details, rejected, visibility });
    const { reservation } = held;
    await contacts.commit(
      held,
      { lives, updateCount, ...(reservation && { reservation }) },
      counts,
      now(),
      note,
    );
    this.#count(held, counts);
    return true;
  }

  async #importPart(
    held: ContactImport,
    number: number,
    rows: CheckedRows,
    isResumed: boolean,
  ): Promise<ContactImport> {
    const { contacts, parts, now, holdMs } = this.#deps;
    const { cut, placed: done = noneWritten } = held;
    const written = await this.#writeRows(held, rows, isResumed);
    const { details: rejected, ...counts } = reportOf(rows.importCount, [
      ...rows.rejected,
      ...written.rejected.map(rows.locate),
    ]);
    await parts.end(cut!, number, {
      rejected,
      cells: rejectedCells(rows, rejected),
      lives: written.lives,
      zones: unknownZonesOf(importedOf(rows, written)),
    });
    const all: WrittenParts = {
      parts: number + 1,
      blocks: done.blocks + blocksOfPart(rows.rows.length),
      successCount: done.successCount + counts.successCount,
      failCount: done.failCount + counts.failCount,
      updateCount: done.updateCount + written.updateCount,
    };
    return contacts.endPart(held, written, all, now(), now() + holdMs);
  }

  #writeRows(held: ContactImport, rows: CheckedRows, isResumed: boolean): Promise<WrittenRows> {
    const { contacts, now } = this.#deps;
    const { dataSourceId, options = {} } = held;
    return options.dryRun
      ? contacts.dryRun(dataSourceId, rows.rows, options.onDuplicate)
      : contacts.writeRows(held, rows, now(), isResumed);
  }

  #count({ options }: ContactImport, { successCount, failCount }: Omit<ImportReport, 'details'>): void {
    count('RowsImported', options?.dryRun ? 0 : successCount);
    count('RowsRefused', failCount);
  }
}
