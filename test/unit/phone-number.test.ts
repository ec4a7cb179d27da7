import { describe, expect, it } from 'vitest';
import { normalisePhone, readPhone, readPhoneFilter } from '../../shared/domain/phone-number.ts';

describe('phone number', () => {
  it.each([
    ['13800138000', '13800138000'],
    ['+86 (138) 0013-8000', '+8613800138000'],
    [' 1.2.3 ', '123'],
    ['(+1) 234', '+1234'],
    ['123456789012345', '123456789012345'],
    ['000', '000'],
  ])('%j is kept as %j', (text, normal) => expect(normalisePhone(text)).toBe(normal));

  it.each(['', '12', '1234567890123456', '+', '++123', '12+3', '123a', '１２３４', '12\t34', '12\u00a034'])(
    '%j is none',
    (text) => expect(normalisePhone(text)).toBeUndefined(),
  );

  it('is taken from a whole number too', () => expect(readPhone(13800138000)).toBe('13800138000'));

  it.each([undefined, null, true, 12.5, 1.5e300, {}, ['123'], 'abc'])('%j is refused', (value) =>
    expect(() => readPhone(value)).toThrow(/^phoneNumber: /),
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
    expect(readPhoneFilter(' 138-00 ')).toEqual({ plus: false, digits: '13800' });
    expect(readPhoneFilter('+86')).toEqual({ plus: true, digits: '86' });
    expect(readPhoneFilter('+')).toEqual({ plus: true, digits: '' });
  });
});
