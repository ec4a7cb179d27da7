import { invalid } from '../../platform/rules/errors.ts';

/** Spaces, dashes and invisible characters of every kind, and the signs that group digits. */
const separators = /[\s\p{Z}\p{Cf}\p{Pd}\u2212\u2043./()]/gu;
const telephoneScheme = /^tel:/i;
export const fewestDigits = 3;
/** The maximum of E.164. */
export const mostDigits = 15;
const phoneNumber = new RegExp(`^\\+?[0-9]{${fewestDigits},${mostDigits}}$`);
/** What separates several phone numbers besides a space: `,`, `;`, `/` or a word. */
const between = /[^\d\s().+-]/;
/** How a spreadsheet shows a number that is too long for its column. */
const scientific = /^[0-9][.,]?[0-9]*e\+?[0-9]{1,2}$/i;

const cleaned = (text: string) => text.normalize('NFKC').replace(separators, '').replace(telephoneScheme, '');

/**
 * The spelling in which a phone number is stored, returned and compared.
 * @returns undefined for other text
 */
export const normalisePhone = (text: string): string | undefined => {
  const normal = cleaned(text);
  return phoneNumber.test(normal) ? normal : undefined;
};

/** `number` is a cleaned number. */
export const digitsOf = (number: string): number => number.replace('+', '').length;

/** Changes a cleaned number to the spelling of the service's country. */
export type SpellPhone = (number: string) => string;
export const asCleaned: SpellPhone = (number) => number;

/** How numbers are written in the service's country. */
export type Numbering = {
  spell: SpellPhone;
  /**
   * The texts under which a number may be stored: as E.164, with 00, with the country's code or
   * trunk prefix, or without. All of them have the same spelling by `spell`. Texts that are not
   * `isPossible` are excluded.
   */
  spellings: (number: string, isPossible?: (text: string) => boolean) => readonly string[];
  /** Whether a cleaned number is valid in the country, or in another one with its code. */
  isValid: (number: string) => boolean;
  /**
   * At least this many final digits are the same in all spellings of a number of 11 digits or more.
   * Spellings of a shorter number differ at most in their first three digits. 0: each number has
   * one spelling only.
   */
  sameEnd: number;
};

export const withoutCountry: Numbering = {
  spell: asCleaned,
  spellings: (number, isPossible = () => true) => (isPossible(number) ? [number] : []),
  isValid: () => true,
  sameEnd: 0,
};

/** @throws ServiceError invalid */
export const readPhone = (value: unknown, spell: SpellPhone = asCleaned): string => {
  if (value === undefined || value === null) throw invalid('phoneNumber', 'is required');
  const text = Number.isSafeInteger(value) ? String(value) : value;
  const normal = typeof text === 'string' ? normalisePhone(text) : undefined;
  if (normal === undefined) throw invalid('phoneNumber', problemOf(text));
  return spell(normal);
};

const problemOf = (value: unknown): string => {
  const usual = `must be an optional + and ${fewestDigits} to ${mostDigits} digits`;
  const problem = typeof value === 'string' ? phoneProblem(value) : undefined;
  return problem === undefined ? usual : `${usual}; ${problemWords[problem]}`;
};

/** Why a text with a phone number cannot be read as one. */
export type PhoneProblem = 'shortened' | 'zerosLost' | 'several';

const problemWords: Record<PhoneProblem, string> = {
  shortened:
    'a spreadsheet shortened it (scientific notation) and its last digits may be lost: format the column as text, enter the number again',
  zerosLost: 'a spreadsheet drops zeros at its start unless the column is formatted as text',
  several: 'it looks like several numbers: keep one, or put each in its own row',
};

export const phoneProblem = (text: string): PhoneProblem | undefined => {
  if (scientific.test(text.normalize('NFKC').replace(/\s/g, ''))) return 'shortened';
  if (/^[0-9]{1,2}$/.test(cleaned(text))) return 'zerosLost';
  return holdsSeveral(text.normalize('NFKC')) ? 'several' : undefined;
};

/** Several numbers that are separated by a sign, a word, or only a space or a line break. */
const holdsSeveral = (text: string): boolean =>
  [between, /\s+/].some(
    (separator) => text.split(separator).filter((part) => part.replace(/\D/g, '').length > 6).length > 1,
  );

/** Digits of the longest phone numbers of a data source, without and with a leading plus. */
export type LongestPhones = { bare: number; plus: number };

export const noPhones: LongestPhones = { bare: 0, plus: 0 };

/** @returns the same object if the phone number is not longer */
export const withLongest = (longest: LongestPhones, phoneNumber: string): LongestPhones => {
  const kind = phoneNumber.startsWith('+') ? 'plus' : 'bare';
  const digits = kind === 'plus' ? phoneNumber.length - 1 : phoneNumber.length;
  return digits > longest[kind] ? { ...longest, [kind]: digits } : longest;
};

/** @returns the same object if no phone number of the other is longer */
export const longerOf = (longest: LongestPhones, other: LongestPhones): LongestPhones =>
  other.bare > longest.bare || other.plus > longest.plus
    ? { bare: Math.max(longest.bare, other.bare), plus: Math.max(longest.plus, other.plus) }
    : longest;

/** Whether a data source can have this phone number. Its longest numbers may be unknown. */
export const mayHavePhone = (longest: LongestPhones | undefined, phoneNumber: string): boolean =>
  longest === undefined || withLongest(longest, phoneNumber) === longest;

/** The digits that a phone number must contain. `plus`: after a leading plus. */
export type PhoneFilter = { plus: boolean; digits: string };

/** @returns undefined for no filter; `none` for a filter that no phone number matches */
export const readPhoneFilter = (text = ''): PhoneFilter | 'none' | undefined => {
  if (text.trim() === '') return undefined;
  const [, plus, digits = ''] = /^(\+?)([0-9]*)$/.exec(cleaned(text)) ?? [];
  if (plus === undefined || (plus === '' && digits === '')) return 'none';
  return { plus: plus === '+', digits };
};

/**
 * If the filter has as many digits as the longest number, only these whole numbers can match.
 * @returns undefined if a longer number may contain the digits
 */
export const wholeNumbers = (
  { plus, digits }: PhoneFilter,
  longest: LongestPhones | undefined,
): string[] | undefined => {
  if (longest === undefined || longest.plus > digits.length) return undefined;
  const withPlus = longest.plus === digits.length ? [`+${digits}`] : [];
  if (plus) return withPlus;
  if (longest.bare > digits.length) return undefined;
  return longest.bare === digits.length ? [digits, ...withPlus] : withPlus;
};
