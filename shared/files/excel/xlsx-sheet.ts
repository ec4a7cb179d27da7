import { piecesOf } from '../file-source.ts';
import { badFile, type FileLimits, maxCellTags, maxColumns, maxRowCells, tooLarge } from '../limits.ts';
import type { FileRow, RowBuilder, Rows } from '../workbook.ts';
import type { ZipPart } from '../zip/zip-reader.ts';
import { type DateKind, numberText, unescapeCell } from './cell-values.ts';
import { mergedCells } from './merged-cells.ts';
import { SharedTexts } from './shared-texts.ts';
import { inWindows, type XmlScanner } from './xml-scanner.ts';

export type SheetContext = {
  texts: SharedTexts;
  styles: (DateKind | undefined)[];
  date1904: boolean;
};

/** Only one way to match each digit: with two, a long text that is no number takes quadratic time. */
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A row as the scanner finds it: its cells are put together when it is whole. */
type ReadRow = { line: number; cells: [column: number, text: string][] };

/** The rows of a sheet that hold text, in their order; a batch for every window of the part. */
export async function* sheetRows(
  part: ZipPart,
  limits: FileLimits,
  builder: RowBuilder,
  context: SheetContext,
): Rows {
  let batch: FileRow[] = [];
  let line = 0;
  let isEnded = false;
  const merged = await mergedCells(part, limits, builder);
  const windows = inWindows(part.chunks(), limits.tags, (xml) => {
    if (!xml.nextTag()) return false;
    if (xml.opens('row')) {
      const row = readRow(xml, line, builder, context);
      const cells: string[] = [];
      for (const [column, text] of row.cells) builder.put(cells, row.line, column, text);
      line = row.line;
      if (xml.closes('row') && cells.length > 0) {
        merged.fill(cells, line);
        batch.push({ line, cells });
      }
    }
    isEnded = xml.closes('sheetData');
    return !isEnded;
  });
  for await (const _ of windows) {
    yield batch;
    batch = [];
  }
  if (line > 0 && !isEnded) throw badFile('its XML is cut off');
  yield batch;
}

/** The row at which the scanner stands, up to its end. A row that another one interrupts is dropped. */
const readRow = (xml: XmlScanner, last: number, builder: RowBuilder, context: SheetContext): ReadRow => {
  let row: ReadRow = { line: nextLine(xml, last, builder), cells: [] };
  let column = 0;
  while (!xml.closes('row') && !xml.closes('sheetData')) {
    xml.nextInside();
    if (xml.opens('row')) {
      row = { line: nextLine(xml, row.line, builder), cells: [] };
      column = 0;
    } else if (xml.opens('c')) {
      const reference = xml.attribute('r');
      if (reference !== undefined) column = columnOf(reference);
      if (!xml.selfClosing) row.cells.push([column, textOf(xml, context)]);
      // They are counted with the sheet's other cells only when the row is whole.
      if (row.cells.length > maxRowCells)
        throw badFile(`line ${row.line} has more than ${maxRowCells} cells`);
      column++;
    }
  }
  return row;
};

const nextLine = (xml: XmlScanner, last: number, builder: RowBuilder): number => {
  const line = builder.checkLine(Number(xml.attribute('r') ?? last + 1));
  if (!(line > last)) throw badFile(`the rows of its sheet are out of order after line ${last}`);
  return line;
};

/** 0 for A. Columns past the last allowed one are not told apart: such a cell is refused if it has text. */
const columnOf = (reference: string): number => {
  let column = 0;
  for (let at = 0; at < reference.length && column <= maxColumns; at++) {
    const letter = reference.charCodeAt(at) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  if (column === 0) throw badFile('a cell of its sheet has no column');
  return column - 1;
};

/** The text of the cell at which the scanner stands. */
const textOf = (xml: XmlScanner, context: SheetContext): string => {
  const type = xml.attribute('t') ?? 'n';
  const style = type === 'n' ? Number(xml.attribute('s') ?? 0) : 0;
  let text = '';
  const lastTag = xml.tags + maxCellTags;
  while (xml.within('c', lastTag)) {
    if (xml.opens('is') && !xml.selfClosing) text = richText(xml, 'is');
    else if (xml.closes('v') && !xml.selfClosing)
      text =
        type === 's' ? sharedText(context, xml.wholeNumber()) : valueText(xml.text(), type, style, context);
  }
  return text;
};

const sharedText = ({ texts }: SheetContext, index: number): string => {
  const text = texts.get(index);
  if (text === undefined) throw badFile('a cell refers to a text that the workbook does not hold');
  return text;
};

const valueText = (value: string, type: string, style: number, context: SheetContext): string => {
  switch (type) {
    case 'b':
      return value === '1' || value === 'true' ? 'true' : 'false';
    case 'e':
      return '';
    case 'd':
      return isoDateText(value);
    case 'n':
      return number.test(value) ? numberText(Number(value), context.styles[style], context.date1904) : value;
    default:
      return plainText(value);
  }
};

/** A date cell of a strict workbook: 2024-05-01T00:00:00.000Z. */
const isoDateText = (value: string) => value.replace('T', ' ').replace(/( 00:00:00)?(\.\d+)?Z?$/, '');

/** The text of the string element at which the scanner stands (`si`, `is`): its runs, without phonetic guides. */
const richText = (xml: XmlScanner, element: string): string => {
  let text = '';
  let phonetic = false;
  const lastTag = xml.tags + maxCellTags;
  while (xml.within(element, lastTag)) {
    if (xml.opens(element)) throw badFile('a text of the workbook lies within another');
    if (xml.opens('rPh')) phonetic = !xml.selfClosing;
    else if (xml.closes('rPh')) phonetic = false;
    else if (!phonetic && xml.closes('t') && !xml.selfClosing) text += xml.text();
  }
  return plainText(text);
};

const plainText = (escaped: string): string => {
  const text = unescapeCell(escaped);
  if (!text.isWellFormed()) throw badFile('a cell holds half a character (a lone surrogate)');
  return text;
};

/** Reads the texts that the cells of a workbook share. */
export const readSharedTexts = async (
  part: ZipPart | undefined,
  limits: FileLimits,
): Promise<SharedTexts> => {
  const texts = new SharedTexts(part?.size ?? 0);
  try {
    const windows = inWindows(part?.chunks() ?? piecesOf(Buffer.alloc(0)), limits.tags, (xml) => {
      if (!xml.nextTag()) return false;
      if (xml.opens('si')) texts.add(xml.selfClosing ? '' : richText(xml, 'si'));
      if (texts.count > limits.cells) throw tooLarge(`it has more than ${limits.cells} texts`);
      return true;
    });
    for await (const _ of windows);
    texts.end();
    return texts;
  } catch (error) {
    texts.close();
    throw error;
  }
};
