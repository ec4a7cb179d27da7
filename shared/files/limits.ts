import { invalid, ServiceError } from '../domain/errors.ts';

export {
  maxColumns,
  maxFileBytes,
  maxFileMegabytes,
  maxLines,
  maxRows,
} from '../domain/imports/import-limits.ts';

/** Limits of what a file may hold inside. The limits of a sheet are Excel's own, or what a contact can hold. */
export const maxCellCharacters = 32_767;

/** Cells of a sheet, without the empty ones: a hundred in every row. */
export const maxCells = 1_000_000;

/** What all parts of a workbook may unpack to, and what all cells of a file may hold. */
export const maxUnpackedBytes = 64 * 1024 * 1024;
export const maxTextCharacters = 64 * 1024 * 1024;

/** Tags of one XML part; a million cells take six million. */
export const maxTags = 8_000_000;
export const maxTagBytes = 1024 * 1024;

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
