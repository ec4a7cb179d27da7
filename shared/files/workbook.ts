import { isUtf8 } from 'node:buffer';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { invalid, ServiceError } from '../platform/rules/errors.ts';
import { maxColumns, maxLines, maxRows, megabytesFor } from '../platform/rules/files.ts';

/** Limits of the content of a file. The limits of a sheet are those of Excel, or of a contact. */
export const maxCellCharacters = 32_767;

/** Cells of a row, including empty ones: the columns of a spreadsheet. */
export const maxRowCells = 16_384;

/** Cells of a sheet, without empty ones: a hundred in every row. */
export const maxCells = 1_000_000;
/** Cells of a CSV file, including empty ones, because each costs the parser time and memory. */
const maxFields = 2_000_000;
/**
 * Rows with more or fewer cells than the row before. For each of them the CSV parser makes an
 * error, even if errors are off.
 */
const maxRagged = 20_000;

/** Maximum of all parts of a workbook after unpacking, and of the texts of all its cells. */
export const maxUnpackedBytes = 64 * 1024 * 1024;
const maxTextCharacters = 64 * 1024 * 1024;
/** The same for a file with the most rows. Cells may share a text. */
const highestUnpackedBytes = 3 * 1024 * 1024 * 1024;
const highestTextCharacters = 1024 * 1024 * 1024;

/** Tags of one XML part. A million cells take six million. */
export const maxTags = 8_000_000;
export const maxTagBytes = 1024 * 1024;

/** Limits of a whole file. Each grows with the rows that a file may have. */
export type FileLimits = {
  rows: number;
  bytes: number;
  cells: number;
  fields: number;
  ragged: number;
  unpackedBytes: number;
  textCharacters: number;
  tags: number;
  /** A CSV file may be packed with gzip. */
  mayBePacked: boolean;
};

/** The limits of an uploaded or dropped file with at most `rows` rows. */
export const limitsFor = (rows: number): FileLimits => {
  const times = Math.max(1, rows / maxRows);
  return {
    rows,
    bytes: megabytesFor(rows) * 1024 * 1024,
    cells: maxCells * times,
    fields: maxFields * times,
    ragged: maxRagged * times,
    unpackedBytes: Math.min(highestUnpackedBytes, maxUnpackedBytes * times),
    textCharacters: Math.min(highestTextCharacters, maxTextCharacters * times),
    tags: maxTags * times,
    mayBePacked: true,
  };
};

/** The limits of a file that comes with a request, and of every kind except CSV and XLSX. */
export const usualLimits: FileLimits = { ...limitsFor(maxRows), mayBePacked: false };

/** Tags of one cell or shared text. Each of its characters may have a format of its own. */
export const maxCellTags = 200_000;

export const maxSheets = 255;

const maxShownCharacters = 30;

/** Shortens a text for a message. */
export const shorten = (text: string) => {
  const characters = [...text];
  return characters.length > maxShownCharacters
    ? `${characters.slice(0, maxShownCharacters).join('')}…`
    : text;
};

type FileCode =
  | 'BAD_FILE'
  | 'FILE_EMPTY'
  | 'FILE_PROTECTED'
  | 'NOT_A_TABLE'
  | 'NO_PHONE_COLUMN'
  | 'REPEATED_TITLE';
export const badFile = (message: string, code: FileCode = 'BAD_FILE') => invalid('file', message, code);

export const tooLarge = (message: string) => new ServiceError('FILE_TOO_LARGE', `file: ${message}`);

/** A cell to write. Text stays text. A number becomes a number cell if the format has them. */
export type Cell = string | number;

export type FileKind = 'csv' | 'xlsx' | 'xlsm' | 'xls' | 'xlsb' | 'ods';

/** One row of a file. `line` is the number that a spreadsheet shows beside it, from 1. */
export type FileRow = { line: number; cells: string[] };

/** Whether the cells are the titles of a table's columns. */
export type IsTitleRow = (cells: readonly string[]) => boolean;

/**
 * The rows of a sheet that have text, in batches. Other requests get their turn between two
 * batches. `line` also counts rows without text.
 */
export type Rows = AsyncGenerator<FileRow[]>;

/** A CSV file is a sheet without a name. */
export type Sheet = { name: string; hidden: boolean; rows: () => Rows };

