import type { Cell } from '../workbook.ts';
import { guardFormula } from './formula-guard.ts';

const byteOrderMark = '\ufeff';
/** Besides what RFC 4180 asks for, other delimiters and outer spaces are quoted: readers take them for their own. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;
const chunkCharacters = 128 * 1024;

/** A CSV file that Excel opens right: UTF-8 with byte order mark, CRLF, no cell that runs as a formula. */
export async function* csvRows(
  titles: readonly string[],
  batches: AsyncIterable<readonly (readonly Cell[])[]>,
): AsyncGenerator<Buffer> {
  let text = byteOrderMark + rowText(titles);
  for await (const rows of batches) {
    for (const row of rows) {
      text += rowText(row);
      if (text.length < chunkCharacters) continue;
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}

const rowText = (cells: readonly Cell[]): string => {
  let row = '';
  for (let at = 0; at < cells.length; at++)
    row += at === 0 ? cellText(cells[at]!) : `,${cellText(cells[at]!)}`;
  return `${row}\r\n`;
};

const cellText = (cell: Cell): string => {
  const guarded = guardFormula(String(cell));
  return needsQuotes.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
};
