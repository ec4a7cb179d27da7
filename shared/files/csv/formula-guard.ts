const formulaStart = /^[=+\-@'\t\r]/;
const guarded = /^'[=+\-@'\t\r]/;
const phoneNumber = /^\+?\d{3,15}$/;

/** A spreadsheet runs such a CSV cell as a formula unless it begins with a quote. A phone number is harmless. */
export const guardFormula = (text: string) =>
  formulaStart.test(text) && !phoneNumber.test(text) ? `'${text}` : text;

/** Other programs write digits this way so that they are not shortened: ="00420". */
const digitsAsFormula = /^="(\+?[\d ().-]+)"$/;

export const unguardFormula = (text: string) =>
  guarded.test(text) ? text.slice(1) : (digitsAsFormula.exec(text)?.[1] ?? text);
