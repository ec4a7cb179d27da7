import { unguardFormula } from '../../domain/csv.ts';
import { hasPhoneTitle, type Mapping } from '../contact-columns.ts';
import { type FileSource, readRange } from '../file-source.ts';
import { badFile, type FileLimits, maxColumns } from '../limits.ts';
import { Utf8Check } from '../utf8-check.ts';
import { type FileRow, RowBuilder, type Rows, type Workbook } from '../workbook.ts';
import { csvRecords, firstRecords } from './csv-records.ts';

/** `sep=;` on the first line tells a spreadsheet the delimiter. It is not shown as a row. */
const separatorLine = /^"?sep=([,;|\t])"?[ \t]*(?:\r\n|\r|\n|$)/i;
const delimiters = [',', ';', '\t'];
const titleLines = 20;
/** What a reader sees of a file before it decides on the delimiter. */
const headBytes = 64 * 1024;

/** Opens a CSV file as a workbook of one sheet. */
export const openCsv = (file: FileSource, mapping: Mapping, limits: FileLimits): Workbook => {
  let encoding: Promise<Encoding> | undefined;
  const rows = async function* (): Rows {
    encoding ??= encodingOf(file);
    yield* csvRows(textOf(file, await encoding), mapping, limits);
  };
  return { kind: 'csv', sheets: [{ name: '', hidden: false, rows }] };
};

async function* csvRows(text: AsyncGenerator<Buffer>, mapping: Mapping, limits: FileLimits): Rows {
  const head = await headOf(text);
  const [line = '', separator] = separatorLine.exec(head.toString('utf8', 0, headBytes)) ?? [];
  async function* chunks() {
    yield head.subarray(line.length);
    yield* text;
  }
  const builder = new RowBuilder(limits);
  const delimiter = separator ?? delimiterOf(head.subarray(0, headBytes), mapping);
  for await (const batch of csvRecords(chunks(), delimiter, limits))
    yield batch.map((record) => rowOf(record, builder));
}

/** The first bytes of a text, at least `headBytes` of a text that has as many. */
const headOf = async (text: AsyncGenerator<Buffer>): Promise<Buffer> => {
  const read: Buffer[] = [];
  for (let bytes = 0; bytes < headBytes; ) {
    const next = await text.next();
    if (next.done) break;
    bytes += next.value.length;
    read.push(next.value);
  }
  return Buffer.concat(read);
};

/** The delimiter with which the first lines hold a phone title, otherwise the most frequent. */
const delimiterOf = (head: Buffer, mapping: Mapping): string => {
  const counted = delimiters.map((delimiter) => {
    const rows = firstRecords(head, delimiter, titleLines);
    const most = rows.reduce((columns, { cells }) => Math.max(columns, cells.length), 0);
    const hasTitles = rows.some(({ cells }) => hasPhoneTitle(cells.slice(0, maxColumns), mapping));
    return { delimiter, score: most + (hasTitles ? head.length : 0) };
  });
  return counted.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
};

const rowOf = ({ line, cells }: FileRow, builder: RowBuilder): FileRow => {
  const filled: string[] = [];
  for (let column = 0; column < cells.length; column++)
    if (cells[column] !== '') builder.put(filled, line, column, unguardFormula(cells[column]!));
  return { line, cells: filled };
};

type Encoding = { name: string; start: number };

/** The text of a CSV file in chunks of UTF-8, whatever its encoding, without its byte order mark. */
async function* textOf(file: FileSource, { name, start }: Encoding): AsyncGenerator<Buffer> {
  // The byte order mark is cut off already: another one is text.
  const decoder = name === 'utf-8' ? undefined : new TextDecoder(name, { fatal: true, ignoreBOM: true });
  const check = new Utf8Check();
  let skip = start;
  for await (const bytes of file.chunks()) {
    const slice = bytes.subarray(skip);
    skip -= bytes.length - slice.length;
    if (!decoder && !check.takes(slice)) throw notText();
    yield withoutNul(decoder ? decode(decoder, slice) : slice);
  }
  if (!check.isEnded()) throw notText();
  if (decoder) yield withoutNul(decode(decoder));
}

const notText = () =>
  badFile('its text is not valid UTF-8, UTF-16 or GB18030; save it as "CSV UTF-8" or as .xlsx');

const withoutNul = (text: Buffer): Buffer => {
  if (text.includes(0))
    throw badFile('it is neither CSV nor Excel: its text holds NUL characters', 'NOT_A_TABLE');
  return text;
};

const encodingOf = async (file: FileSource): Promise<Encoding> => {
  const head = await readRange(file, 0, 3);
  const startsWith = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (startsWith(0xff, 0xfe)) return { name: 'utf-16le', start: 2 };
  if (startsWith(0xfe, 0xff)) return { name: 'utf-16be', start: 2 };
  if (startsWith(0xef, 0xbb, 0xbf)) return { name: 'utf-8', start: 3 };
  if (await isUtf8Text(file)) return { name: 'utf-8', start: 0 };
  return { name: 'gb18030', start: 0 };
};

/** Reads the whole file: its last line may be the first that is not UTF-8. */
const isUtf8Text = async (file: FileSource): Promise<boolean> => {
  const check = new Utf8Check();
  for await (const chunk of file.chunks()) if (!check.takes(chunk)) return false;
  return check.isEnded();
};

/** `bytes` absent: the end of the text. */
const decode = (decoder: InstanceType<typeof TextDecoder>, bytes?: Buffer): Buffer => {
  try {
    return Buffer.from(bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
  } catch {
    throw notText();
  }
};
