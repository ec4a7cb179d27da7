import { maxColumns } from '../../platform/rules/files.ts';
import {
  badFile,
  type FileLimits,
  type FileRow,
  maxCellTags,
  maxRowCells,
  piecesOf,
  type RowBuilder,
  type Rows,
  tooLarge,
} from '../workbook.ts';
import { SharedTexts } from './shared-texts.ts';
import { inWindows, type XmlScanner } from './xml-scanner.ts';
import type { ZipPart } from './zip-reader.ts';

type SheetContext = {
  texts: SharedTexts;
  styles: (DateKind | undefined)[];
  date1904: boolean;
};

/**
 * There is only one way to match each digit. With two ways, a long text that is no number would
 * take quadratic time.
 */
const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A row as the scanner finds it. Its cells are put together when it is complete. */
type ReadRow = { line: number; cells: [column: number, text: string][] };

/** The rows of a sheet that have text, in order, with a batch for every window of the part. */
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

/** Reads the row at the scanner up to its end. A row that another one interrupts is dropped. */
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
      if (!xml.selfClosing) row.cells.push([column, cellText(xml, context)]);
      // They are counted with the sheet's other cells only when the row is complete.
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

/** 0 for A. All columns past the last allowed one get the same number: their text is refused. */
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

/** The text of the cell at which the scanner is. */
const cellText = (xml: XmlScanner, context: SheetContext): string => {
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

/** For a date cell of a strict workbook: 2024-05-01T00:00:00.000Z. */
const isoDateText = (value: string) => value.replace('T', ' ').replace(/( 00:00:00)?(\.\d+)?Z?$/, '');

/** The text of the string element at the scanner (`si`, `is`), without phonetic guides. */
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

/** A cell of the rows `top` to `bottom`. Of several columns only the first one is filled. */
type MergedCell = { column: number; top: number; bottom: number };

const cellReference = /^([A-Z]{1,3})(\d{1,7})(?::[A-Z]{1,3}(\d{1,7}))?$/;
const endOfCells = 'sheetData>';
/** Longer than a closing tag with its prefix. */
const carriedBytes = 64;

/** What follows the cells of a sheet, where the merged cells are. */
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

/** The cells of a sheet that extend over several rows, from the top. */
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

/** Gives the text of a merged cell to each of its rows with text of its own, in their order. */
const mergedCells = async (part: ZipPart, limits: FileLimits, builder: RowBuilder) => {
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

/** What a number format shows: a date (perhaps with its time) or only a time of day. */
export type DateKind = 'date' | 'time';

const daySeconds = 86_400;
/** Day 0 of the 1900 system, which counts as if 1900 had a 29 February, and of the 1904 system. */
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
const falseLeapDay = 60;
/** The day after 9999-12-31. */
const end1900 = 2_958_466;
const end1904 = end1900 - 1462;

/** A number in full digits, never with an exponent: 13800138000, 0.5, 1000000000000000000000. */
const plainDigits = (value: number): string => {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
};

/** A number cell as text: its date if its format shows a date, otherwise its digits. */
export const numberText = (value: number, kind: DateKind | undefined, date1904: boolean): string => {
  const seconds = Math.round(value * daySeconds);
  const end = date1904 ? end1904 : end1900;
  if (kind === undefined || !(value >= 0) || seconds >= end * daySeconds) return plainDigits(value);
  const day = Math.floor(seconds / daySeconds);
  const time = new Date((seconds % daySeconds) * 1000).toISOString().slice(11, 19);
  if (kind === 'time' && day === 0) return time;
  return seconds % daySeconds === 0 ? dayText(day, date1904) : `${dayText(day, date1904)} ${time}`;
};

const dayText = (day: number, date1904: boolean): string => {
  if (!date1904 && day === falseLeapDay) return '1900-02-29';
  const epoch = date1904 ? epoch1904 : epoch1900 + (day < falseLeapDay ? daySeconds * 1000 : 0);
  return new Date(epoch + day * daySeconds * 1000).toISOString().slice(0, 10);
};

/** Formats without a code in the file: dates, times, and East Asian dates 27-36 and 50-58. */
const builtInKind = (id: number): DateKind | undefined => {
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 35)) return 'time';
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  return undefined;
};

/** Excel accepts no longer code. */
const maxCodeCharacters = 255;

/** The kind of a format, by its code if there is one. Elapsed time ([h]:mm) is a plain number. */
export const dateKind = (id: number, code: string | undefined): DateKind | undefined => {
  if (code === undefined) return builtInKind(id);
  if (code.length > maxCodeCharacters) return undefined;
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*./gs, '').split(';');
  if (/\[(h+|m+|s+)\]/i.test(positive)) return undefined;
  const tokens = positive.replace(/\[[^\]]*\]/g, '').replace(/general|am\/pm|a\/p/gi, '');
  if (/[#0?]/.test(tokens.replace(/\.0+/g, ''))) return undefined;
  if (/[yd]/i.test(tokens) || (/m/i.test(tokens) && !/[hs]/i.test(tokens))) return 'date';
  return /[hs]/i.test(tokens) ? 'time' : undefined;
};

/** SpreadsheetML writes characters that XML cannot contain as `_x000D_`. */
const escaped = /_x([\da-fA-F]{4})_/g;

const unescapeCell = (text: string) =>
  text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
