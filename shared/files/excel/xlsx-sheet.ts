import { MAX_CELL_TAGS, MAX_COLUMNS, refused } from '../limits.ts';
import type { FileRow, RowBuilder } from '../workbook.ts';
import { type DateKind, numberText } from './cell-values.ts';
import { cellText, richText } from './xlsx-text.ts';
import { TAGS_A_TURN, XmlScanner } from './xml-scanner.ts';

export type SheetContext = {
  strings: (index: number) => string;
  styles: (DateKind | undefined)[];
  date1904: boolean;
};

/** One way to read each digit: with two, a long run that is no number takes quadratic time. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The rows of a sheet that hold text, in their order; a batch for every few thousand tags. */
export function* sheetRows(part: Buffer, builder: RowBuilder, context: SheetContext): Generator<FileRow[]> {
  const xml = new XmlScanner(part);
  let batch: FileRow[] = [];
  let row: FileRow = { line: 0, cells: [] };
  let column = 0;
  let due = 0;
  while (xml.nextTag() && !xml.closes('sheetData')) {
    if (xml.tags > due) {
      due = xml.tags + TAGS_A_TURN;
      yield batch;
      batch = [];
    }
    if (xml.opens('row')) {
      row = { line: nextLine(xml, row.line, builder), cells: [] };
      column = 0;
    } else if (xml.opens('c') && row.line > 0) {
      const reference = xml.attribute('r');
      if (reference !== undefined) column = columnOf(reference);
      if (!xml.selfClosing) builder.put(row.cells, row.line, column, textOf(xml, context));
      column++;
    }
    if (xml.closes('row') && row.cells.length > 0) batch.push(row);
  }
  if (row.line > 0 && !xml.closes('sheetData')) throw refused('its XML is cut off');
  yield batch;
}

function nextLine(xml: XmlScanner, last: number, builder: RowBuilder): number {
  const line = builder.line(Number(xml.attribute('r') ?? last + 1));
  if (!(line > last)) throw refused(`the rows of its sheet are out of order after line ${last}`);
  return line;
}

/** The text of the cell the scanner stands in. */
function textOf(xml: XmlScanner, context: SheetContext): string {
  const type = xml.attribute('t') ?? 'n';
  const style = type === 'n' ? Number(xml.attribute('s') ?? 0) : 0;
  let text = '';
  const lastTag = xml.tags + MAX_CELL_TAGS;
  while (xml.within('c', lastTag)) {
    if (xml.opens('is') && !xml.selfClosing) text = richText(xml, 'is');
    else if (xml.closes('v') && !xml.selfClosing)
      text = type === 's' ? context.strings(xml.wholeNumber()) : valueText(xml.text(), type, style, context);
  }
  return text;
}

function valueText(value: string, type: string, style: number, context: SheetContext): string {
  switch (type) {
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'e':
      return '';
    case 'd':
      return isoDateText(value);
    case 'n':
      return NUMBER.test(value) ? numberText(Number(value), context.styles[style], context.date1904) : value;
    default:
      return cellText(value);
  }
}

/** A date cell of a strict workbook: 2024-05-01T00:00:00.000Z. */
const isoDateText = (value: string) => value.replace('T', ' ').replace(/( 00:00:00)?(\.\d+)?Z?$/, '');

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
