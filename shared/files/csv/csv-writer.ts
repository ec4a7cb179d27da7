import type { Cell } from '../workbook.ts';
import { guardFormula } from './formula-guard.ts';

const BYTE_ORDER_MARK = '\ufeff';
/** Quoted besides what RFC 4180 asks for: other delimiters and outer spaces, which readers take for their own. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;
/** In characters; what is sent on at a time. */
const CHUNK = 128 * 1024;

/** A CSV file as Excel opens it right: UTF-8 with byte order mark, CRLF, no cell that runs as a formula. */
export async function* csvRows(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  let text = BYTE_ORDER_MARK + csvRow(titles);
  for await (const rows of batches) {
    for (const row of rows) {
      text += csvRow(row);
      if (text.length < CHUNK) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}

function csvRow(cells: readonly Cell[]): string {
  let row = '';
  for (let at = 0; at < cells.length; at++) row += at === 0 ? csvCell(cells[at]!) : `,${csvCell(cells[at]!)}`;
  return `${row}\r\n`;
}

function csvCell(cell: Cell): string {
  const text = String(cell);
  const guarded = guardFormula(text);
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
