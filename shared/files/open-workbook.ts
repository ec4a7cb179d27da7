/**
 * Files of a table of cells, in and out, as streams. This room keeps nothing and knows nothing of
 * contacts.
 *
 * In: `openWorkbook` takes a CSV file (also packed with gzip), XLSX, XLSM, XLS, XLSB or ODS, in
 * memory or in the bucket. Its content decides the kind, not its name. It returns the sheets, whose
 * rows come in batches, so that other requests get their turn in between. CSV and XLSX are read in
 * constant memory. SheetJS reads the other kinds as a whole, in a process of its own, which is
 * ended if it takes too much time or memory. A damaged, hostile or too large file never crashes or
 * blocks the process: it is refused as ServiceError `invalid` or `tooLarge`, in words for the
 * person who sent it. The texts of a large workbook lie in a temporary file without a name, which
 * is gone when the process dies.
 *
 * Out: the writers turn titles and batches of rows into chunks of bytes, in constant memory. No
 * cell runs as a formula.
 *
 * Each reader and writer is loaded with the first file of its kind, so that functions start without
 * them.
 */

import {
  badFile,
  type FileLimits,
  type FileSource,
  gunzipped,
  type IsTitleRow,
  readRange,
  tooLarge,
  type Workbook,
} from './workbook.ts';

export const loadCsvWriter = async () => (await import('./csv-writer.ts')).csvRows;
export const loadXlsxWriter = async () => (await import('./xlsx-writer.ts')).xlsxSheets;

/** The first bytes of a file, in hexadecimal digits. */
const zip = /^504b0[0-8]0[0-8]/;
const gzip = /^1f8b08/;
/**
 * A compound file, or a bare BIFF stream, which begins with its BOF record: 0x0009 (BIFF2) to
 * 0x0809 (BIFF5, 8).
 */
const oldExcel = /^(?:d0cf11e0a1b11ae1|090[0248](?:04|06|08|10)00)/;
/** Files that people send by mistake. Spreadsheet programs open some as their own. */
const otherKinds: [start: RegExp, what: string][] = [
  [/^25504446/, 'a PDF document'],
  [/^7b5c727466/, 'a text document'],
  [/^(?:89504e47|ffd8ff|47494638)/, 'a picture'],
  [/^(?:1f8b|504b0[0-8]0[0-8]|52617221|377abcaf)/, 'a packed archive'],
];
const headBytes = 200;
const webPage = /^\s*<(?:!doctype|html|head|meta|table|style)\b/i;
const xml = /^\s*<(?:\?xml|workbook)\b/i;

/** `isTitleRow` tells the delimiter of a CSV file. @throws ServiceError invalid, tooLarge */
export const openWorkbook = async (
  file: FileSource,
  isTitleRow: IsTitleRow,
  limits: FileLimits,
): Promise<Workbook> => {
  if (file.size > limits.bytes) throw tooLarge(`it is larger than ${limits.bytes / 1024 / 1024} MB`);
  const head = await readRange(file, 0, headBytes);
  const start = head.toString('hex', 0, 16);
  if (zip.test(start)) return (await import('./readers/xlsx-reader.ts')).openZip(file, limits);
  if (oldExcel.test(start)) return (await import('./readers/other-workbook.ts')).openSmall(file, 'xls');
  const text = limits.mayBePacked && gzip.test(start) ? gunzipped(file, limits.bytes) : file;
  const other = otherKind(await readRange(text, 0, headBytes));
  if (other)
    throw badFile(
      `it is ${other}; open it in a spreadsheet program and save it as .xlsx or .csv`,
      'NOT_A_TABLE',
    );
  return (await import('./readers/csv-reader.ts')).openCsv(text, isTitleRow, limits);
};

const otherKind = (head: Buffer): string | undefined => {
  const start = head.toString('hex', 0, 16);
  const text = head.toString('utf8', 0, headBytes).replace(/^\ufeff/, '');
  if (webPage.test(text)) return 'a web page, whatever its name says';
  if (xml.test(text)) return 'an XML file';
  return otherKinds.find(([begins]) => begins.test(start))?.[1];
};
