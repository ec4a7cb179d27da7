import { hasPhoneTitle, type Mapping } from '../contact-columns.ts';
import { MAX_COLUMNS } from '../limits.ts';
import { type FileRow, RowBuilder, type Rows, type Workbook } from '../workbook.ts';
import { csvRecords, firstRecords } from './csv-records.ts';
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
  const [line = '', separator] = SEPARATOR_LINE.exec(head.toString()) ?? [];
  function* chunks() {
    yield head.subarray(line.length);
    yield* text;
  }
  const builder = new RowBuilder();
  for await (const batch of csvRecords(chunks(), separator ?? delimiterOf(head, mapping)))
    yield batch.map((record) => rowOf(record, builder));
}

const DELIMITERS = [',', ';', '\t'];
const TITLE_LINES = 20;

/** The one that sets titles apart within a file's first lines, else the most frequent. */
function delimiterOf(head: Buffer, mapping: Mapping): string {
  const counted = DELIMITERS.map((delimiter) => {
    const rows = firstRecords(head, delimiter, TITLE_LINES);
    const most = rows.reduce((columns, { cells }) => Math.max(columns, cells.length), 0);
    const hasTitles = rows.some(({ cells }) => hasPhoneTitle(cells.slice(0, MAX_COLUMNS), mapping));
    return { delimiter, score: most + (hasTitles ? head.length : 0) };
  });
  return counted.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

function rowOf({ line, cells }: FileRow, builder: RowBuilder): FileRow {
  const filled: string[] = [];
  for (let column = 0; column < cells.length; column++)
    if (cells[column] !== '') builder.put(filled, line, column, unguardFormula(cells[column]!));
  return { line, cells: filled };
}
