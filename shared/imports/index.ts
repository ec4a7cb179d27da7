/**
 * The way of a file into a list of contacts. What comes with a request, by a presigned upload, from an operator or as a
 * batch goes the same way: register, claim, check, write, commit (see `ContactImporter`). A small file is a large one with
 * one part.
 *
 * What the room keeps. In the table: the record of each import, its entry in the agenda, the range of sequence numbers
 * that it has reserved, and plans of the phone numbers that it may have claimed. In the bucket: the checked rows in
 * parts, what became of each part (its rejected rows), and a report beside the file. The contacts themselves belong to
 * the room `contacts`.
 *
 * Who may do what. An import is registered once, claimed by one runner at a time, and ended once. Only its runner writes
 * rows, and each write into the record has the condition that the claim is still its own. Anybody may cancel it until its
 * rows are visible: the runner finds out with its next write. A row is hidden until a transaction over the directory and
 * the record shows it: all rows at once, or part by part where tasks of the data source run or are paused and the file is
 * large.
 *
 * What happens when a process dies. Its claim expires, and the schedule goes on with the first part that is not written.
 * Each step may be repeated and ends in the same state: the reservation is in the record, guards and updated contacts
 * bear the import's id, and contacts lie at reserved places. An import that is not registered has left nothing but
 * objects that expire. An import that broke off ten times without a step forward is rolled back by its plans, and fails.
 */
export { checkContactBatch, checkContactFile } from './checked-rows.ts';
export { ContactImporter } from './contact-importer.ts';
export { previewFile } from './file-preview.ts';
export {
  droppedImport,
  ImportObjects,
  importPrefix,
  isContactFile,
  presignedImport,
  presignedKey,
  uploadPrefix,
} from './import-objects.ts';
export { removeRows } from './store/import-blocks.ts';
export { ImportRecords } from './store/import-records.ts';
export { ImportedContacts } from './store/imported-contacts.ts';
export { type CurrentImports, findCurrentImports } from './store/troubled-imports.ts';
