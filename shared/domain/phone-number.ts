import { invalid } from './errors.ts';

const separators = /[ \-.()]/g;
/** An optional plus and at most 15 digits, E.164's most. */
const phoneNumber = /^\+?[0-9]{3,15}$/;

const withoutSeparators = (text: string) => text.replace(separators, '');

/** The form in which a phone number is stored, returned and compared; `undefined` when it is none. */
export const normalisePhone = (text: string): string | undefined => {
  const normal = withoutSeparators(text);
  return phoneNumber.test(normal) ? normal : undefined;
};

/** @throws ServiceError invalid */
export const readPhone = (value: unknown): string => {
  if (value === undefined || value === null) throw invalid('phoneNumber', 'is required', 'REQUIRED');
  const text = Number.isSafeInteger(value) ? String(value) : value;
  const normal = typeof text === 'string' ? normalisePhone(text) : undefined;
  if (normal === undefined)
    throw invalid('phoneNumber', 'must be an optional + and 3 to 15 digits', 'BAD_FORMAT');
  return normal;
};

/** What a phone number must contain; `plus` asks for the digits right behind a leading plus. */
export type PhoneFilter = { plus: boolean; digits: string };

/** `undefined`: no filter. `none`: a filter that no phone number can meet. */
export const readPhoneFilter = (text = ''): PhoneFilter | 'none' | undefined => {
  if (text.trim() === '') return undefined;
  const [, plus, digits = ''] = /^(\+?)([0-9]*)$/.exec(withoutSeparators(text.trim())) ?? [];
  if (plus === undefined || (plus === '' && digits === '')) return 'none';
  return { plus: plus === '+', digits };
};
