import { invalid, ServiceError } from '../domain/errors.ts';
import { maxRows, megabytesFor } from '../domain/imports/import-options.ts';

export {
  maxColumns,
  maxFileBytes,
  maxFileMegabytes,
  maxLines,
  maxRows,
} from '../domain/imports/import-options.ts';

/** Limits of what a file may hold inside. The limits of a sheet are Excel's own, or what a contact can hold. */
export const maxCellCharacters = 32_767;

/** Cells of a row with the empty ones: the columns of a spreadsheet. */
export const maxRowCells = 16_384;

/** Cells of a sheet, without the empty ones: a hundred in every row. */
export const maxCells = 1_000_000;
/** Cells of a CSV file with the empty ones: each costs the parser time and memory. */
const maxFields = 2_000_000;
/** Rows with more or fewer cells than the row before: the CSV parser makes an error of each, asked for or not. */
const maxRagged = 20_000;

/** What all parts of a workbook may unpack to, and what all cells of a file may hold. */
export const maxUnpackedBytes = 64 * 1024 * 1024;
export const maxTextCharacters = 64 * 1024 * 1024;
/** However many rows a file may have, a workbook unpacks to no more, and its cells hold no more: they may share a text. */
const highestUnpackedBytes = 3 * 1024 * 1024 * 1024;
const highestTextCharacters = 1024 * 1024 * 1024;

/** Tags of one XML part; a million cells take six million. */
export const maxTags = 8_000_000;
export const maxTagBytes = 1024 * 1024;

/** What bounds a file as a whole. Each limit grows with the rows that a file may have. */
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

/** The limits of an uploaded or dropped file of at most so many rows. */
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

/** Tags of one cell or shared text: each of its characters may have a format of its own. */
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
