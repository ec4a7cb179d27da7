import { type CountryCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { numberingOf } from '../../../../shared/contacts/numbering.ts';
import { packPhone } from '../../../../shared/contacts/phone-block.ts';
import { type Numbering, withoutCountry } from '../../../../shared/contacts/rules/phone-number.ts';
import { countShared, findShared, PhoneList } from '../../../../shared/insight/preflight/phone-list.ts';

/**
 * Large and small countries: with and without a prefix for calls within the country, with digits
 * within a number.
 */
const countries = [
  ...['CN', 'US', 'RU', 'KZ', 'AR', 'MX', 'BR', 'DE', 'GB', 'FR', 'HU', 'LT', 'KR', 'JP'],
  ...['AU', 'IN', 'NO', 'SG', 'ZA', 'IS', 'ER', 'MH', 'PM', 'SH'],
] as CountryCode[];

const listOf = (phones: readonly string[]) => new PhoneList(Float64Array.from(phones, packPhone));

const sharedBy = (phones: readonly string[], listed: readonly string[], numbering: Numbering): string[] => {
  const numbers = listOf(phones);
  const shared: string[] = [];
  findShared(numbers, listOf(listed), numbering, (index) => shared.push(numbers.phoneAt(index)));
  return shared.sort();
};

describe('numbers that are also on a list', () => {
  it('are found in the same spelling', () => {
    const phones = ['110', '+110', '0110', '13800138000', '+8613800138000'];
    expect(sharedBy(phones, ['+110', '13800138000', '999'], withoutCountry)).toEqual(['+110', '13800138000']);
    expect(sharedBy(phones, [], withoutCountry)).toEqual([]);
    expect(sharedBy([], phones, withoutCountry)).toEqual([]);
  });

  it.each(countries)('are found in every other spelling that people in %s use', (country) => {
    const numbering = numberingOf(country);
    const example = getExampleNumber(country, examples);
    const number = String(example?.number);
    const spellings = numbering.spellings(number);
    for (const listed of spellings) {
      const isAlike = spellings.filter((each) => numbering.spellings(each).includes(listed));
      expect(sharedBy(spellings, [listed, '+12025550123'], numbering), listed).toEqual([...isAlike].sort());
    }
  });

  it('are counted by their last nine digits', () => {
    const ends = listOf(['13800138000', '+8613800138000', '800138000', '00138000', '110']).lastNine();
    expect([...ends]).toEqual([800_138_000, 800_138_000, 800_138_000]);
    expect(countShared(ends, listOf(['99800138000', '13900139000']).lastNine())).toBe(3);
    expect(countShared(ends, listOf(['110']).lastNine())).toBe(0);
  });
});
