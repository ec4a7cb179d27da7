import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, type Options, Parser } from 'csv-parse';
import { unguardFormula } from '../../domain/csv.ts';
import { badFile, type FileLimits, maxLines, maxRowCells, tooLarge, usualLimits } from '../limits.ts';
import type { FileRow } from '../workbook.ts';

const maxRecordBytes = 512 * 1024;
const longest = `${maxRecordBytes / 1024} KB`;

const hasText = (cell: string) => unguardFormula(cell).trim() !== '';

/** Gives the records with text of each chunk as soon as it is written, and checks what csv-parse does not bound. */
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
    // Rows without text are dropped at once: millions of them cost more to keep than to read.
    if (record.some(hasText)) this.#batch.push({ line: this.#lines(), cells: record });
    if (record.length > maxRowCells)
      throw badFile(`line ${this.#lines()} has more than ${maxRowCells} cells`);
    this.#fields += record.length;
    const { fields, ragged } = this.#limits;
    if (this.#fields > fields) throw tooLarge(`it has more than ${fields} cells`);
    if (this.info.invalid_field_length > ragged)
      throw badFile(`more than ${ragged} lines have more or fewer cells than the line before them`);
    // A headline of one cell must not make an error of every row below it.
    (this as unknown as { state: { expectedRecordLength: number } }).state.expectedRecordLength =
      record.length;
    return true;
  }

  takeBatch(): FileRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  /** To be called after each chunk, with its length. */
  check(bytes: number): void {
    if (this.errored) throw clientError(this.errored);
    this.#unendedBytes = this.#lines() > this.#line ? 0 : this.#unendedBytes + bytes;
    this.#line = this.#lines();
    if (this.#unendedBytes > maxRecordBytes)
      throw badFile(`line ${this.#line + 1} is longer than ${longest}`);
    if (this.#line > maxLines) throw tooLarge(`it has more than ${maxLines} lines`);
  }

  /** As a spreadsheet numbers them: an empty line counts, a line break in quotes does not. */
  #lines(): number {
    return this.info.records + this.info.empty_lines;
  }
}

const parserOf = (delimiter: string, limits: FileLimits) =>
  new RecordParser(
    {
      delimiter,
      // All of them: a file that was put together from several may mix them.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRecordBytes,
    },
    limits,
  );

const pieceBytes = 2 * 1024;

/** The first `count` records with text, if this were the delimiter. Parses no more of the head than it needs. */
export const firstRecords = (head: Buffer, delimiter: string, count: number): FileRow[] => {
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
 * The records of a CSV text that hold text, in batches. Other requests get their turn between two batches.
 * @throws ServiceError invalid, tooLarge
 */
export async function* csvRecords(
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
