import { customNames } from '../../../shared/contacts/rules/contact.ts';
import type { ImportedContacts } from '../../../shared/imports/imported-contacts.ts';
import type { ContactImport, ImportRows } from '../../../shared/imports/rules/contact-import.ts';

/** What the importer does with rows, without the report it writes in between. */
export const writeAndCommit = async (
  imports: ImportedContacts,
  found: ContactImport,
  file: ImportRows,
  now: number,
) => {
  const names = file.rows.flatMap(({ fields }) => customNames(fields));
  await imports.rememberNames(found.dataSourceId, [...new Set(names)], []);
  const written = await imports.writeRows(found, file, now);
  const failCount = file.importCount - file.rows.length + written.rejected.length;
  const counts = { importCount: file.importCount, successCount: file.importCount - failCount, failCount };
  return { import: await imports.commit(found, written, counts, now), rejected: written.rejected };
};
