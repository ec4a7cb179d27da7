import {
  type CountryCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import type { PhonePlan } from '../domain/contacts/phone-number.ts';

/** What the library knows of a numbering plan, though its types do not say all of it. */
type NumberingPlan = {
  nationalPrefix: () => string | undefined;
  IDDPrefix: () => string | undefined;
  defaultIDDPrefix: () => string | undefined;
};

const planOf = (country: CountryCode | undefined): NumberingPlan | undefined => {
  const metadata = new Metadata();
  if (country !== undefined) metadata.selectNumberingPlan(country);
  return metadata.numberingPlan as unknown as NumberingPlan | undefined;
};

const isDigits = (text: string | undefined): text is string => /^\d+$/.test(text ?? '');
const storable = /^\+?[0-9]{3,15}$/;

/**
 * Writes international numbers, and numbers that are valid in the country, as E.164. Any other number stays as it is.
 * With less metadata than `max`, a local number without its area code would count as valid.
 */
export const planIn = (country: string): PhonePlan => {
  const home = isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const homePlan = planOf(home);
  // Some countries have many such prefixes, one for each carrier.
  const abroad = [homePlan?.IDDPrefix(), homePlan?.defaultIDDPrefix()].filter(isDigits);

  const valid = (number: string): PhoneNumber | undefined => {
    const found = parsePhoneNumberFromString(number, home && { defaultCountry: home });
    return found?.isValid() ? found : undefined;
  };
  const parsed = (number: string) =>
    valid(number) ?? (number.startsWith('00') ? valid(`+${number.slice(2)}`) : undefined);
  const form = (number: string): string => parsed(number)?.number ?? number;

  /** With and without the prefixes of calls from abroad and of calls within the country. */
  const written = (found: PhoneNumber): string[] => {
    const { countryCallingCode: code, nationalNumber } = found;
    const prefix = planOf(found.country)?.nationalPrefix() ?? '';
    const national = [
      ...new Set([nationalNumber, `${prefix}${nationalNumber}`, found.formatNational().replace(/\D/g, '')]),
    ];
    const international = national.map((each) => `${code}${each}`);
    return [
      ...international.map((each) => `+${each}`),
      ...['00', ...abroad].flatMap((before) => international.map((each) => `${before}${each}`)),
      ...international,
      ...national,
    ];
  };

  return {
    form,
    isValid: (number) => parsed(number) !== undefined,
    spellings: (number, isPossible = () => true) => {
      const found = parsed(number);
      if (found === undefined) return isPossible(number) ? [number] : [];
      const possible = [...new Set([number, found.number, ...written(found)])].filter(isPossible);
      const isSame = (each: string) =>
        each === number || each === found.number || (storable.test(each) && form(each) === found.number);
      return possible.filter(isSame);
    },
  };
};
