import { countryFrom } from '../platform/settings/settings.ts';
import { type Numbering, withoutCountry } from './rules/phone-number.ts';

/** How numbers of the service's country are written. Loaded with the first number. */
type LazyNumbering = () => Promise<Numbering>;

const load = () => import('./numbering.ts');

/** Without a country, numbers are not changed and the library is not loaded. */
export const numberingIn = (code: string): LazyNumbering => {
  const country = countryFrom(code);
  let numbering: Promise<Numbering> | undefined;
  return async () => {
    if (country === '') return withoutCountry;
    numbering ??= load().then(({ numberingOf }) => numberingOf(country));
    return numbering;
  };
};

/** To find a person. Without a country, numbers are searched in their own country's spellings. */
export const personNumberingIn = (code: string, numbering: LazyNumbering): LazyNumbering =>
  countryFrom(code) === '' ? async () => (await load()).personNumbering : numbering;
