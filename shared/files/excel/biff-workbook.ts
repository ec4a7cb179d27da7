import { MAX_CELLS, refused, tooLarge } from '../limits.ts';
import { type BiffRecord, continued, damaged, RECORD, recordsFrom } from './biff-records.ts';
import { BiffStrings } from './biff-strings.ts';
import { type DateKind, dateKind } from './number-format.ts';

const WORKSHEET = 0;
const BIFF8 = 0x0600;
const BIFF5 = 0x0500;

/** Code pages of workbooks older than Excel 97, by the names the Encoding standard gives them. */
const ENCODINGS: Record<number, string> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  32768: 'macintosh',
  65001: 'utf-8',
};

export type BiffWorkbook = {
  /** Where the first sheet begins in the stream. */
  sheetStart: number;
  date1904: boolean;
  strings: string[];
  /** What each cell style shows. */
  styles: (DateKind | undefined)[];
  /** Reads the string of a label, string or format record from the given byte on. */
  text: (data: Buffer, start: number, lengthBytes?: 1 | 2) => string;
};

export function biffWorkbook(stream: Buffer): BiffWorkbook {
  const records = globalRecords(stream);
  const version = records.begin[0]?.data.readUInt16LE(0);
  if (version !== BIFF8 && version !== BIFF5) throw refused('it is older than Excel 5; save it as .xlsx');
  if (records.filePass.length > 0) throw refused('the workbook is encrypted; save it without a password');
  const text = version === BIFF8 ? unicodeText : ansiText(records.codePage[0]);
  const [sharedStrings] = records.sharedStrings;
  return {
    sheetStart: sheetStart(records.boundSheet),
    date1904: records.date1904[0]?.data[0] === 1,
    strings: sharedStrings ? stringsOf(continued(stream, sharedStrings)) : [],
    styles: stylesOf(records.xf, records.format, (data) => text(data, 2, version === BIFF8 ? 2 : 1)),
    text,
  };
}

const GLOBALS = [
  'begin',
  'filePass',
  'codePage',
  'date1904',
  'boundSheet',
  'sharedStrings',
  'xf',
  'format',
] as const;
/** Excel's own limit of cell styles is 4,000 in these workbooks, of number formats and sheets far less. */
const MAX_RECORDS = 10_000;

function globalRecords(stream: Buffer): Record<(typeof GLOBALS)[number], BiffRecord[]> {
  const records = Object.fromEntries(GLOBALS.map((name) => [name, [] as BiffRecord[]]));
  const listOf = new Map(GLOBALS.map((name) => [RECORD[name] as number, records[name]!]));
  for (const record of recordsFrom(stream, 0)) {
    const list = listOf.get(record.type);
    list?.push(record);
    if (list && list.length > MAX_RECORDS) throw damaged();
  }
  return records as Record<(typeof GLOBALS)[number], BiffRecord[]>;
}

function sheetStart(sheets: BiffRecord[]): number {
  const first = sheets.find(({ data }) => data[5] === WORKSHEET);
  if (!first) throw refused('the workbook has no sheet with cells');
  return first.data.readUInt32LE(0);
}

function stringsOf(pieces: Buffer[]): string[] {
  const strings: string[] = [];
  const count = pieces[0]!.readUInt32LE(4);
  const reader = new BiffStrings(pieces, 8);
  if (count > MAX_CELLS) throw tooLarge(`it has more than ${MAX_CELLS} different texts`);
  while (strings.length < count && reader.more) strings.push(reader.next());
  return strings;
}

function stylesOf(xfs: BiffRecord[], formats: BiffRecord[], codeOf: (data: Buffer) => string) {
  const codes = new Map(formats.map(({ data }) => [data.readUInt16LE(0), codeOf(data)]));
  return xfs.map(({ data }) => {
    const id = data.readUInt16LE(2);
    return dateKind(id, codes.get(id));
  });
}

const unicodeText: BiffWorkbook['text'] = (data, start, lengthBytes) =>
  new BiffStrings([data], start).next(lengthBytes);

function ansiText(codePage: BiffRecord | undefined): BiffWorkbook['text'] {
  const page = codePage?.data.readUInt16LE(0) ?? 1252;
  const windows = page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252';
  const decoder = new TextDecoder(ENCODINGS[page] ?? windows);
  return (data, start, lengthBytes = 2) => {
    const from = start + lengthBytes;
    const end = from + data.readUIntLE(start, lengthBytes);
    if (end > data.length) throw damaged();
    return decoder.decode(data.subarray(from, end));
  };
}
