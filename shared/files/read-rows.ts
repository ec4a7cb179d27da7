import type { Mapping } from './contact-columns.ts';
import { readCsv } from './csv/csv-reader.ts';
import type { FileRow } from './file-row.ts';
import { MAX_FILE_BYTES, tooLarge } from './limits.ts';
import type { Workbook } from './workbook.ts';

const ZIP = Buffer.from('PK');
const COMPOUND_FILE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** A bare BIFF stream begins with its BOF record: 0x0009 (BIFF2) to 0x0809 (BIFF5 and 8). */
const BIFF_STARTS = ['09000400', '09020600', '09040600', '09080800', '09081000'];

/**
 * The rows of a CSV, XLSX or XLS file (first sheet), told apart by content. Rows that hold nothing may be left
 * out, but are counted in `line`. Excel code is loaded when the first such file arrives, not at start.
 */
export async function* readRows(file: Uint8Array): AsyncGenerator<FileRow> {
  if (file.byteLength > MAX_FILE_BYTES)
    throw tooLarge(`it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`);
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (begins(bytes, ZIP) && bytes[2]! < 9 && bytes[3]! < 9)
    yield* (await import('./excel/xlsx-reader.ts')).readXlsx(bytes);
  else if (begins(bytes, COMPOUND_FILE) || BIFF_STARTS.includes(bytes.toString('hex', 0, 4)))
    yield* (await import('./excel/xls-reader.ts')).readXls(bytes);
  else yield* readCsv(bytes);
}

const begins = (bytes: Buffer, magic: Buffer) => bytes.subarray(0, magic.length).equals(magic);

/** A CSV or Excel file, opened. */
export async function openWorkbook(file: Uint8Array, _mapping: Mapping): Promise<Workbook> {
  async function* rows() {
    for await (const row of readRows(file)) yield [row];
  }
  return { kind: 'csv', sheets: [{ name: '', hidden: false, rows }] };
}
