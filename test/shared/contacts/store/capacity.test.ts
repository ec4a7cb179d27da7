import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { naiveItems } from '../../../../bench/naive.ts';
import { openStores } from '../../../../shared/app/runtime/imports.ts';
import { contactId, readContactPatch } from '../../../../shared/contacts/rules/contact.ts';
import type { Contacts } from '../../../../shared/contacts/store/contacts.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { itemSize } from '../../../support/engines/item-size.ts';
import { meter, type Usage } from '../../../support/engines/meter.ts';
import { seededPhone, seedSparsely } from '../../../support/engines/seed-contacts.ts';

const now = 1_700_000_000_000;
/** Contacts in a data source, and the most read units of a search of it. Reads are consistent. */
const sizes = [
  { count: 1_000, searchUnits: 25 },
  { count: 10_000, searchUnits: 50 },
  { count: 100_000, searchUnits: 220 },
  { count: 1_000_000, searchUnits: 1_900 },
];
const pageSizes = [
  { limit: 20, units: 10 },
  { limit: 100, units: 20 },
];
const searches = ['7', '99', '1234', seededPhone(500).slice(-8)];
const searchRows = 20;

const upTo = (length: number, from = 0) => Array.from({ length }, (_, i) => from + i);
const offsetsOf = (count: number, limit: number) => [0, count / 2 + 7, count - limit];

/** The contacts that a page of a search shows, and those between near ones that are read along. */
const foundBy = (part: string, count: number) => {
  const seqs: number[] = [];
  for (let seq = 0; seq < count && seqs.length < searchRows; seq++) {
    if (seededPhone(seq).includes(part)) seqs.push(seq);
  }
  return seqs.flatMap((seq) => upTo(8, seq)).filter((seq) => seq < count);
};

const readSeqs = (count: number) => [
  ...new Set([
    ...upTo(130),
    ...pageSizes.flatMap(({ limit }) => offsetsOf(count, limit).flatMap((at) => upTo(limit, at))),
    ...searches.flatMap((part) => foundBy(part, count)),
  ]),
];

/** One of so many is weighed for the others: their sizes differ by the digits of their numbers. */
const weighedOf = 50;

const naiveUnits = (count: number) => {
  let bytes = 0;
  let seq = 0;
  for (const item of naiveItems('0000000000000001', count))
    if (seq++ % weighedOf === 0) bytes += weighedOf * itemSize(marshall(item));
  return bytes / 4096;
};

describe('what contacts cost', () => {
  let table: OpenTable;
  let contacts: Contacts;
  let measure: ReturnType<typeof meter>['measure'];
  const idOf = (count: number) => `${count}`.padStart(16, '0');

  beforeAll(async () => {
    table = await engines[0]!.open();
    for (const { count } of sizes) await seedSparsely(table.database, idOf(count), count, readSeqs(count));
    contacts = openStores(table.database).contacts;
    ({ measure } = meter(table.client));
  });
  afterAll(() => table.close());

  const pagesAt = (count: number, limit: number): Promise<Usage[]> =>
    offsetsOf(count, limit).reduce(
      async (before, offset) => [
        ...(await before),
        await measure(async () => {
          const { total, rows } = await contacts.page(idOf(count), { offset, limit });
          expect([total, rows.length]).toEqual([count, limit]);
        }),
      ],
      Promise.resolve<Usage[]>([]),
    );
  const searchAt = (count: number, phoneNumber: string) =>
    measure(() => contacts.page(idOf(count), { offset: 0, limit: searchRows, phoneNumber }));

  describe.each(sizes)('at $count', ({ count, searchUnits }) => {
    it('lists any page within budget in three steps, the last as cheaply as the first', async () => {
      for (const { limit, units } of pageSizes) {
        const pages = await pagesAt(count, limit);
        for (const { rcu, depth, calls } of pages) {
          expect(rcu).toBeLessThanOrEqual(units);
          expect(Math.max(depth, calls)).toBeLessThanOrEqual(3);
        }
        expect(pages[2]!.rcu / pages[0]!.rcu).toBeLessThanOrEqual(1.1);
      }
    });

    it('lists any page for at most 1.5 times what it costs at 1,000', async () => {
      const [pages, small] = [await pagesAt(count, 20), await pagesAt(1_000, 20)];
      pages.forEach(({ rcu, bytes }, i) => {
        expect(rcu / small[i]!.rcu).toBeLessThanOrEqual(1.5);
        expect(bytes / small[i]!.bytes).toBeLessThanOrEqual(1.5);
      });
    });

    it('finds a whole number for the same four read units at any size', async () => {
      const phoneNumber = seededPhone(100);
      for (const part of [phoneNumber, phoneNumber.slice(1)]) {
        const { rcu, depth } = await searchAt(count, part);
        expect([rcu <= 4, depth <= 3]).toEqual([true, true]);
        const found = await contacts.page(idOf(count), { offset: 0, limit: 5, phoneNumber: part });
        expect([found.total, found.rows[0]?.phoneNumber]).toEqual([1, phoneNumber]);
      }
      expect((await searchAt(count, `${phoneNumber}0`)).rcu).toBeLessThanOrEqual(1);
    });

    it('searches within budget in three steps, reading 8 bytes a contact', async () => {
      for (const phoneNumber of searches) {
        const { rcu, depth, bytes } = await searchAt(count, phoneNumber);
        expect(depth).toBeLessThanOrEqual(3);
        expect(rcu).toBeLessThanOrEqual(searchUnits);
        expect(bytes).toBeLessThanOrEqual(8 * count + 30_000);
      }
    });

    it('adds for 9, deletes for 9, changes a phone number for 11 and edits for 2 write units', async () => {
      const id = idOf(count);
      const patched = (seq: number, patch: object) =>
        measure(() => contacts.update(id, `${id}-${seq}`, readContactPatch(patch), now));
      // The first without a plus: the directory learns of a longer number, which is one call more.
      const first = await measure(() => contacts.add(id, { phoneNumber: '555', fields: {} }, now));
      await contacts.remove(id, contactId(id, count), now);
      expect([first.wcu <= 9, first.rcu <= 5.5, first.depth <= 5]).toEqual([true, true, true]);
      const usages = {
        add: await measure(() => contacts.add(id, { phoneNumber: '+555', fields: { address: 'here' } }, now)),
        edit: await patched(5, { address: 'there' }),
        phone: await patched(6, { phoneNumber: '777' }),
        remove: await measure(() => contacts.remove(id, `${id}-7`, now)),
      };
      expect(usages.add.wcu).toBeLessThanOrEqual(9);
      expect(usages.remove.wcu).toBeLessThanOrEqual(9);
      expect(usages.phone.wcu).toBeLessThanOrEqual(11);
      expect(usages.edit.wcu).toBeLessThanOrEqual(2);
      for (const { wcu, rcu, depth } of Object.values(usages)) {
        expect(wcu).toBeGreaterThan(0);
        expect(rcu).toBeLessThanOrEqual(5.5);
        expect(depth).toBeLessThanOrEqual(4);
      }
    });
  });

  it('searches 100,000 for a fortieth of what reading them costs', async () => {
    const everything = naiveUnits(100_000);
    for (const phoneNumber of searches) {
      expect(everything / (await searchAt(100_000, phoneNumber)).rcu).toBeGreaterThanOrEqual(40);
    }
  });
});
