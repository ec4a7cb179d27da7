import type { ContactImport } from '../../../shared/domain/imports/contact-import.ts';
import type { ImportFile, Imports } from '../../../shared/store/imports/contact-imports.ts';

/** What the importer does with rows, without the report it writes in between. */
export const placeAndCommit = async (
  imports: Imports,
  found: ContactImport,
  file: ImportFile,
  now: number,
) => {
  const placement = await imports.place(found, file, now);
  const failCount = file.importCount - file.rows.length + placement.rejected.length;
  const counts = { importCount: file.importCount, successCount: file.importCount - failCount, failCount };
  return { import: await imports.commit(found, placement, counts, now), rejected: placement.rejected };
};