export type Workbook = {
  kind: FileKind;
  sheets: Sheet[];
  /** Only the usual number of rows is read, whatever the limits say. */
  isSmall?: boolean;
  /** Frees the source of the rows. */
  close?: () => void;
};

/** 0 is A, 26 is AA. */
export const columnName = (at: number): string => {
  const letter = String.fromCharCode(0x41 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
};

/** Fills rows, and refuses a file that has more than a contact list can. */
export class RowBuilder {
  readonly #limits: FileLimits;
  #cells = 0;
  #characters = 0;

  constructor(limits: FileLimits) {
    this.#limits = limits;
  }

  /**
   * Puts a cell in its column. Everything is counted, because a few bytes of a file may stand for
   * many long cells.
   */
  put(cells: string[], line: number, column: number, text: string): void {
    const { cells: maxCells, textCharacters } = this.#limits;
    if (++this.#cells > maxCells) throw tooLarge(`it has more than ${maxCells} cells`);
    if (text === '') return;
    if (column >= maxColumns) throw badFile(`line ${line} has more than ${maxColumns} columns`);
    if (text.length > maxCellCharacters)
      throw badFile(
        `the cell ${columnName(column)}${line} has more than ${maxCellCharacters} characters; shorten it`,
      );
    this.#characters += text.length;
    if (this.#characters > textCharacters) throw tooLarge('its cells hold too much text');
    while (cells.length < column) cells.push('');
    cells[column] = text;
  }

  /** @returns the line number @throws ServiceError tooLarge */
  checkLine(line: number): number {
    if (line > maxLines) throw tooLarge(`it has more than ${maxLines} lines`);
    return line;
  }
}

/** The bytes of a file, in memory or in the bucket. */
export type FileSource = {
  size: number;
  /** The bytes from `start` to before `end`, in order. They can be read any number of times. */
  chunks: (start?: number, end?: number) => AsyncIterable<Buffer>;
};

/** Other requests get their turn between two chunks. */
export const chunkBytes = 64 * 1024;

/** Bytes that are in memory, in chunks. */
export async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
}

export const sourceOf = (file: Uint8Array): FileSource => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return { size: bytes.length, chunks: (start, end) => piecesOf(bytes.subarray(start, end)) };
};

export const readRange = async ({ size, chunks }: FileSource, start = 0, end = size): Promise<Buffer> => {
  const read: Buffer[] = [];
  for await (const chunk of chunks(start, Math.min(size, end))) read.push(chunk);
  return Buffer.concat(read);
};

/** The chunks after the transform. Errors of both reach the reader, which may stop both. */
export async function* through(chunks: AsyncIterable<Buffer>, transform: Transform): AsyncGenerator<Buffer> {
  yield* pipeline(Readable.from(chunks), transform, () => undefined);
}

export const isZlibError = (error: unknown) => /^Z_/.test((error as { code?: string }).code ?? '');

/** The content of a gzip file, at most `maxBytes`. It can be read from its beginning only. */
export const gunzipped = (file: FileSource, maxBytes: number): FileSource => ({
  size: maxBytes,
  // Without `end` all of it is read, so that a file that is too large is refused and not cut off.
  async *chunks(_start, end = Number.POSITIVE_INFINITY) {
    let bytes = 0;
    try {
      for await (const chunk of through(file.chunks(), createGunzip({ chunkSize: chunkBytes }))) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw tooLarge(`it unpacks to more than ${maxBytes / 1024 / 1024} MB`);
        yield chunk;
        if (bytes >= end) return;
      }
    } catch (error) {
      throw isZlibError(error) ? badFile('the packed file is damaged') : error;
    }
  },
});

/** Bytes of the character that begins with this byte. */
const bytesOfCharacter = (first: number): number => {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
};

/** The number of bytes at the end of a text that begin a character without ending it. */
const unendedBytes = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0x80 && byte < 0xc0) continue;
    return bytesOfCharacter(byte) > back ? back : 0;
  }
  return 0;
};

/** Whether chunks together are UTF-8. A character may extend over two chunks. */
export class Utf8Check {
  #rest = Buffer.alloc(0);

  takes(chunk: Buffer): boolean {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const end = bytes.length - unendedBytes(bytes);
    this.#rest = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }

  isEnded(): boolean {
    return this.#rest.length === 0;
  }
}
