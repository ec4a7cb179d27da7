import { Readable } from 'node:stream';
import { csvRows } from '../../shared/files/csv-writer.ts';
import { xlsxRows } from '../../shared/files/xlsx-writer.ts';
import { checkContactFile } from '../../shared/imports/checked-rows.ts';
import { rowsOf, titles } from './exporters.ts';

/** Maximum of rows of one import. More rows are parsed as several files, one after the other. */
const fileRows = 10_000;

export const contactFile = async (format: string, count = fileRows): Promise<Buffer> => {
  async function* rows() {
    yield rowsOf(0, count);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of (format === 'csv' ? csvRows : xlsxRows)(titles, rows())) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Our reader also checks phone numbers, sizes and duplicates. */
const ours = async (file: Buffer) => (await checkContactFile(file)).parts[0]!.importCount;

const sheetJs = async (file: Buffer): Promise<number> => {
  const { read, utils } = await import('xlsx');
  const { Sheets, SheetNames } = read(file, { dense: true });
  return utils.sheet_to_json(Sheets[SheetNames[0]!]!, { header: 1, raw: false }).length - 1;
};

const excelJs = async (file: Buffer): Promise<number> => {
  const { default: ExcelJs } = await import('exceljs');
  let rows = -1;
  for await (const sheet of new ExcelJs.stream.xlsx.WorkbookReader(Readable.from([file]), {})) {
    for await (const _ of sheet) rows++;
  }
  return rows;
};

const excelJsCsv = async (file: Buffer): Promise<number> => {
  const { default: ExcelJs } = await import('exceljs');
  const sheet = await new ExcelJs.Workbook().csv.read(Readable.from([file]), { map: (text: string) => text });
  return sheet.rowCount - 1;
};

const repeated = (parse: (file: Buffer) => Promise<number>) => async (file: Buffer, count: number) => {
  let rows = 0;
  while (rows < count) rows += await parse(file);
  return rows;
};

/** By tool and format. Each reads at least `count` rows. */
export const parsers: Record<string, (file: Buffer, count: number) => Promise<number>> = {
  'ours csv': repeated(ours),
  'ours xlsx': repeated(ours),
  'SheetJS csv': repeated(sheetJs),
  'SheetJS xlsx': repeated(sheetJs),
  'exceljs csv': repeated(excelJsCsv),
  'exceljs xlsx': repeated(excelJs),
};
