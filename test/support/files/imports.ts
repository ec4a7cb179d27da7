import type { ContactImport, ImportRows } from '../../../shared/domain/imports/contact-import.ts';
import type { ImportedContacts } from '../../../shared/store/imports/index.ts';

/** What the importer does with rows, without the report it writes in between. */
export const placeAndCommit = async (
  imports: ImportedContacts,
  found: ContactImport,
  file: ImportRows,
  now: number,
) => {
  const placement = await imports.place(found, file, now);
  const failCount = file.importCount - file.rows.length + placement.rejected.length;
  const counts = { importCount: file.importCount, successCount: file.importCount - failCount, failCount };
  return { import: await imports.commit(found, placement, counts, now), rejected: placement.rejected };
};
