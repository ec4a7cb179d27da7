import { normalisePhone } from '../domain/contacts/phone-number.ts';

/** People write an apostrophe before a number, so that a spreadsheet keeps it as text. */
const apostrophe = /^\s*['‘’＇`´](?=\s*[+\d０-９(（])/;
export const dropApostrophe = (cell: string) => cell.replace(apostrophe, '');

/** Dates and amounts have as many digits as phone numbers once their signs are dropped. */
const dateOrAmount = /^\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b.*|\d+[.,]\d{1,2})\s*$/;
const fewestDigits = 7;
/** International, with a trunk prefix, or a Chinese mobile number. An order number is rarely written so. */
const typical = /^(?:\+|0\d|(?:86)?1[3-9]\d{9}$)/;

/** How much a text looks like a phone number: 0 not at all, 2 surely. */
const likeness = (cell: string): number => {
  const number = dateOrAmount.test(cell) ? undefined : normalisePhone(dropApostrophe(cell));
  if (number === undefined || number.replace('+', '').length < fewestDigits) return 0;
  return typical.test(number) ? 2 : 1;
};

export const looksLikePhone = (cell: string) => likeness(cell) > 0;

/**
 * The column that holds phone numbers: most of its texts look like phone numbers, and more so than those of any other
 * column. Of two equal columns it is the left one. `mayBe`: whether the column with this index is considered.
 */
export const findPhoneColumn = (
  rows: readonly (readonly string[])[],
  mayBe: (at: number) => boolean,
): number | undefined => {
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  let best: { at: number; score: number } | undefined;
  for (let at = 0; at < width; at++) {
    const texts = rows.map((cells) => cells[at] ?? '').filter((cell) => cell.trim() !== '');
    const likenesses = texts.map(likeness);
    const isMostlyPhones = likenesses.filter((value) => value > 0).length * 2 > texts.length;
    const score = likenesses.reduce((sum, value) => sum + value, 0);
    if (isMostlyPhones && mayBe(at) && score > (best?.score ?? 0)) best = { at, score };
  }
  return best?.at;
};
