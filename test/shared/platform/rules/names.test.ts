import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzyFilter, matchesFuzzily, normaliseName } from '../../../../shared/platform/rules/names.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const name = (raw: string) => normaliseName('taskName', raw);

describe('a name', () => {
  it('is normalised once and for all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (raw) => {
        fc.pre(raw.trim() !== '');
        const once = name(raw);
        expect(name(once)).toBe(once);
        expect(name(` ${raw.normalize('NFD')} `)).toBe(once);
        expect(once.trim()).toBe(once);
      }),
      randomRuns(100),
    );
  });
});

describe('a fuzzy filter', () => {
  it('finds every part of a name in any case', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), fc.nat(15), fc.nat(15), (raw, from, length) => {
        const part = raw.slice(from, from + length);
        expect(matchesFuzzily(raw, fuzzyFilter(part.toUpperCase()))).toBe(true);
      }),
      randomRuns(100),
    );
    expect(matchesFuzzily('Caf\u00e9', fuzzyFilter('CAFE\u0301'))).toBe(true);
    expect(matchesFuzzily('ΚΑΣΑ', fuzzyFilter('κας'))).toBe(true);
    expect(matchesFuzzily('οδός 7', fuzzyFilter('ΟΔΌΣ'))).toBe(true);
    expect(matchesFuzzily('Große Straße', fuzzyFilter('GROSSE'))).toBe(true);
    expect(matchesFuzzily('June', fuzzyFilter('july'))).toBe(false);
  });
});
