import { badFile, maxCells, maxCellTags, maxColumns, tooLarge } from '../limits.ts';
import type { FileRow, RowBuilder } from '../workbook.ts';
import { type DateKind, numberText, unescapeCell } from './cell-values.ts';
import { eachTag, tagsPerTurn, XmlScanner } from './xml-scanner.ts';

export type SheetContext = {
  strings: (index: number) => string;
  styles: (DateKind | undefined)[];
  date1904: boolean;
};

/** Only one way to match each digit: with two, a long text that is no number takes quadratic time. */
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The rows of a sheet that hold text, in their order; a batch for every few thousand tags. */
export function* sheetRows(part: Buffer, builder: RowBuilder, context: SheetContext): Generator<FileRow[]> {
  const xml = new XmlScanner(part);
  let batch: FileRow[] = [];
  let row: FileRow = { line: 0, cells: [] };
  let column = 0;
  let nextTurn = 0;
  while (xml.nextTag() && !xml.closes('sheetData')) {
    if (xml.tags > nextTurn) {
      nextTurn = xml.tags + tagsPerTurn;
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
  if (row.line > 0 && !xml.closes('sheetData')) throw badFile('its XML is cut off');
  yield batch;
}

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
      text = type === 's' ? context.strings(xml.wholeNumber()) : valueText(xml.text(), type, style, context);
  }
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

const longTextBytes = 256;
/** A megabyte at most. Texts that many cells share, such as a city or a yes, come early. */
const maxShortTexts = 4096;

/** Reads the strings that the cells of a workbook share. Keeps only their places: a part may hold a million. */
export const readSharedStrings = async (part: Buffer): Promise<(index: number) => string> => {
  const places = await placesOfStrings(part);
  const texts = new Map<number, string>();
  return (index) => {
    const known = texts.get(index);
    if (known !== undefined) return known;
    const place = places[index];
    if (place === undefined) throw badFile('a cell refers to a text that the workbook does not hold');
    const xml = new XmlScanner(part, place);
    xml.nextTag();
    const text = richText(xml, 'si');
    // A long text is kept always: it takes long to read, many cells may share it, and a part can hold only a few.
    if (xml.tagStart - place > longTextBytes || texts.size < maxShortTexts) texts.set(index, text);
    return text;
  };
};

const placesOfStrings = async (part: Buffer): Promise<number[]> => {
  const places: number[] = [];
  let inText = false;
  await eachTag(part, (xml) => {
    if (xml.closes('si')) inText = false;
    if (!xml.opens('si')) return;
    // Many nested texts would each be read up to the same far end.
    if (inText) throw badFile('a text of the workbook lies within another');
    inText = !xml.selfClosing;
    if (places.push(xml.tagStart) > maxCells) throw tooLarge(`it has more than ${maxCells} texts`);
  });
  return places;
};
