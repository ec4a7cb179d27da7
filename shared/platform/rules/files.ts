// Limits of a contact file. The API documents them, the readers enforce them, and the console shows
// them.

export const maxFileMegabytes = 10;
export const maxFileBytes = maxFileMegabytes * 1024 * 1024;
/**
 * Rows of a file that comes with a request, and the default of `IMPORT_MAX_ROWS` for uploaded and
 * dropped files.
 */
export const maxRows = 10_000;
export const maxColumns = 200;

/** The maximum of `IMPORT_MAX_ROWS`. */
export const highestMaxRows = 1_000_000;
const highestMegabytes = 512;

/**
 * Size of the largest uploaded or dropped file, in megabytes, where a file may have `rows` rows: 10
 * MB for each 10,000.
 */
export const megabytesFor = (rows: number) =>
  Math.min(highestMegabytes, Math.max(maxFileMegabytes, Math.floor((rows / maxRows) * maxFileMegabytes)));

/** Last line number of a spreadsheet. It also bounds a file of nothing but empty lines. */
export const maxLines = 1_048_576;

const formulaStart = /^[=+\-@'\t\r]/;
const guarded = /^'[=+\-@'\t\r]/;
const phoneNumber = /^\+\d{3,15}$/;

/** A spreadsheet runs such a cell as a formula, unless it begins with a quote or is a number. */
const guardFormula = (text: string) =>
  formulaStart.test(text) && !phoneNumber.test(text) ? `'${text}` : text;

/** Other programs write digits like this, so that they are not shortened: ="00420". */
const digitsAsFormula = /^="(\+?[\d ().-]+)"$/;

export const unguardFormula = (text: string) =>
  guarded.test(text) ? text.slice(1) : (digitsAsFormula.exec(text)?.[1] ?? text);

/**
 * Besides what RFC 4180 asks for, other delimiters and outer spaces are quoted, because readers
 * misinterpret them.
 */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

const cellText = (cell: string | number): string => {
  const text = guardFormula(String(cell));
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Without it Excel reads a file in the encoding of the system. */
export const byteOrderMark = '\ufeff';

export const csvRow = (cells: readonly (string | number)[]): string => {
  let row = '';
  for (let at = 0; at < cells.length; at++)
    row += at === 0 ? cellText(cells[at]!) : `,${cellText(cells[at]!)}`;
  return `${row}\r\n`;
};
