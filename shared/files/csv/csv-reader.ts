import { type FileRow, RowBuilder } from '../file-row.ts';
import { refused } from '../limits.ts';
import { delimiterOf } from './csv-delimiter.ts';
import { csvText } from './csv-text.ts';
import { unguardFormula } from './formula-guard.ts';

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** The rows of a CSV file that hold text. A quoted cell with line breaks is one row, an empty line counts as one. */
export function* readCsv(file: Buffer): Generator<FileRow> {
  const text = csvText(file);
  const delimiter = delimiterOf(text).charCodeAt(0);
  const builder = new RowBuilder();
  for (let at = 0, line = 1; at < text.length; line++) {
    builder.line(line);
    const cells: string[] = [];
    for (let column = 0, ended = false; !ended; column++) {
      const start = at;
      at = text.charCodeAt(at) === QUOTE ? endOfQuotes(text, at, line) : at;
      const quotesEnd = at;
      while (at < text.length && !endsCell(text.charCodeAt(at), delimiter)) at++;
      const cell = cellOf(text, start, quotesEnd, at);
      if (cell !== '') builder.put(cells, line, column, unguardFormula(cell));
      ended = text.charCodeAt(at) !== delimiter || at >= text.length;
      at += text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF ? 2 : 1;
    }
    if (cells.length > 0) yield { line, cells };
  }
}

const endsCell = (code: number, delimiter: number) => code === delimiter || code === LF || code === CR;

/** The place after the quote that closes the cell; two in a row are one in its text. */
function endOfQuotes(text: string, start: number, line: number): number {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at < 0) throw refused(`line ${line} opens a quote that is never closed`);
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1;
  }
}

/** What stands between closing quote and delimiter belongs to the cell, as spreadsheets have it. */
function cellOf(text: string, start: number, quotesEnd: number, end: number): string {
  if (quotesEnd === start) return text.slice(start, end);
  return text.slice(start + 1, quotesEnd - 1).replaceAll('""', '"') + text.slice(quotesEnd, end);
}
