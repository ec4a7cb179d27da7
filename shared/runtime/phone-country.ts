import type { CountryCode } from 'libphonenumber-js/max';
import type { PhoneForm } from '../domain/phone-number.ts';
import { countryFrom } from './environment.ts';

/** How phone numbers of the service's country are written; loaded when the first one is. */
export type LazyPhoneForm = () => Promise<PhoneForm>;

/**
 * International numbers and those valid in the country as E.164, anything else as it is. Less metadata than
 * `max` would call a local number without its area code valid. @throws Error on an unknown country
 */
const formIn = async (country: string): Promise<PhoneForm> => {
  const { isSupportedCountry, parsePhoneNumberFromString } = await import('libphonenumber-js/max');
  const home = isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const parsed = (number: string) => {
    const found = parsePhoneNumberFromString(number, home && { defaultCountry: home });
    return found?.isValid() ? found.number : undefined;
  };
  return (number) =>
    parsed(number) ?? (number.startsWith('00') ? parsed(`+${number.slice(2)}`) : undefined) ?? number;
};

/** Numbers stay as they were cleaned where no country is set, and nothing is loaded. */
export const phoneFormIn = (code: string): LazyPhoneForm => {
  const country = countryFrom(code);
  let form: Promise<PhoneForm> | undefined;
  return async () => {
    if (country === '') return (number) => number;
    form ??= formIn(country);
    return form;
  };
};
