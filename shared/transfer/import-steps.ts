import type { SpellPhone } from '../domain/contacts/phone-number.ts';
import {
  type ContactImport,
  type ImportReport,
  noteUnknownZones,
  reportOf,
} from '../domain/imports/contact-import.ts';
import type { Instant } from '../domain/time.ts';
import { count } from '../observability/metrics.ts';
import type { ImportedContacts } from '../store/imports/index.ts';
import { type CheckedRows, checkContactFile } from './checked-rows.ts';
import { checkStoredBatch } from './contact-batch.ts';
import type { ImportObjects } from './import-objects.ts';

type Dependencies = {
  contacts: ImportedContacts;
  objects: ImportObjects;
  spellPhone: () => Promise<SpellPhone>;
  now: () => Instant;
};

/** The steps 3 to 6 of an import that its runner holds: see `ContactImporter`. */
export class ImportSteps {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Reads and checks the rows of the stored file. @throws ServiceError invalid, tooLarge, notFound */
  async readRows(held: ContactImport): Promise<CheckedRows> {
    const file = await this.#deps.objects.getFile(held);
    const form = await this.#deps.spellPhone();
    return held.isBatch ? checkStoredBatch(file, form) : checkContactFile(file, held.options, form);
  }

  /** Places the rows, stores the report and commits. @throws ServiceError as `place` and `commit` of the store */
  async importRows(held: ContactImport, rows: CheckedRows): Promise<ImportReport> {
    const { contacts, objects, now } = this.#deps;
    const { dataSourceId, options = {} } = held;
    const placed = options.dryRun
      ? await contacts.dryRun(dataSourceId, rows.rows, options.onDuplicate)
      : await contacts.place(held, rows, now());
    const report = reportOf(rows.importCount, [...rows.rejected, ...placed.rejected.map(rows.locate)]);
    // Before the commit: an import that shows as DONE always has its report.
    await objects.putRejected(held, rows, report.details);
    const rejectedLines = new Set(placed.rejected.map(({ row }) => row));
    const note = noteUnknownZones(rows.rows.filter(({ line }) => !rejectedLines.has(line)));
    await objects.putReport(held, 'DONE', note, report);
    const { details: _, ...counts } = report;
    await contacts.commit(held, placed, counts, now(), note);
    count('RowsImported', options.dryRun ? 0 : report.successCount);
    count('RowsRefused', report.failCount);
    return report;
  }
}
