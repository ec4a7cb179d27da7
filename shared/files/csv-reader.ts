import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { delimiterOf } from './csv-delimiter.ts';
import { utf8Of } from './csv-text.ts';
import { type FileRow, RowBuilder } from './file-row.ts';
import { unguardFormula } from './formula-guard.ts';
import { refused } from './limits.ts';

/** In characters; a contact holds 8 KB. It ends the hunt for a quote that never closes. */
const MAX_RECORD = 1024 * 1024;
const SLICE_BYTES = 64 * 1024;

/** The rows of a CSV file: a quoted cell with line breaks is one row, an empty line is a row too. */
export async function* readCsv(file: Buffer): AsyncGenerator<FileRow> {
  const text = utf8Of(file);
  const builder = new RowBuilder();
  const parser = Readable.from(slicesOf(text), { objectMode: false }).compose(
    parse({
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: MAX_RECORD,
    }),
  );
  let line = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      line = builder.line(line + 1);
      yield {
        line,
        cells: trimmedEnd(cells).map((cell, at) => builder.cell(line, at, unguardFormula(cell))),
      };
    }
  } catch (error) {
    throw error instanceof CsvError ? refused(reasonOf(error, line + 1)) : error;
  }
}

function* slicesOf(text: Buffer) {
  for (let at = 0; at < text.length; at += SLICE_BYTES) yield text.subarray(at, at + SLICE_BYTES);
}

/** Delimiters at the end of a line are no columns: spreadsheets write them for styled empty cells. */
function trimmedEnd(cells: string[]): string[] {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === '') length--;
  return length === cells.length ? cells : cells.slice(0, length);
}

function reasonOf(error: CsvError, line: number): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `line ${line} opens a quote that is never closed`;
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return `line ${line} is longer than ${MAX_RECORD} characters, or opens a quote that is never closed`;
  return `line ${line} cannot be read as CSV`;
}
