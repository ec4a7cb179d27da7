const formulaStart = /^[=+\-@'\t\r]/;
const guarded = /^'[=+\-@'\t\r]/;
const phoneNumber = /^\+\d{3,15}$/;

/** A spreadsheet runs such a CSV cell as a formula unless it begins with a quote. A phone number is harmless. */
const guardFormula = (text: string) =>
  formulaStart.test(text) && !phoneNumber.test(text) ? `'${text}` : text;

/** Other programs write digits this way so that they are not shortened: ="00420". */
const digitsAsFormula = /^="(\+?[\d ().-]+)"$/;

export const unguardFormula = (text: string) =>
  guarded.test(text) ? text.slice(1) : (digitsAsFormula.exec(text)?.[1] ?? text);

/** Besides what RFC 4180 asks for, other delimiters and outer spaces are quoted: readers take them for their own. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

const cellText = (cell: string | number): string => {
  const text = guardFormula(String(cell));
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Excel takes a file without it for one of the system's own encoding. */
export const byteOrderMark = '\ufeff';

export const csvRow = (cells: readonly (string | number)[]): string => {
  let row = '';
  for (let at = 0; at < cells.length; at++)
    row += at === 0 ? cellText(cells[at]!) : `,${cellText(cells[at]!)}`;
  return `${row}\r\n`;
};
