import type { Mapping } from './contact-columns.ts';
import { badFile, maxFileBytes, maxFileMegabytes, tooLarge } from './limits.ts';
import type { Workbook } from './workbook.ts';

/** The first bytes of a file, in hexadecimal digits. */
const zip = /^504b0[0-8]0[0-8]/;
/** A compound file, or a bare BIFF stream, which begins with its BOF record: 0x0009 (BIFF2) to 0x0809 (BIFF5, 8). */
const oldExcel = /^(?:d0cf11e0a1b11ae1|090[0248](?:04|06|08|10)00)/;
/** What people send by mistake. Spreadsheet programs open some of these as if they were their own. */
const otherKinds: [start: RegExp, what: string][] = [
  [/^25504446/, 'a PDF document'],
  [/^7b5c727466/, 'a text document'],
  [/^(?:89504e47|ffd8ff|47494638)/, 'a picture'],
  [/^(?:1f8b|52617221|377abcaf)/, 'a packed archive'],
];
const webPage = /^\s*<(?:!doctype|html|head|meta|table|style)\b/i;
const xml = /^\s*<(?:\?xml|workbook)\b/i;

/**
 * Opens a CSV or Excel file. Its content decides the kind. The mapping helps to recognise its titles, and so its
 * delimiter. A reader is loaded when the first file of its kind arrives. @throws ServiceError invalid, tooLarge
 */
export const openWorkbook = async (file: Uint8Array, mapping: Mapping): Promise<Workbook> => {
  if (file.byteLength > maxFileBytes) throw tooLarge(`it is larger than ${maxFileMegabytes} MB`);
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = bytes.toString('hex', 0, 16);
  if (zip.test(start)) return (await import('./excel/zip-workbook.ts')).openZip(bytes);
  if (oldExcel.test(start)) return (await import('./excel/other-workbook.ts')).openOther(bytes, 'xls');
  const other = otherKind(start, bytes.toString('utf8', 0, 200).replace(/^\ufeff/, ''));
  if (other)
    throw badFile(
      `it is ${other}; open it in a spreadsheet program and save it as .xlsx or .csv`,
      'NOT_A_TABLE',
    );
  return (await import('./csv/csv-reader.ts')).openCsv(bytes, mapping);
};

const otherKind = (start: string, text: string): string | undefined => {
  if (webPage.test(text)) return 'a web page, whatever its name says';
  if (xml.test(text)) return 'an XML file';
  return otherKinds.find(([begins]) => begins.test(start))?.[1];
};
