import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContactPatch } from '../../shared/domain/contact.ts';
import { Contacts } from '../../shared/store/contacts/contacts.ts';
import type { Database } from '../../shared/store/database.ts';
import { engines } from '../support/engines.ts';
import { meter } from '../support/meter.ts';
import { seedContacts, seededPhone } from '../support/seed-contacts.ts';

/** Contacts in a data source, and the most read units of a search of it, reads being consistent. */
const sizes = [
  { count: 1_000, searchUnits: 10 },
  { count: 10_000, searchUnits: 30 },
  { count: 100_000, searchUnits: 220 },
];
const now = 1_700_000_000_000;
const engine = engines[0]!;

describe.each(sizes)('what contacts cost at $count', ({ count, searchUnits }) => {
  const id = `${count}`.padStart(16, '0');
  let database: Database;
  let close: () => Promise<unknown>;
  let contacts: Contacts;
  let measure: ReturnType<typeof meter>['measure'];

  beforeAll(async () => {
    const opened = await engine.open();
    ({ database, close } = opened);
    await seedContacts(database, id, count, 10);
    contacts = new Contacts(database);
    ({ measure } = meter(opened.client));
  }, 300_000);
  afterAll(() => close());

  it('lists any page in three steps, the last as cheaply as the first', async () => {
    for (const [limit, units] of [
      [20, 10],
      [100, 20],
    ] as const) {
      const first = await measure(() => contacts.page(id, { offset: 0, limit }));
      const middle = await measure(() => contacts.page(id, { offset: count / 2 + 7, limit }));
      const last = await measure(() => contacts.page(id, { offset: count - limit, limit }));
      for (const usage of [first, middle, last]) {
        expect(usage.rcu).toBeLessThanOrEqual(units);
        expect(usage.depth).toBeLessThanOrEqual(3);
      }
      expect(last.rcu / first.rcu).toBeLessThanOrEqual(1.5);
    }
  });

  it('searches in three steps', async () => {
    for (const phoneNumber of ['7', '99', seededPhone(count - 1)]) {
      const usage = await measure(() => contacts.page(id, { offset: 0, limit: 20, phoneNumber }));
      expect(usage.depth).toBeLessThanOrEqual(3);
      expect(usage.rcu).toBeLessThanOrEqual(searchUnits + 20);
    }
  });

  it('adds for 9, deletes for 9, changes a phone number for 11 and edits for 2 write units', async () => {
    const usages = {
      add: await measure(() => contacts.add(id, { phoneNumber: '555', fields: { address: 'here' } }, now)),
      edit: await measure(() => contacts.update(id, `${id}-5`, readContactPatch({ address: 'there' }), now)),
      phone: await measure(() =>
        contacts.update(id, `${id}-6`, readContactPatch({ phoneNumber: '777' }), now),
      ),
      remove: await measure(() => contacts.remove(id, `${id}-7`)),
    };
    expect(usages.add.wcu).toBeLessThanOrEqual(9);
    expect(usages.remove.wcu).toBeLessThanOrEqual(9);
    expect(usages.phone.wcu).toBeLessThanOrEqual(11);
    expect(usages.edit.wcu).toBeLessThanOrEqual(2);
    expect(Math.min(...Object.values(usages).map(({ wcu }) => wcu))).toBeGreaterThan(0);
  });
});
