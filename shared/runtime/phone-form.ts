import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { PhoneForm } from '../domain/contacts/phone-number.ts';

/**
 * Writes international numbers, and numbers that are valid in the country, as E.164. Any other number stays as it is.
 * With less metadata than `max`, a local number without its area code would count as valid.
 */
export const formIn = (country: string): PhoneForm => {
  const home = isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const parsed = (number: string) => {
    const found = parsePhoneNumberFromString(number, home && { defaultCountry: home });
    return found?.isValid() ? found.number : undefined;
  };
  return (number) =>
    parsed(number) ?? (number.startsWith('00') ? parsed(`+${number.slice(2)}`) : undefined) ?? number;
};
