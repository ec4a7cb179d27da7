import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blockOfPhones,
  emptyBlock,
  liveSlots,
  matchingSlots,
  phonesOf,
  withoutPhone,
  withPhone,
} from '../../../shared/contacts/phone-block.ts';
import { readPhoneFilter } from '../../../shared/contacts/rules/phone-number.ts';
import { randomRuns } from '../../support/run/extent.ts';

const slots = 128;
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const aPhone = fc.tuple(fc.constantFrom('', '+'), digits(3, 15)).map(([plus, number]) => `${plus}${number}`);
const aBlock = fc.array(fc.option(aPhone, { nil: undefined }), { maxLength: slots });

describe('phone block', () => {
  it('gives every phone number back as it was, leading zeros and plus included', () => {
    fc.assert(
      fc.property(aBlock, (phones) => {
        const block = blockOfPhones(phones);
        expect(phones.map((_, slot) => phonesOf(block)[slot])).toEqual(phones);
      }),
      randomRuns(100),
    );
  });

  it('takes another byte a slot where the last number no longer fits', () => {
    // The second number is packed as 254 or 255 more than the first.
    for (const [phones, width] of [
      [['1000', '1127'], 1],
      [['1000', '+1127'], 2],
    ] as const) {
      const block = blockOfPhones(phones);
      expect([phonesOf(block), block.length]).toEqual([phones, 8 + 2 * width]);
    }
  });

  it('is the same however it was filled', () => {
    fc.assert(
      fc.property(aBlock, (phones) => {
        let block = emptyBlock;
        phones.forEach((phone, slot) => {
          block = withPhone(block, slot, phone ?? '123');
          if (phone === undefined) block = withoutPhone(block, slot);
        });
        expect(block).toEqual(blockOfPhones(phones));
      }),
      randomRuns(100),
    );
  });

  it.each([
    [
      'far apart, and fits one write unit with its keys',
      7,
      (slot: number) => (slot % 2 ? '+999999999999999' : '000'),
    ],
    ['of one country', 5, (slot: number) => `+861${3_000_000_000 + slot * 55_000_001}`],
  ])('takes for each number that is %s: %i bytes', (_, width, phoneAt) => {
    const phones = Array.from({ length: slots }, (_, slot) => phoneAt(slot));
    const full = blockOfPhones(phones);
    expect([full.length, phonesOf(full)]).toEqual([8 + width * slots, phones]);
  });

  it('lists the slots that hold a contact', () => {
    expect(liveSlots(blockOfPhones([undefined, '100', undefined, '000', undefined]))).toEqual([1, 3]);
    expect(liveSlots(emptyBlock)).toEqual([]);
  });

  it('finds what a plain substring search finds', () => {
    const some = fc.array(fc.option(aPhone, { nil: undefined }), { minLength: 1, maxLength: slots });
    const part = fc.record({ of: fc.nat(), from: fc.nat(15), length: fc.integer({ min: 1, max: 16 }) });
    const wanted = fc.tuple(fc.constantFrom('', '+'), digits(0, 16)).map((texts) => texts.join(''));
    fc.assert(
      fc.property(some, fc.oneof(wanted, part), (phones, given) => {
        const own = typeof given === 'string' ? '' : (phones[given.of % phones.length] ?? '');
        const text = typeof given === 'string' ? given : own.slice(given.from, given.from + given.length);
        fc.pre(text !== '');
        const expected = phones.flatMap((phone, slot) => (phone?.includes(text) ? [slot] : []));
        expect(matchingSlots(blockOfPhones(phones), readPhoneFilter(text) as never)).toEqual(expected);
      }),
      randomRuns(3000),
    );
  });
});
