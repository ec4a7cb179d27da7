import { type FileRow, RowBuilder } from '../file-row.ts';
import { MAX_COLUMNS, refused } from '../limits.ts';
import { numberText } from './cell-values.ts';
import type { DateKind } from './number-format.ts';
import { cellText, richText, type SharedStrings } from './xlsx-text.ts';
import { XmlScanner } from './xml-scanner.ts';

export type SheetContext = {
  strings: SharedStrings;
  styles: (DateKind | undefined)[];
  date1904: boolean;
};

type Cell = { column: number; text: string | undefined };

/** One way to read each digit: with two, a long run that is no number takes quadratic time. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The rows of a sheet that hold text, one at a time and in their order. */
export function* sheetRows(part: Buffer, context: SheetContext): Generator<FileRow> {
  const builder = new RowBuilder();
  const xml = new XmlScanner(part);
  let line = 0;
  while (xml.nextTag() && !xml.closes('sheetData')) {
    if (!xml.opens('row')) continue;
    const next = builder.line(Number(xml.attribute('r') ?? line + 1));
    if (!(next > line)) throw refused(`the rows of its sheet are out of order after line ${line}`);
    line = next;
    const cells = rowCells(xml, line, builder, context);
    if (cells.length > 0) yield { line, cells };
  }
}

function rowCells(xml: XmlScanner, line: number, builder: RowBuilder, context: SheetContext): string[] {
  const cells: string[] = [];
  let next = 0;
  while (xml.within('row')) {
    if (!xml.opens('c')) continue;
    const { column, text } = cellOf(xml, next, context);
    next = column + 1;
    if (text !== undefined) builder.put(cells, line, column, text);
  }
  return cells;
}

function cellOf(xml: XmlScanner, next: number, context: SheetContext): Cell {
  const reference = xml.attribute('r');
  const column = reference === undefined ? next : columnOf(reference);
  if (xml.selfClosing) return { column, text: undefined };
  const type = xml.attribute('t') ?? 'n';
  const style = type === 'n' ? Number(xml.attribute('s') ?? 0) : 0;
  let value = '';
  while (xml.within('c')) {
    if (xml.opens('is') && !xml.selfClosing) value = richText(xml, 'is');
    else if (xml.closes('v') && !xml.selfClosing) value = valueText(xml.text(), type, style, context);
  }
  return { column, text: value };
}

function valueText(value: string, type: string, style: number, context: SheetContext): string {
  switch (type) {
    case 's':
      return context.strings.at(/^\d{1,9}$/.test(value) ? Number(value) : -1);
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'd':
      return isoDateText(value);
    case 'n':
      return NUMBER.test(value) ? numberText(Number(value), context.styles[style], context.date1904) : value;
    default:
      return cellText(value);
  }
}

/** A date cell of a strict workbook: 2024-05-01T00:00:00.000Z. */
const isoDateText = (value: string) =>
  value
    .replace('T', ' ')
    .replace(/(\.\d+)?Z?$/, '')
    .replace(/ 00:00:00$/, '');

/** 0 for A. Nothing past the last column allowed is told apart: such a cell is refused if it has text. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < reference.length && column <= MAX_COLUMNS; at++) {
    const letter = reference.charCodeAt(at) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  if (column === 0) throw refused('a cell of its sheet has no column');
  return column - 1;
}
