import { hasPhoneTitle, type Mapping } from '../contact-columns.ts';
import { type FileRow, RowBuilder } from '../file-row.ts';
import { MAX_COLUMNS } from '../limits.ts';
import type { Rows, Workbook } from '../workbook.ts';
import { delimiterOf } from './csv-delimiter.ts';
import { type CsvRecord, csvRecords } from './csv-records.ts';
import { csvText } from './csv-text.ts';
import { unguardFormula } from './formula-guard.ts';

/** `sep=;` on the first line is a word to the spreadsheet, which does not show it as a row. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?[ \t]*(?:\r\n|\r|\n|$)/i;

/** A CSV file as a workbook of one sheet. */
export function openCsv(file: Buffer, mapping: Mapping): Workbook {
  return { kind: 'csv', sheets: [{ name: '', hidden: false, rows: () => csvRows(file, mapping) }] };
}

async function* csvRows(file: Buffer, mapping: Mapping): Rows {
  const text = csvText(file);
  const head: Buffer = text.next().value ?? Buffer.alloc(0);
  const start = head.toString();
  const [line = '', separator] = SEPARATOR_LINE.exec(start) ?? [];
  const areTitles = (cells: string[]) => hasPhoneTitle(cells.slice(0, MAX_COLUMNS), mapping);
  function* chunks() {
    yield head.subarray(line.length);
    yield* text;
  }
  const builder = new RowBuilder();
  for await (const batch of csvRecords(chunks(), separator ?? delimiterOf(start, areTitles)))
    yield batch
      .map((record) => rowOf(record, builder))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
}

function rowOf({ line, cells }: CsvRecord, builder: RowBuilder): FileRow {
  const filled: string[] = [];
  for (let column = 0; column < cells.length; column++)
    if (cells[column] !== '') builder.put(filled, line, column, unguardFormula(cells[column]!));
  return { line, cells: filled };
}
