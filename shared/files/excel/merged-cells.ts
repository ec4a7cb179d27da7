import { type FileLimits, maxColumns, tooLarge } from '../limits.ts';
import type { RowBuilder } from '../workbook.ts';
import type { ZipPart } from '../zip/zip-reader.ts';
import { inWindows } from './xml-scanner.ts';

/** A cell of the rows `top` to `bottom`. Of a range of several columns only the first one is filled. */
type MergedCell = { column: number; top: number; bottom: number };

const cellReference = /^([A-Z]{1,3})(\d{1,7})(?::[A-Z]{1,3}(\d{1,7}))?$/;
const endOfCells = 'sheetData>';
/** Longer than a closing tag with its prefix. */
const carriedBytes = 64;

/** What follows the cells of a sheet: merged cells stand behind them. */
async function* behindCells(part: ZipPart): AsyncGenerator<Buffer> {
  let isBehind = false;
  let carried = Buffer.alloc(0);
  for await (const chunk of part.chunks()) {
    if (isBehind) {
      yield chunk;
      continue;
    }
    const bytes = Buffer.concat([carried, chunk]);
    for (let at = bytes.indexOf(endOfCells); at >= 0 && !isBehind; at = bytes.indexOf(endOfCells, at + 1)) {
      isBehind = bytes[bytes.lastIndexOf('<', at) + 1] === 0x2f;
      if (isBehind) yield bytes.subarray(at + endOfCells.length);
    }
    carried = bytes.subarray(-carriedBytes);
  }
}

const columnAt = (letters: string): number =>
  [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 0x40, 0) - 1;

/** The cells of a sheet that reach over several rows, from the top. */
const readMergedCells = async (part: ZipPart, limits: FileLimits): Promise<MergedCell[]> => {
  const found: MergedCell[] = [];
  const windows = inWindows(behindCells(part), limits.tags, (xml) => {
    if (!xml.nextTag()) return false;
    if (!xml.opens('mergeCell')) return !xml.closes('mergeCells');
    const [, letters = '', top, bottom = top] = cellReference.exec(xml.attribute('ref') ?? '') ?? [];
    const cell = { column: columnAt(letters), top: Number(top), bottom: Number(bottom) };
    if (cell.bottom > cell.top && cell.column < maxColumns) found.push(cell);
    if (found.length > limits.rows) throw tooLarge(`it has more than ${limits.rows} merged cells`);
    return true;
  });
  for await (const _ of windows);
  return found.sort((a, b) => a.top - b.top);
};

/** Gives the text of a merged cell to each of its rows that has text of its own. Rows are passed in their order. */
export const mergedCells = async (part: ZipPart, limits: FileLimits, builder: RowBuilder) => {
  const cells = await readMergedCells(part, limits);
  const open = new Map<number, { bottom: number; text: string }>();
  let next = 0;
  return {
    fill: (row: string[], line: number): void => {
      for (const [column, { bottom, text }] of open) {
        if (bottom < line) open.delete(column);
        else if ((row[column] ?? '') === '') builder.put(row, line, column, text);
      }
      for (let cell = cells[next]; cell !== undefined && cell.top <= line; cell = cells[++next]) {
        const text = row[cell.column] ?? '';
        if (cell.top === line && text !== '') open.set(cell.column, { bottom: cell.bottom, text });
      }
    },
  };
};
