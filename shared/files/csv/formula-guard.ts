const FORMULA_START = /^[=+\-@'\t\r]/;
const GUARDED = /^'[=+\-@'\t\r]/;
const PHONE_NUMBER = /^\+?\d{3,15}$/;

/** A spreadsheet runs such a CSV cell as a formula unless a quote stands first; a phone number is harmless. */
export const guardFormula = (text: string) =>
  FORMULA_START.test(text) && !PHONE_NUMBER.test(text) ? `'${text}` : text;

/** Digits as other programs keep them from being shortened: ="00420". */
const DIGITS_AS_FORMULA = /^="(\+?[\d ().-]+)"$/;

export const unguardFormula = (text: string) =>
  GUARDED.test(text) ? text.slice(1) : (DIGITS_AS_FORMULA.exec(text)?.[1] ?? text);
