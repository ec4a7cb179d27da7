/** How SpreadsheetML writes characters that XML cannot hold: `_x000D_`; text that looks so has its `_` escaped. */
const ESCAPED = /_x([\da-fA-F]{4})_/g;
const LOOKS_ESCAPED = /_(?=x[\da-fA-F]{4}_)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const NEEDS_CARE = /[&<>_\u0000-\u001f\ufffe\uffff]|^ | $/;
const MARKUP = /[&<>]/g;
// A carriage return is no error in XML, but parsers turn it into a line feed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
const MARKUP_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const unescapeCell = (text: string) =>
  text.includes('_x')
    ? text.replace(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Whether a text can stand in a cell's XML as it is. */
export const isPlain = (text: string) => !NEEDS_CARE.test(text);

export const escapeCell = (text: string) =>
  text
    .replace(LOOKS_ESCAPED, '_x005F_')
    .replace(MARKUP, (character) => MARKUP_ENTITIES[character]!)
    .replace(UNWRITABLE, escaped);

const escaped = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
