import { invalid } from './errors.ts';

/** Spaces, dashes and invisible format characters of every kind, and the signs people group digits with. */
const separators = /[\s\p{Z}\p{Cf}\p{Pd}\u2212\u2043./()]/gu;
const telephoneScheme = /^tel:/i;
/** An optional plus and at most 15 digits, E.164's most. */
const phoneNumber = /^\+?[0-9]{3,15}$/;
/** How a spreadsheet shows a number too long for its column. */
const scientific = /^[0-9][.,]?[0-9]*e\+?[0-9]{1,2}$/i;

const cleaned = (text: string) => text.normalize('NFKC').replace(separators, '').replace(telephoneScheme, '');

/** The form in which a phone number is stored, returned and compared; `undefined` when it is none. */
export const normalisePhone = (text: string): string | undefined => {
  const normal = cleaned(text);
  return phoneNumber.test(normal) ? normal : undefined;
};

/** What becomes of a cleaned number where the service knows its country. */
export type PhoneForm = (number: string) => string;
const asCleaned: PhoneForm = (number) => number;

/** @throws ServiceError invalid */
export const readPhone = (value: unknown, form: PhoneForm = asCleaned): string => {
  if (value === undefined || value === null) throw invalid('phoneNumber', 'is required');
  const text = Number.isSafeInteger(value) ? String(value) : value;
  const normal = typeof text === 'string' ? normalisePhone(text) : undefined;
  if (normal === undefined) throw invalid('phoneNumber', problemOf(text));
  return form(normal);
};

const problemOf = (value: unknown): string => {
  const usual = 'must be an optional + and 3 to 15 digits';
  if (typeof value !== 'string') return usual;
  if (scientific.test(value.normalize('NFKC').replace(/\s/g, '')))
    return `${usual}; a spreadsheet shortened it (scientific notation) and its last digits may be lost: format the column as text, enter the number again`;
  if (/^[0-9]{1,2}$/.test(cleaned(value)))
    return `${usual}; a spreadsheet drops zeros at its start unless the column is formatted as text`;
  return usual;
};

/** What a phone number must contain; `plus` asks for the digits right behind a leading plus. */
export type PhoneFilter = { plus: boolean; digits: string };

/** `undefined`: no filter. `none`: a filter that no phone number can meet. */
export const readPhoneFilter = (text = ''): PhoneFilter | 'none' | undefined => {
  if (text.trim() === '') return undefined;
  const [, plus, digits = ''] = /^(\+?)([0-9]*)$/.exec(cleaned(text)) ?? [];
  if (plus === undefined || (plus === '' && digits === '')) return 'none';
  return { plus: plus === '+', digits };
};
