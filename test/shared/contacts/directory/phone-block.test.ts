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
} from '../../../../shared/contacts/directory/phone-block.ts';
import { readPhoneFilter } from '../../../../shared/contacts/rules/phone-number.ts';
import { randomRuns } from '../../../support/run/extent.ts';

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

  it('fits one write unit with its keys when full, however far apart its phone numbers are', () => {
    const full = blockOfPhones(
      Array.from({ length: slots }, (_, slot) => (slot % 2 === 0 ? '000' : '+999999999999999')),
    );
    expect(full.length).toBe(8 + 7 * slots);
    expect(phonesOf(full).slice(126)).toEqual(['000', '+999999999999999']);
  });

  it('takes 5 bytes a phone number of one country', () => {
    const phones = Array.from({ length: slots }, (_, slot) => `+861${3_000_000_000 + slot * 55_000_001}`);
    expect(blockOfPhones(phones).length).toBe(8 + 5 * slots);
  });

  it('lists the slots that hold a contact', () => {
    expect(liveSlots(blockOfPhones([undefined, '100', undefined, '000', undefined]))).toEqual([1, 3]);
    expect(liveSlots(emptyBlock)).toEqual([]);
  });

  it('finds what a plain substring search finds', () => {
    fc.assert(
      fc.property(aBlock, fc.constantFrom('', '+'), digits(0, 16), (phones, plus, wanted) => {
        fc.pre(plus + wanted !== '');
        const expected = phones.flatMap((phone, slot) => (phone?.includes(plus + wanted) ? [slot] : []));
        expect(matchingSlots(blockOfPhones(phones), { plus: plus === '+', digits: wanted })).toEqual(
          expected,
        );
      }),
      randomRuns(2000),
    );
  });

  it('finds the parts of its own phone numbers', () => {
    fc.assert(
      fc.property(aPhone, fc.nat(15), fc.integer({ min: 1, max: 16 }), (phone, from, length) => {
        const part = phone.slice(from, from + length);
        fc.pre(part !== '');
        const filter = readPhoneFilter(part);
        expect(filter).not.toBe('none');
        expect(matchingSlots(blockOfPhones([undefined, phone]), filter as never)).toEqual([1]);
      }),
      randomRuns(2000),
    );
  });
});
