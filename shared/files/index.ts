/**
 * Contact files, in and out, as streams.
 *
 * In: `openContactFile` takes a CSV (also packed with gzip), XLSX, XLSM, XLS, XLSB or ODS file, in memory or in the bucket. The content decides the kind, not the
 * name. It finds the sheet, the row of titles and the column of each field, and then gives the rows one by one.
 * `previewContactFile` says how a file would be read. A damaged, hostile or too large file never crashes or blocks the
 * process: it is refused as ServiceError `invalid` or `tooLarge`, in words for the person who sent it.
 *
 * Out: the writers turn titles and batches of rows into chunks of bytes, in constant memory. No cell runs as a formula.
 *
 * Each reader and writer is loaded with the first file of its kind, so that functions start without them.
 */
export {
  type ContactFileOptions,
  type ContactRow,
  type ContactTable,
  openContactFile,
  previewContactFile,
} from './contact-table.ts';
export type { SheetContent } from './excel/xlsx-writer.ts';
export { type FileSource, piecesOf } from './file-source.ts';
export { type FileLimits, limitsFor } from './limits.ts';
export type { Cell } from './workbook.ts';

export const loadCsvWriter = async () => (await import('./csv/csv-writer.ts')).csvRows;
export const loadXlsxWriter = async () => (await import('./excel/xlsx-writer.ts')).xlsxSheets;
