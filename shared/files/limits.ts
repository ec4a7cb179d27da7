import { invalid, ServiceError } from '../domain/errors.ts';

/** Limits of an imported file. Those of a sheet are Excel's own or what a contact can hold. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_ROWS = 10_000;
export const MAX_COLUMNS = 200;
export const MAX_CELL_CHARACTERS = 32_767;

/** Of a sheet, those without content aside: a hundred in every row. */
export const MAX_CELLS = 1_000_000;

/** Line numbers end where a spreadsheet's do, so that a file of nothing but empty lines ends too. */
export const MAX_LINES = 1_048_576;

/** What all parts of a workbook may unpack to, and what all cells of a file may say, in bytes and characters. */
export const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
export const MAX_TEXT_CHARACTERS = 64 * 1024 * 1024;

/** Tags of one XML part; a million cells take six million. */
export const MAX_TAGS = 8_000_000;
export const MAX_TAG_BYTES = 1024 * 1024;

/** Tags of one cell or shared text: each of its characters may have a format of its own. */
export const MAX_CELL_TAGS = 200_000;

/** Sheets of a workbook. */
export const MAX_SHEETS = 255;

/** What a message shows of a text that may be long. */
export const shown = (text: string) => {
  const characters = [...text];
  return characters.length > 30 ? `${characters.slice(0, 30).join('')}…` : text;
};

export const refused = (message: string) => invalid('file', message, 'BAD_FILE');

export const tooLarge = (message: string) => new ServiceError('tooLarge', `file: ${message}`);
