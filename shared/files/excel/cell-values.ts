/** What a number format shows: a date (perhaps with its time) or only a time of day. */
export type DateKind = 'date' | 'time';

const DAY_SECONDS = 86_400;
/** Day 0 of the 1900 system counted as if 1900 had a 29 February, and of the 1904 system. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const FALSE_LEAP_DAY = 60;
/** The day after 9999-12-31. */
const END_1900 = 2_958_466;
const END_1904 = END_1900 - 1462;

/** A number in full digits, never with an exponent: 13800138000, 0.5, 1000000000000000000000. */
export function plainDigits(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}

/** A number cell as text: its date where its format shows one, its digits otherwise. */
export function numberText(value: number, kind: DateKind | undefined, date1904: boolean): string {
  const seconds = Math.round(value * DAY_SECONDS);
  const end = date1904 ? END_1904 : END_1900;
  if (kind === undefined || !(value >= 0) || seconds >= end * DAY_SECONDS) return plainDigits(value);
  const day = Math.floor(seconds / DAY_SECONDS);
  const time = new Date((seconds % DAY_SECONDS) * 1000).toISOString().slice(11, 19);
  if (kind === 'time' && day === 0) return time;
  return seconds % DAY_SECONDS === 0 ? dayText(day, date1904) : `${dayText(day, date1904)} ${time}`;
}

function dayText(day: number, date1904: boolean): string {
  if (!date1904 && day === FALSE_LEAP_DAY) return '1900-02-29';
  const epoch = date1904 ? EPOCH_1904 : EPOCH_1900 + (day < FALSE_LEAP_DAY ? DAY_SECONDS * 1000 : 0);
  return new Date(epoch + day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** Formats without a code of their own in the file: dates, times, and the East Asian dates 27-36 and 50-58. */
function builtInKind(id: number): DateKind | undefined {
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 35)) return 'time';
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  return undefined;
}

/** The longest code that Excel takes. */
const LONGEST_CODE = 255;

/** The kind of a format, by its code where the file gives one. Elapsed time ([h]:mm) is a plain number. */
export function dateKind(id: number, code: string | undefined): DateKind | undefined {
  if (code === undefined) return builtInKind(id);
  if (code.length > LONGEST_CODE) return undefined;
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*./gs, '').split(';');
  if (/\[(h+|m+|s+)\]/i.test(positive)) return undefined;
  const tokens = positive.replace(/\[[^\]]*\]/g, '').replace(/general|am\/pm|a\/p/gi, '');
  if (/[#0?]/.test(tokens.replace(/\.0+/g, ''))) return undefined;
  if (/[yd]/i.test(tokens) || (/m/i.test(tokens) && !/[hs]/i.test(tokens))) return 'date';
  return /[hs]/i.test(tokens) ? 'time' : undefined;
}
