/** What a number format shows: a date (perhaps with its time) or only a time of day. */
export type DateKind = 'date' | 'time';

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
