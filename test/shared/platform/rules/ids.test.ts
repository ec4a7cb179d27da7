import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contactId, parseContactId } from '../../../../shared/contacts/rules/contact.ts';
import { idFrom, isId } from '../../../../shared/platform/rules/names.ts';
import { randomRuns } from '../../../support/run/extent.ts';

describe('ids', () => {
  it('are URL-safe and recognised as such', () => {
    for (let i = 0; i < 200; i++) {
      const id = idFrom(randomBytes(16));
      expect(encodeURIComponent(id)).toBe(id);
      expect(isId(id)).toBe(true);
    }
  });

  it('use all of the randomness they are given', () => {
    const zeros = new Uint8Array(16);
    const ids = zeros
      .map((_, i) => i)
      .reduce((seen, i) => seen.add(idFrom(zeros.with(i, 1))), new Set<string>());
    expect(ids.size).toBe(16);
    const letters = new Set(Array.from({ length: 256 }, (_, byte) => idFrom(zeros.with(0, byte))[0]));
    expect(letters.size).toBe(32);
  });

  it('are nothing else', () => {
    for (const text of [
      '',
      'x',
      '0'.repeat(15),
      '0'.repeat(17),
      `${'0'.repeat(16)}\n`,
      'ILOU'.repeat(4),
      'l'.repeat(16),
    ]) {
      expect(isId(text), text).toBe(false);
    }
  });
});

describe('contact ids', () => {
  const source = '0123456789abcdef';

  it('give back their sequence number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), (seq) => {
        expect(parseContactId(source, contactId(source, seq))).toBe(seq);
      }),
      randomRuns(100),
    );
  });

  it('have one spelling each', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), (suffix) => {
        const seq = parseContactId(source, `${source}-${suffix}`);
        if (seq !== undefined) expect(contactId(source, seq)).toBe(`${source}-${suffix}`);
      }),
      randomRuns(100),
    );
    for (const suffix of ['', '00', '01', 'A', '+1', '-1', ' 1', '1.0', 'gjdgxs', 'gjdgxs1']) {
      expect(parseContactId(source, `${source}-${suffix}`), suffix).toBeUndefined();
    }
  });

  it('mean nothing to another data source', () => {
    expect(parseContactId('fedcba9876543210', contactId(source, 5))).toBeUndefined();
    expect(parseContactId('', contactId(source, 5))).toBeUndefined();
  });
});
