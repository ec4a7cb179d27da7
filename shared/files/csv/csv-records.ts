import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { CsvError, Parser } from 'csv-parse';
import { MAX_LINES, refused, tooLarge } from '../limits.ts';
import type { FileRow } from '../workbook.ts';
import { unguardFormula } from './formula-guard.ts';

/** What one record may hold; in bytes. */
const MAX_RECORD = 512 * 1024;
const LONGEST = `${MAX_RECORD / 1024} KB`;
/** Cells, empty ones too: each costs the parser time and memory. */
const MAX_FIELDS = 2_000_000;
/** Rows with more or fewer cells than the one before: the parser makes an error of each, asked for or not. */
const MAX_RAGGED = 20_000;

const hasText = (cell: string) => unguardFormula(cell).trim() !== '';

/** Gives the records with text of each chunk as soon as it is written, and checks what csv-parse does not bound. */
class RecordParser extends Parser {
  #batch: FileRow[] = [];
  #fields = 0;
  #line = 0;
  #unended = 0;

  /** What the parser calls for each record; nothing is buffered in the stream. */
  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    // Millions of rows without text are forgotten one by one, or they cost more to keep than to read.
    if (record.some(hasText)) this.#batch.push({ line: this.#lines(), cells: record });
    this.#fields += record.length;
    if (this.#fields > MAX_FIELDS) throw tooLarge(`it has more than ${MAX_FIELDS} cells`);
    if (this.info.invalid_field_length > MAX_RAGGED)
      throw refused(`more than ${MAX_RAGGED} lines have more or fewer cells than the line before them`);
    // A headline of one cell shall not make an error of every row below it.
    (this as unknown as { state: { expectedRecordLength: number } }).state.expectedRecordLength =
      record.length;
    return true;
  }

  taken(): FileRow[] {
    const batch = this.#batch;
    this.#batch = [];
    return batch;
  }

  /** Looked at between chunks. */
  check(bytes: number): void {
    if (this.errored) throw refusal(this.errored);
    this.#unended = this.#lines() > this.#line ? 0 : this.#unended + bytes;
    this.#line = this.#lines();
    if (this.#unended > MAX_RECORD) throw refused(`line ${this.#line + 1} is longer than ${LONGEST}`);
    if (this.#line > MAX_LINES) throw tooLarge(`it has more than ${MAX_LINES} lines`);
  }

  /** As a spreadsheet numbers them: a line break in quotes is none, an empty line is one. */
  #lines(): number {
    return this.info.records + this.info.empty_lines;
  }
}

const parserOf = (delimiter: string) =>
  new RecordParser({
    delimiter,
    // All of them: files put together from several have several.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD,
  });

/** What is looked at to find the first records; in bytes. */
const PIECE = 2 * 1024;

/** The first so many records with text that a text begins with, were this its delimiter. */
export function firstRecords(head: Buffer, delimiter: string, count: number): FileRow[] {
  const parser = parserOf(delimiter);
  const records: FileRow[] = [];
  for (let at = 0; at < head.length && records.length < count; at += PIECE) {
    parser.write(head.subarray(at, at + PIECE));
    records.push(...parser.taken());
  }
  parser.write('\n');
  records.push(...parser.taken());
  parser.destroy();
  return records.slice(0, count);
}

/**
 * The records of a CSV text that hold text themselves, in batches: between two of them others get their turn.
 * @throws ServiceError invalid, tooLarge
 */
export async function* csvRecords(chunks: Iterable<Buffer>, delimiter: string): AsyncGenerator<FileRow[]> {
  const parser = parserOf(delimiter);
  // Looked for after each chunk; without a listener it would end the process.
  parser.on('error', () => undefined);
  try {
    for (const chunk of chunks) {
      parser.write(chunk);
      parser.check(chunk.length);
      yield parser.taken();
      await setImmediate();
    }
    await finished(parser.end().resume()).catch((error) => {
      throw refusal(error);
    });
    yield parser.taken();
  } finally {
    parser.destroy();
  }
}

function refusal(error: unknown) {
  if (!(error instanceof CsvError)) return error;
  const line = Number(error.records) + Number(error.empty_lines) + 1;
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return refused(`line ${line} opens a quote that is never closed; close or remove it`);
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return refused(`line ${line} is longer than ${LONGEST}; a quote may be open there`);
  return error;
}
