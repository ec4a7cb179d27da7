import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberingIn } from '../../../../shared/contacts/phone-country.ts';
import {
  longerOf,
  noPhones,
  normalisePhone,
  type PhoneFilter,
  readPhone,
  readPhoneFilter,
  wholeNumbers,
  withLongest,
} from '../../../../shared/contacts/rules/phone-number.ts';
import { randomRuns } from '../../../support/run/extent.ts';

describe('phone number', () => {
  it.each([
    ['13800138000', '13800138000'],
    ['+86 (138) 0013-8000', '+8613800138000'],
    [' 1.2.3 ', '123'],
    ['(+1) 234', '+1234'],
    ['123456789012345', '123456789012345'],
    ['000', '000'],
    ['１３８００１３８０００', '13800138000'],
    ['（＋８６）138\u00a00013\u30008000', '+8613800138000'],
    ['tel:+86-138-0013-8000', '+8613800138000'],
    [' TEL: 138\u20110013\u20138000', '13800138000'],
    ['138/0013/8000', '13800138000'],
    ['\u202d13800138000\u202c', '13800138000'],
    ['\ufeff138\u200b0013\t8000', '13800138000'],
  ])('%j is kept as %j', (text, normal) => expect(normalisePhone(text)).toBe(normal));

  it.each([
    '',
    '12',
    '1234567890123456',
    '+',
    '++123',
    '12+3',
    '123a',
    '1.38E+10',
    'tel:',
    'mobile:123',
    'hotel:123',
    '١٢٣٤',
  ])('%j is none', (text) => expect(normalisePhone(text)).toBeUndefined());

  it('is taken from a whole number too', () => expect(readPhone(13800138000)).toBe('13800138000'));

  it.each([undefined, null, true, 12.5, 1.5e300, {}, ['123'], 'abc'])('%j is refused', (value) =>
    expect(() => readPhone(value)).toThrow(/^phoneNumber: /),
  );
});

describe('a number that a spreadsheet has spoilt', () => {
  it.each([
    ['1.38E+10', /scientific notation.*format the column as text/],
    ['1,38001E+10', /scientific notation/],
    ['8E+12', /scientific notation/],
    ['8.6138e9', /scientific notation/],
    ['12', /drops zeros at its start/],
    ['138 0013 8000, 139 0013 9000', /several numbers/],
    ['8001380, 8001390', /several numbers/],
    ['800138, 800139', /3 to 15 digits$/],
    ['010-62345678 转 8001', /3 to 15 digits$/],
  ])('%j is refused in words that say so', (text, words) => expect(() => readPhone(text)).toThrow(words));
});

describe('a number of a service with a country', () => {
  it.each([
    ['CN', '13800138000', '+8613800138000'],
    ['CN', '+86 138 0013 8000', '+8613800138000'],
    ['CN', '0086 138 0013 8000', '+8613800138000'],
    ['US', '00 86 138 0013 8000', '+8613800138000'],
    ['GB', '07911 123456', '+447911123456'],
    ['CN', '6234 5678', '62345678'],
    ['CN', '10086', '10086'],
    ['', '0086 138 0013 8000', '008613800138000'],
  ])('in %j, %j is kept as %j', async (country, text, kept) =>
    expect(readPhone(text, (await numberingIn(country)()).spell)).toBe(kept),
  );

  it.each(['XX', 'UK', 'cn', 'China', 'QX'])('has none that is %j', (country) =>
    expect(() => numberingIn(country)).toThrow(/^SERVICE_COUNTRY must be/),
  );
});

describe('phone filter', () => {
  it.each([undefined, '', '  ', '\t\n'])('%j is no filter', (text) =>
    expect(readPhoneFilter(text)).toBeUndefined(),
  );

  it.each(['-', ' ( ) ', 'a', '12a', '1+2', '++1', '١'])('%j matches nothing', (text) =>
    expect(readPhoneFilter(text)).toBe('none'),
  );

  it('drops separators and keeps a leading plus', () => {
    expect(readPhoneFilter('tel:＋８６\u00a0138')).toEqual({ plus: true, digits: '86138' });
    expect(readPhoneFilter(' 138-00 ')).toEqual({ plus: false, digits: '13800' });
    expect(readPhoneFilter('+86')).toEqual({ plus: true, digits: '86' });
    expect(readPhoneFilter('+')).toEqual({ plus: true, digits: '' });
  });
});

describe('the numbers that alone can meet a filter', () => {
  const longest = { bare: 11, plus: 13 };
  it.each([
    [{ plus: false, digits: '8613800138000' }, longest, ['+8613800138000']],
    [{ plus: true, digits: '8613800138000' }, longest, ['+8613800138000']],
    [{ plus: false, digits: '13800138000' }, longest, undefined],
    [{ plus: false, digits: '13800138000' }, { bare: 11, plus: 11 }, ['13800138000', '+13800138000']],
    [{ plus: false, digits: '13800138000' }, { bare: 11, plus: 0 }, ['13800138000']],
    [{ plus: true, digits: '13800138000' }, { bare: 15, plus: 3 }, []],
    [{ plus: false, digits: '13800138000' }, undefined, undefined],
  ])('%j among numbers as long as %j: %j', (filter, known, numbers) => {
    expect(wholeNumbers(filter, known)).toEqual(numbers);
  });

  it('are all that meet it, whatever numbers there are', () => {
    const digits = (minLength: number) =>
      fc.string({ unit: fc.constantFrom('0', '1'), minLength, maxLength: 6 });
    const number = fc.tuple(fc.constantFrom('', '+'), digits(3)).map((parts) => parts.join(''));
    const wish = fc.record({ plus: fc.boolean(), digits: digits(1) });
    const holds = (numbers: string[], filter: PhoneFilter) => {
      const longest = numbers.reduce(withLongest, noPhones);
      expect(numbers.map((each) => withLongest(noPhones, each)).reduce(longerOf, noPhones)).toEqual(longest);
      const known = wholeNumbers(filter, longest);
      const meets = (each: string) =>
        filter.plus ? each.startsWith(`+${filter.digits}`) : each.includes(filter.digits);
      return known === undefined || numbers.filter(meets).every((each) => known.includes(each));
    };
    fc.assert(fc.property(fc.array(number, { maxLength: 3 }), wish, holds), randomRuns(500));
  });
});
