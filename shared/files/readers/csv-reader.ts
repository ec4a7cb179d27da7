import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, type Options, Parser } from 'csv-parse';
import { maxColumns, maxLines, unguardFormula } from '../../platform/rules/files.ts';
import {
  badFile,
  type FileLimits,
  type FileRow,
  type FileSource,
  type IsTitleRow,
  maxRowCells,
  RowBuilder,
  type Rows,
  readRange,
  tooLarge,
  Utf8Check,
  usualLimits,
  type Workbook,
} from '../workbook.ts';

/** `sep=;` in the first line tells a spreadsheet the delimiter. The line is no row. */
const separatorLine = /^"?sep=([,;|\t])"?[ \t]*(?:\r\n|\r|\n|$)/i;
const delimiters = [',', ';', '\t'];
const titleLines = 20;
/** Bytes that a reader sees of a file before it decides on the delimiter. */
const headBytes = 64 * 1024;

/** Opens a CSV file as a workbook of one sheet. */
export const openCsv = (file: FileSource, isTitleRow: IsTitleRow, limits: FileLimits): Workbook => {
  let encoding: Promise<Encoding> | undefined;
  const rows = async function* (): Rows {
    encoding ??= encodingOf(file);
    yield* csvRows(utf8Of(file, await encoding), isTitleRow, limits);
  };
  return { kind: 'csv', sheets: [{ name: '', hidden: false, rows }] };
};

async function* csvRows(text: AsyncGenerator<Buffer>, isTitleRow: IsTitleRow, limits: FileLimits): Rows {
  const head = await headOf(text);
  const [line = '', separator] = separatorLine.exec(head.toString('utf8', 0, headBytes)) ?? [];
  async function* chunks() {
    yield head.subarray(line.length);
    yield* text;
  }
  const builder = new RowBuilder(limits);
  const delimiter = separator ?? delimiterOf(head.subarray(0, headBytes), isTitleRow);
  for await (const batch of csvRecords(chunks(), delimiter, limits))
    yield batch.map((record) => rowOf(record, builder));
}

/** The first bytes of a text, `headBytes` or more if the text is that long. */
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

/** The delimiter with which the first lines have a row of titles, or the most frequent one. */
const delimiterOf = (head: Buffer, isTitleRow: IsTitleRow): string => {
  const counted = delimiters.map((delimiter) => {
    const rows = firstRecords(head, delimiter, titleLines);
    const most = rows.reduce((columns, { cells }) => Math.max(columns, cells.length), 0);
    const hasTitles = rows.some(({ cells }) => isTitleRow(cells.slice(0, maxColumns)));
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

/** The text of a CSV file in chunks of UTF-8, without its byte order mark. */
async function* utf8Of(file: FileSource, { name, start }: Encoding): AsyncGenerator<Buffer> {
  // The byte order mark was cut off before. Another one is text.
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

/** Reads the whole file, because only its last line may not be UTF-8. */
const isUtf8Text = async (file: FileSource): Promise<boolean> => {
  const check = new Utf8Check();
  for await (const chunk of file.chunks()) if (!check.takes(chunk)) return false;
  return check.isEnded();
};

/** Without `bytes` it is the end of the text. */
const decode = (decoder: InstanceType<typeof TextDecoder>, bytes?: Buffer): Buffer => {
  try {
    return Buffer.from(bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
  } catch {
    throw notText();
  }
};

const maxRecordBytes = 512 * 1024;
const longest = `${maxRecordBytes / 1024} KB`;

const hasText = (cell: string) => unguardFormula(cell).trim() !== '';

/**
 * Yields the records with text of each chunk as soon as it is written, and checks what csv-parse
 * does not limit.
 */
class RecordParser extends Parser {
  readonly #limits: FileLimits;
  #batch: FileRow[] = [];
  #fields = 0;
  #line = 0;
  #unendedBytes = 0;

  constructor(options: Options, limits: FileLimits) {
    super(options);
    this.#limits = limits;
  }

  /** The parser calls this for each record. Nothing is buffered in the stream. */
  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    // Rows without text are dropped at once, because keeping millions of them costs more than
    // reading them.
    if (record.some(hasText)) this.#batch.push({ line: this.#lines(), cells: record });
    if (record.length > maxRowCells)
      throw badFile(`line ${this.#lines()} has more than ${maxRowCells} cells`);
    this.#fields += record.length;
    const { fields, ragged } = this.#limits;
    if (this.#fields > fields) throw tooLarge(`it has more than ${fields} cells`);
    if (this.info.invalid_field_length > ragged)
      throw badFile(`more than ${ragged} lines have more or fewer cells than the line before them`);
    // A headline of one cell must not make every row below it an error.
    (this as unknown as { state: { expectedRecordLength: number } }).state.expectedRecordLength =
      record.length;
    return true;
  }

  takeBatch(): FileRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  /** Called after each chunk, with its length. */
  check(bytes: number): void {
    if (this.errored) throw clientError(this.errored);
    this.#unendedBytes = this.#lines() > this.#line ? 0 : this.#unendedBytes + bytes;
    this.#line = this.#lines();
    if (this.#unendedBytes > maxRecordBytes)
      throw badFile(`line ${this.#line + 1} is longer than ${longest}`);
    if (this.#line > maxLines) throw tooLarge(`it has more than ${maxLines} lines`);
  }

  /** Counts as a spreadsheet does: an empty line counts, a line break in quotes does not. */
  #lines(): number {
    return this.info.records + this.info.empty_lines;
  }
}

const parserOf = (delimiter: string, limits: FileLimits) =>
  new RecordParser(
    {
      delimiter,
      // All of them, because a file that was put together from several files may mix them.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRecordBytes,
    },
    limits,
  );

const pieceBytes = 2 * 1024;

/**
 * The first `count` records with text, if this were the delimiter. It parses no more of the head
 * than it needs.
 */
const firstRecords = (head: Buffer, delimiter: string, count: number): FileRow[] => {
  const parser = parserOf(delimiter, usualLimits);
  const records: FileRow[] = [];
  for (let at = 0; at < head.length && records.length < count; at += pieceBytes) {
    parser.write(head.subarray(at, at + pieceBytes));
    records.push(...parser.takeBatch());
  }
  parser.write('\n');
  records.push(...parser.takeBatch());
  parser.destroy();
  return records.slice(0, count);
};

/**
 * The records of a CSV text that hold text, in batches. Other requests get their turn between two
 * batches.
 * @throws ServiceError invalid, tooLarge
 */
async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  delimiter: string,
  limits: FileLimits,
): AsyncGenerator<FileRow[]> {
  const parser = parserOf(delimiter, limits);
  // `check` looks for an error after each chunk. Without a listener it would end the process.
  parser.on('error', () => undefined);
  try {
    for await (const chunk of chunks) {
      parser.write(chunk);
      parser.check(chunk.length);
      yield parser.takeBatch();
      await setImmediate();
    }
    await finished(parser.end().resume()).catch((error) => {
      throw clientError(error);
    });
    yield parser.takeBatch();
  } finally {
    parser.destroy();
  }
}

const clientError = (error: unknown) => {
  if (!(error instanceof CsvError)) return error;
  const line = Number(error.records) + Number(error.empty_lines) + 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return badFile(`line ${line} opens a quote that is never closed; close or remove it`);
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return badFile(`line ${line} is longer than ${longest}; a quote may be open there`);
  return error;
};
