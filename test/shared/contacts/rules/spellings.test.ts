import { describe, expect, it } from 'vitest';
import { numberingIn, personNumberingIn } from '../../../../shared/contacts/phone-country.ts';

/** One number each, as E.164 and as people of the country write it. */
const numbers: Record<string, string[]> = {
  CN: [
    '+8613810000333',
    '13810000333',
    '013810000333',
    '8613810000333',
    '008613810000333',
    '+86013810000333',
  ],
  DE: ['+493012345678', '03012345678', '493012345678', '00493012345678', '+4903012345678'],
  GB: ['+442079460958', '02079460958', '2079460958', '442079460958', '00442079460958', '+4402079460958'],
  US: ['+12025550123', '2025550123', '12025550123', '01112025550123', '0012025550123'],
  RU: ['+79161234567', '89161234567', '9161234567', '79161234567', '81079161234567', '0079161234567'],
  HU: ['+36201234567', '06201234567', '201234567', '0036201234567', '+3606201234567'],
};

describe('the spellings of a number', () => {
  it.each(Object.entries(numbers))('in %s are found from each other', async (country, texts) => {
    const { spellings, spell } = await numberingIn(country)();
    const found = texts.map((text) => [...spellings(text)].sort());
    for (const [i, text] of texts.entries()) {
      expect(spell(text)).toBe(texts[0]);
      expect(found[i]).toEqual(found[0]);
      expect(found[i]).toEqual(expect.arrayContaining(texts));
    }
    for (const text of found[0]!) {
      expect(spell(text)).toBe(texts[0]);
      expect(text).toMatch(/^\+?[0-9]{3,15}$/);
    }
    expect(found[0]!.length).toBeLessThanOrEqual(16);
  });

  it('of a foreign number are the international ones', async () => {
    const { spellings } = await numberingIn('CN')();
    expect([...spellings('+442079460958')].sort()).toEqual(
      ['+4402079460958', '+442079460958', '004402079460958', '00442079460958'].sort(),
    );
  });

  it('of a number that is valid nowhere is the number itself, and so it is without a country', async () => {
    expect((await numberingIn('CN')()).spellings('110')).toEqual(['110']);
    expect((await numberingIn('')()).spellings('13810000333')).toEqual(['13810000333']);
  });

  it('of an international number are found without a country, to find its person', async () => {
    const plan = await personNumberingIn('', numberingIn(''))();
    for (const texts of Object.values(numbers)) {
      const [international = '', ...others] = texts;
      const found = plan.spellings(international);
      const abroad = ['01112025550123', '81079161234567'];
      expect(found).toEqual(expect.arrayContaining(others.filter((text) => !abroad.includes(text))));
      expect([...plan.spellings(`00${international.slice(1)}`)].sort()).toEqual([...found].sort());
      expect(found.length).toBeLessThanOrEqual(12);
      for (const text of found) expect(text).toMatch(/^\+?[0-9]{3,15}$/);
    }
    expect(plan.spellings('13810000333')).toEqual(['13810000333']);
    expect(plan.spellings('+110')).toEqual(['+110']);
  });

  it('are only those that are possible', async () => {
    const isE164 = (text: string) => text.startsWith('+') && text.length <= 14;
    for (const country of ['CN', ''])
      expect((await numberingIn(country)()).spellings('+8613810000333', isE164)).toEqual(['+8613810000333']);
    expect((await numberingIn('')()).spellings('13810000333', isE164)).toEqual([]);
  });
});
