import { isUtf8 } from 'node:buffer';
import { unguardFormula } from '../../domain/csv.ts';
import { hasPhoneTitle, type Mapping } from '../contact-columns.ts';
import { badFile, maxColumns } from '../limits.ts';
import { type FileRow, RowBuilder, type Rows, type Workbook } from '../workbook.ts';
import { csvRecords, firstRecords } from './csv-records.ts';

/** `sep=;` on the first line tells a spreadsheet the delimiter. It is not shown as a row. */
const separatorLine = /^"?sep=([,;|\t])"?[ \t]*(?:\r\n|\r|\n|$)/i;
const delimiters = [',', ';', '\t'];
const titleLines = 20;
const chunkBytes = 64 * 1024;

/** Opens a CSV file as a workbook of one sheet. */
export const openCsv = (file: Buffer, mapping: Mapping): Workbook => ({
  kind: 'csv',
  sheets: [{ name: '', hidden: false, rows: () => csvRows(file, mapping) }],
});

async function* csvRows(file: Buffer, mapping: Mapping): Rows {
  const text = textOf(file);
  const head: Buffer = text.next().value ?? Buffer.alloc(0);
  const [line = '', separator] = separatorLine.exec(head.toString()) ?? [];
  function* chunks() {
    yield head.subarray(line.length);
    yield* text;
  }
  const builder = new RowBuilder();
  for await (const batch of csvRecords(chunks(), separator ?? delimiterOf(head, mapping)))
    yield batch.map((record) => rowOf(record, builder));
}

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

/** The text of a CSV file in chunks of UTF-8, whatever its encoding, without its byte order mark. */
function* textOf(file: Buffer): Generator<Buffer> {
  const [encoding, start] = encodingOf(file);
  const decoder =
    // The byte order mark is cut off already: another one is text.
    encoding === 'utf-8' ? undefined : new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  for (let at = start; at < file.length; at += chunkBytes) {
    const slice = file.subarray(at, at + chunkBytes);
    const chunk = decoder ? decode(decoder, slice, at + chunkBytes < file.length) : slice;
    if (chunk.includes(0))
      throw badFile('it is neither CSV nor Excel: its text holds NUL characters', 'NOT_A_TABLE');
    yield chunk;
  }
}

const encodingOf = (file: Buffer): [encoding: string, start: number] => {
  const startsWith = (...bytes: number[]) => bytes.every((byte, at) => file[at] === byte);
  if (startsWith(0xff, 0xfe)) return ['utf-16le', 2];
  if (startsWith(0xfe, 0xff)) return ['utf-16be', 2];
  if (isUtf8(file)) return ['utf-8', startsWith(0xef, 0xbb, 0xbf) ? 3 : 0];
  return ['gb18030', 0];
};

const decode = (decoder: InstanceType<typeof TextDecoder>, bytes: Buffer, stream: boolean): Buffer => {
  try {
    return Buffer.from(decoder.decode(bytes, { stream }));
  } catch {
    throw badFile('its text is not valid UTF-8, UTF-16 or GB18030; save it as "CSV UTF-8" or as .xlsx');
  }
};
