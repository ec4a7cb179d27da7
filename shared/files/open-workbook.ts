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

/** The first bytes of a file, in hexadecimal digits. */
const zip = /^504b0[0-8]0[0-8]/;
const gzip = /^1f8b08/;
/** A compound file, or a bare BIFF stream, which begins with its BOF record: 0x0009 (BIFF2) to 0x0809 (BIFF5, 8). */
const oldExcel = /^(?:d0cf11e0a1b11ae1|090[0248](?:04|06|08|10)00)/;
/** What people send by mistake. Spreadsheet programs open some of these as if they were their own. */
const otherKinds: [start: RegExp, what: string][] = [
  [/^25504446/, 'a PDF document'],
  [/^7b5c727466/, 'a text document'],
  [/^(?:89504e47|ffd8ff|47494638)/, 'a picture'],
  [/^(?:1f8b|504b0[0-8]0[0-8]|52617221|377abcaf)/, 'a packed archive'],
];
const headBytes = 200;
const webPage = /^\s*<(?:!doctype|html|head|meta|table|style)\b/i;
const xml = /^\s*<(?:\?xml|workbook)\b/i;

/**
 * Opens a CSV file, which may be packed with gzip, or an Excel file. Its content decides the kind. `isTitleRow`
 * tells the delimiter of a CSV file. A reader is loaded when the first file of its kind arrives.
 * @throws ServiceError invalid, tooLarge
 */
export const openWorkbook = async (
  file: FileSource,
  isTitleRow: IsTitleRow,
  limits: FileLimits,
): Promise<Workbook> => {
  if (file.size > limits.bytes) throw tooLarge(`it is larger than ${limits.bytes / 1024 / 1024} MB`);
  const head = await readRange(file, 0, headBytes);
  const start = head.toString('hex', 0, 16);
  if (zip.test(start)) return (await import('./excel/xlsx-reader.ts')).openZip(file, limits);
  if (oldExcel.test(start)) return (await import('./excel/other-workbook.ts')).openSmall(file, 'xls');
  const text = limits.mayBePacked && gzip.test(start) ? gunzipped(file, limits.bytes) : file;
  const other = otherKind(await readRange(text, 0, headBytes));
  if (other)
    throw badFile(
      `it is ${other}; open it in a spreadsheet program and save it as .xlsx or .csv`,
      'NOT_A_TABLE',
    );
  return (await import('./csv/csv-reader.ts')).openCsv(text, isTitleRow, limits);
};

const otherKind = (head: Buffer): string | undefined => {
  const start = head.toString('hex', 0, 16);
  const text = head.toString('utf8', 0, headBytes).replace(/^\ufeff/, '');
  if (webPage.test(text)) return 'a web page, whatever its name says';
  if (xml.test(text)) return 'an XML file';
  return otherKinds.find(([begins]) => begins.test(start))?.[1];
};
