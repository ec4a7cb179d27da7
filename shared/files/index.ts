/**
 * Files of a table of cells, in and out, as streams. This room keeps nothing and knows nothing of contacts.
 *
 * In: `openWorkbook` takes a CSV file (also packed with gzip), XLSX, XLSM, XLS, XLSB or ODS, in memory or in the bucket.
 * Its content decides the kind, not its name. It answers the sheets, whose rows come in batches, so that other requests
 * get their turn in between. CSV and XLSX are read in constant memory. The other kinds are read whole by SheetJS, in a
 * process of its own, which is ended when it takes too much time or memory. A damaged, hostile or too large file never
 * crashes or blocks the process: it is refused as ServiceError `invalid` or `tooLarge`, in words for the person who sent
 * it. The texts of a large workbook lie in a temporary file without a name, which is gone when the process dies.
 *
 * Out: the writers turn titles and batches of rows into chunks of bytes, in constant memory. No cell runs as a formula.
 *
 * Each reader and writer is loaded with the first file of its kind, so that functions start without them.
 */

export const loadCsvWriter = async () => (await import('./csv/csv-writer.ts')).csvRows;
export const loadXlsxWriter = async () => (await import('./excel/xlsx-writer.ts')).xlsxSheets;
export type { SheetContent } from './excel/xlsx-writer.ts';
export { openWorkbook } from './open-workbook.ts';
export {
  badFile,
  type Cell,
  columnName,
  type FileKind,
  type FileLimits,
  type FileRow,
  type FileSource,
  limitsFor,
  piecesOf,
  type Rows,
  type Sheet,
  shorten,
  sourceOf,
  tooLarge,
  usualLimits,
} from './workbook.ts';
