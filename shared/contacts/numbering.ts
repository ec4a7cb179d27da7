import {
  type CountryCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import type { Numbering } from './rules/phone-number.ts';

/** The library knows this about a numbering plan, but its types do not have all of it. */
type CountryMetadata = {
  nationalPrefix: () => string | undefined;
  IDDPrefix: () => string | undefined;
  defaultIDDPrefix: () => string | undefined;
  possibleLengths: () => readonly number[];
  formats: () => readonly { format: () => string }[];
};

const metadataOf = (country: CountryCode | undefined): CountryMetadata | undefined => {
  const metadata = new Metadata();
  if (country !== undefined) metadata.selectNumberingPlan(country);
  return metadata.numberingPlan as unknown as CountryMetadata | undefined;
};

const isDigits = (text: string | undefined): text is string => /^\d+$/.test(text ?? '');
/** Such a format adds digits to the number, like Argentina's `15` for mobile phones. */
const addsDigits = (format: string) => /\d/.test(format.replace(/\$\d/g, ''));
/**
 * See `Numbering`. Eight digits are enough where numbers have ten, although a few special numbers
 * there are shorter.
 */
const sameEndIn = (metadata: CountryMetadata | undefined): number => {
  if (metadata === undefined) return 8;
  if (metadata.formats().some((each) => addsDigits(each.format()))) return 6;
  const lengths = metadata.possibleLengths();
  return Math.max(...lengths) >= 10 ? 8 : Math.min(8, ...lengths.filter((length) => length >= 6));
};
const storable = /^\+?[0-9]{3,15}$/;

const validIn = (home: CountryCode | undefined, number: string): PhoneNumber | undefined => {
  const parsed = (text: string) => parsePhoneNumberFromString(text, home && { defaultCountry: home });
  const found = [parsed(number), number.startsWith('00') ? parsed(`+${number.slice(2)}`) : undefined];
  return found.find((each) => each?.isValid());
};

/** With and without the prefixes for calls from abroad and for calls within the country. */
const written = (found: PhoneNumber, abroad: readonly string[] = []): string[] => {
  const { countryCallingCode: code, nationalNumber } = found;
  const prefix = metadataOf(found.country)?.nationalPrefix() ?? '';
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

/**
 * For a service without a country, to find a person. An international number may be stored in every
 * spelling of its own country. A national number does not tell its country, so it has one spelling.
 */
export const personNumbering: Numbering = {
  spell: (number) => number,
  isValid: () => true,
  sameEnd: 0,
  spellings: (number, isPossible = () => true) => {
    const found = validIn(undefined, number);
    const texts = new Set([number, ...(found === undefined ? [] : written(found))]);
    return [...texts].filter((each) => storable.test(each) && isPossible(each));
  },
};

/**
 * Writes international numbers, and numbers that are valid in the country, as E.164. Other numbers
 * stay as they are. With less metadata than `max`, a local number without its area code would count
 * as valid.
 */
export const numberingOf = (country: string): Numbering => {
  const home = isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const homeMetadata = metadataOf(home);
  // Some countries have many such prefixes, one for each carrier.
  const abroad = [homeMetadata?.IDDPrefix(), homeMetadata?.defaultIDDPrefix()].filter(isDigits);

  const parsed = (number: string) => validIn(home, number);
  const spell = (number: string): string => parsed(number)?.number ?? number;

  return {
    spell,
    isValid: (number) => parsed(number) !== undefined,
    spellings: (number, isPossible = () => true) => {
      const found = parsed(number);
      if (found === undefined) return isPossible(number) ? [number] : [];
      const possible = [...new Set([number, found.number, ...written(found, abroad)])].filter(isPossible);
      const isSame = (each: string) =>
        each === number || each === found.number || (storable.test(each) && spell(each) === found.number);
      return possible.filter(isSame);
    },
    sameEnd: sameEndIn(homeMetadata),
  };
};
