import { describe, expect, it } from 'vitest';
import {
  assertFilter,
  type ContactFilter,
  isSelected,
  tidyFilter,
} from '../../../../shared/contacts/rules/contact-filter.ts';

type Condition = ContactFilter[number];
const fields = Object.fromEntries([
  ['plan', 'Gold'],
  ['amount', '100.50'],
  ['joined', '2026-03-01'],
  ['blank', '  '],
  ['nothing', ''],
  ['__proto__', 'data'],
]);
const contact = { phoneNumber: '+8613800138000', fields };

describe('a condition', () => {
  it.each<[field: string, is: Condition['is'], value: Condition['value'], holds: boolean]>([
    ['plan', 'equal', 'gold', true],
    ['plan', 'equal', 'GOLD', true],
    ['plan', 'equal', 'silver', false],
    ['plan', 'notEqual', 'gold', false],
    ['plan', 'notEqual', 'silver', true],
    ['missing', 'equal', 'gold', false],
    ['missing', 'equal', '', false],
    ['missing', 'notEqual', 'gold', true],
    ['nothing', 'equal', '', true],
    ['plan', 'in', ['silver', 'gold'], true],
    ['plan', 'in', ['silver', 5], false],
    ['missing', 'in', ['silver', ''], false],
    // As numbers, not as text.
    ['amount', 'equal', 100.5, true],
    ['amount', 'equal', '100.500', true],
    ['amount', 'in', [1, 100.5], true],
    ['amount', 'atLeast', 99, true],
    ['amount', 'atLeast', '100.5', true],
    ['amount', 'atLeast', 101, false],
    ['amount', 'atMost', '1000', true],
    ['amount', 'atMost', 100, false],
    // As text, where one side is no number.
    ['joined', 'atLeast', '2026-02-28', true],
    ['joined', 'atMost', '2026-02-28', false],
    ['plan', 'atLeast', 'FOLD', true],
    ['plan', 'atMost', 5, false],
    ['missing', 'atLeast', 0, false],
    ['missing', 'atMost', 0, false],
    ['nothing', 'atMost', 5, false],
    ['missing', 'empty', undefined, true],
    ['nothing', 'empty', undefined, true],
    ['blank', 'empty', undefined, true],
    ['plan', 'empty', undefined, false],
    ['plan', 'notEmpty', undefined, true],
    ['blank', 'notEmpty', undefined, false],
    ['phoneNumber', 'equal', '+8613800138000', true],
    ['phoneNumber', 'in', ['8613800138000'], false],
    ['__proto__', 'equal', 'data', true],
    ['toString', 'notEmpty', undefined, false],
  ])('%s %s %j: %s', (field, is, value, holds) => {
    const condition = { field, is, ...(value !== undefined && { value }) } as Condition;
    expect(isSelected([condition], contact)).toBe(holds);
  });

  it('of a whole number is compared to its last digit', () => {
    const own = { phoneNumber: '123', fields: { account: '12345678901234567890' } };
    const equals = (value: string) => isSelected([{ field: 'account', is: 'equal', value }], own);
    expect(equals('0012345678901234567890')).toBe(true);
    expect(equals('12345678901234567891')).toBe(false);
    const holds = (is: 'atLeast' | 'atMost', last: number) =>
      isSelected([{ field: 'account', is, value: `1234567890123456789${last}` }], own);
    expect([holds('atLeast', 0), holds('atMost', 0), holds('atLeast', 1), holds('atMost', 1)]).toEqual([
      ...[true, true, false, true],
    ]);
  });
});

describe('a filter', () => {
  const gold: Condition = { field: 'plan', is: 'equal', value: 'gold' };

  it('selects every contact without a condition, and with several those that meet all', () => {
    expect(isSelected(undefined, contact)).toBe(true);
    expect(isSelected([], contact)).toBe(true);
    expect(isSelected([gold, { field: 'amount', is: 'atLeast', value: 100 }], contact)).toBe(true);
    expect(isSelected([gold, { field: 'amount', is: 'atLeast', value: 101 }], contact)).toBe(false);
  });

  it.each<[string, Condition]>([
    ['plan: "equal" needs a value', { field: 'plan', is: 'equal' }],
    ['plan: "equal" needs a single value', { field: 'plan', is: 'equal', value: ['gold'] }],
    ['plan: "in" needs a list of values', { field: 'plan', is: 'in', value: 'gold' }],
    ['plan: "in" needs at least one value', { field: 'plan', is: 'in', value: [] }],
    ['status: is set by the service and cannot be compared', { field: 'status', is: 'empty' }],
    ['each condition must name a field', { field: ' ', is: 'empty' }],
  ])('is refused: %s', (message, condition) => {
    expect(() => assertFilter([gold, condition])).toThrow(`contactFilter: ${message}`);
  });

  it('is stored with names as contacts have them, and without values that mean nothing', () => {
    expect(tidyFilter([{ field: ' plan ', is: 'empty', value: 'x' }, gold])).toEqual([
      { field: 'plan', is: 'empty' },
      gold,
    ]);
  });
});
