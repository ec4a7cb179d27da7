/** How text, numbers and dates stand in the cells of a workbook. */

/** What a number format shows: a date (perhaps with its time) or only a time of day. */
export type DateKind = 'date' | 'time';

const daySeconds = 86_400;
/** Day 0 of the 1900 system, which counts as if 1900 had a 29 February, and of the 1904 system. */
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);
const falseLeapDay = 60;
/** The day after 9999-12-31. */
const end1900 = 2_958_466;
const end1904 = end1900 - 1462;

/** A number in full digits, never with an exponent: 13800138000, 0.5, 1000000000000000000000. */
const plainDigits = (value: number): string => {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
};

/** A number cell as text: its date if its format shows a date, otherwise its digits. */
export const numberText = (value: number, kind: DateKind | undefined, date1904: boolean): string => {
  const seconds = Math.round(value * daySeconds);
  const end = date1904 ? end1904 : end1900;
  if (kind === undefined || !(value >= 0) || seconds >= end * daySeconds) return plainDigits(value);
  const day = Math.floor(seconds / daySeconds);
  const time = new Date((seconds % daySeconds) * 1000).toISOString().slice(11, 19);
  if (kind === 'time' && day === 0) return time;
  return seconds % daySeconds === 0 ? dayText(day, date1904) : `${dayText(day, date1904)} ${time}`;
};

const dayText = (day: number, date1904: boolean): string => {
  if (!date1904 && day === falseLeapDay) return '1900-02-29';
  const epoch = date1904 ? epoch1904 : epoch1900 + (day < falseLeapDay ? daySeconds * 1000 : 0);
  return new Date(epoch + day * daySeconds * 1000).toISOString().slice(0, 10);
};

/** Formats without a code of their own in the file: dates, times, and the East Asian dates 27-36 and 50-58. */
const builtInKind = (id: number): DateKind | undefined => {
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 35)) return 'time';
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  return undefined;
};

/** Excel accepts no longer code. */
const maxCodeCharacters = 255;

/** The kind of a format, by its code if the file gives one. Elapsed time ([h]:mm) is a plain number. */
export const dateKind = (id: number, code: string | undefined): DateKind | undefined => {
  if (code === undefined) return builtInKind(id);
  if (code.length > maxCodeCharacters) return undefined;
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*./gs, '').split(';');
  if (/\[(h+|m+|s+)\]/i.test(positive)) return undefined;
  const tokens = positive.replace(/\[[^\]]*\]/g, '').replace(/general|am\/pm|a\/p/gi, '');
  if (/[#0?]/.test(tokens.replace(/\.0+/g, ''))) return undefined;
  if (/[yd]/i.test(tokens) || (/m/i.test(tokens) && !/[hs]/i.test(tokens))) return 'date';
  return /[hs]/i.test(tokens) ? 'time' : undefined;
};

/** SpreadsheetML writes characters that XML cannot hold as `_x000D_`. Text that looks so has its `_` escaped. */
const escaped = /_x([\da-fA-F]{4})_/g;
const looksEscaped = /_(?=x[\da-fA-F]{4}_)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const needsCare = /[&<>_\u0000-\u001f\ufffe\uffff]|^ | $/;
const markup = /[&<>]/g;
// XML allows a carriage return, but parsers turn it into a line feed.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it searches for
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const unescapeCell = (text: string) =>
  text.includes('_x')
    ? text.replace(escaped, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

/** Whether a text can stand in a cell's XML unchanged. */
export const isPlain = (text: string) => !needsCare.test(text);

export const escapeCell = (text: string) =>
  text
    .replace(looksEscaped, '_x005F_')
    .replace(markup, (character) => entities[character]!)
    .replace(unwritable, escapeCharacter);

const escapeCharacter = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
