import { Writable } from 'node:stream';
import { csvRows } from '../../shared/files/csv-writer.ts';
import { xlsxRows } from '../../shared/files/xlsx-writer.ts';
import { seededFields, seededPhone } from '../../test/support/engines/seed-contacts.ts';

export const titles = ['phoneNumber', ...Object.keys(seededFields(0)), 'status', 'callCount', 'createTime'];
const batchSize = 1000;

export const rowOf = (seq: number): string[] => [
  seededPhone(seq),
  ...Object.values(seededFields(seq)),
  '0',
  '0',
  '2023-11-14 22:13:20',
];

export const rowsOf = (from: number, length: number): string[][] =>
  Array.from({ length }, (_, i) => rowOf(from + i));

async function* batches(count: number): AsyncGenerator<string[][]> {
  for (let from = 0; from < count; from += batchSize) yield rowsOf(from, Math.min(batchSize, count - from));
}

/** Reads the whole file and discards it. */
const drained = async (file: AsyncIterable<Buffer>, count: number): Promise<number> => {
  let bytes = 0;
  for await (const chunk of file) bytes += chunk.length;
  return bytes > 0 ? count : 0;
};

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

/** SheetJS's documentation advises dense sheets for many rows. */
const sheetJs = async (count: number, format: 'xlsx' | 'csv'): Promise<number> => {
  const { utils, write } = await import('xlsx');
  const sheet = utils.aoa_to_sheet([titles, ...rowsOf(0, count)], { dense: true });
  if (format === 'csv') return Buffer.from(utils.sheet_to_csv(sheet)).length > 0 ? count : 0;
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'contacts');
  const file = write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
  return file.length > 0 ? count : 0;
};

const excelJs = async (count: number): Promise<number> => {
  const { default: ExcelJs } = await import('exceljs');
  const book = new ExcelJs.stream.xlsx.WorkbookWriter({ stream: nowhere() });
  const sheet = book.addWorksheet('contacts');
  sheet.addRow(titles).commit();
  for await (const rows of batches(count)) for (const row of rows) sheet.addRow(row).commit();
  await book.commit();
  return count;
};

const excelJsCsv = async (count: number): Promise<number> => {
  const { default: ExcelJs } = await import('exceljs');
  const book = new ExcelJs.Workbook();
  book.addWorksheet('contacts').addRows([titles, ...rowsOf(0, count)]);
  await book.csv.write(nowhere());
  return count;
};

/** By tool and format. Each writes `count` contacts into a file and discards it. */
export const exporters: Record<string, (count: number) => Promise<number>> = {
  'ours csv': (count) => drained(csvRows(titles, batches(count)), count),
  'ours xlsx': (count) => drained(xlsxRows(titles, batches(count)), count),
  'SheetJS csv': (count) => sheetJs(count, 'csv'),
  'SheetJS xlsx': (count) => sheetJs(count, 'xlsx'),
  'exceljs csv': excelJsCsv,
  'exceljs xlsx': excelJs,
};
