import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '../../../../shared/domain/contacts/contact.ts';
import type { Contacts } from '../../../../shared/store/contacts/index.ts';
import { openStores } from '../../../../shared/store/stores.ts';
import type { Database } from '../../../../shared/store/table/index.ts';
import { engines } from '../../../support/engines/engines.ts';
import { grudging } from '../../../support/engines/grudging.ts';
import { seedEmptyDataSource } from '../../../support/engines/seed-contacts.ts';
import { randomRuns, soakTimeoutMs } from '../../../support/run/soak.ts';

/** Few phone numbers and names, so that random steps collide often. */
const phone = fc.constantFrom('100', '+100', '1001', '2100', '0100', '+86100', '999', '19991');
const value = fc.option(fc.constantFrom<string>('', 'x', '中'), { nil: null });
const changes = fc.dictionary(fc.constantFrom('customerName', '__proto__', 'constructor', 'a'), value);
const text = fc.constantFrom('', ' ', '100', '+', '+1', '1-0', '99', 'a', '-', '0100');
const nth = fc.nat(9);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add' as const), phone, changes }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      nth,
      phone: fc.option(phone, { nil: undefined }),
      changes,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), nth }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      offset: fc.nat(6),
      limit: fc.integer({ min: 1, max: 5 }),
      text,
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** First numbers just before the ends of a block, a chunk and a directory page. */
const firstSeq = fc.constantFrom(0, 124, 1022, 128 * 800 - 2);

/** What the store must do, in the plainest form. */
class Model {
  readonly rows = new Map<string, { phone: string; fields: Map<string, string> }>();

  has = (phone: string, except?: string) =>
    [...this.rows].some(([id, row]) => id !== except && row.phone === phone);

  matching = (text: string) => {
    const filter = text.trim().replace(/[ \-.()]/g, '');
    const rows = [...this.rows];
    if (text.trim() === '') return rows;
    return /^\+?\d*$/.test(filter) && filter !== ''
      ? rows.filter(([, row]) => row.phone.includes(filter))
      : [];
  };
}

const sortedFields = (fields: Iterable<[string, string]>) => [...fields].sort();
const shapeOf = ({ id, phoneNumber, fields }: Contact) => [
  id,
  phoneNumber,
  sortedFields(Object.entries(fields)),
];
const codeOf = (job: Promise<unknown>) =>
  job.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

const take = async (contacts: Contacts, id: string, model: Model, each: Step): Promise<void> => {
  if (each.do === 'add') {
    const fields = new Map(
      Object.entries(each.changes).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const job = contacts.add(id, { phoneNumber: each.phone, fields: Object.fromEntries(fields) }, 1);
    expect(await codeOf(job)).toBe(model.has(each.phone) ? 'conflict' : 'done');
    if (!model.has(each.phone)) model.rows.set((await job).id, { phone: each.phone, fields });
    return;
  }
  if (each.do === 'list') {
    const page = await contacts.page(id, { offset: each.offset, limit: each.limit, phoneNumber: each.text });
    const matching = model.matching(each.text);
    expect({ total: page.total, rows: page.rows.map(shapeOf) }).toEqual({
      total: matching.length,
      rows: matching
        .slice(each.offset, each.offset + each.limit)
        .map(([contactId, row]) => [contactId, row.phone, sortedFields(row.fields)]),
    });
    return;
  }
  const [contactId, row] = [...model.rows][each.nth] ?? [`${id}-zz`];
  if (each.do === 'remove') {
    expect(await codeOf(contacts.remove(id, contactId, Date.now()))).toBe(row ? 'done' : 'notFound');
    model.rows.delete(contactId);
    return;
  }
  const changed = new Map(Object.entries(each.changes));
  const patch = { ...(each.phone === undefined ? {} : { phoneNumber: each.phone }), changes: changed };
  const taken = each.phone !== undefined && model.has(each.phone, contactId);
  const outcome = await codeOf(contacts.update(id, contactId, patch, 2));
  expect(outcome).toBe(row === undefined ? 'notFound' : taken ? 'conflict' : 'done');
  if (row === undefined || taken) return;
  row.phone = each.phone ?? row.phone;
  for (const [name, value] of changed) value === null ? row.fields.delete(name) : row.fields.set(name, value);
};

describe.each(engines)('contacts against a plain model on $name', ({ open, sized }) => {
  let database: Database;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ database, close } = await grudging({ open }).open());
  });
  afterAll(() => close());

  it('never differ', { timeout: soakTimeoutMs }, async () => {
    let sources = 0;
    await fc.assert(
      fc.asyncProperty(firstSeq, fc.array(step, { minLength: 5, maxLength: 14 }), async (next, steps) => {
        const id = `${sources++}`.padStart(16, '0');
        await seedEmptyDataSource(database, id, next);
        const contacts = openStores(database).contacts;
        const model = new Model();
        for (const each of steps) await take(contacts, id, model, each);
        expect(await contacts.count(id)).toBe(model.rows.size);
      }),
      randomRuns(sized(100, 12)),
    );
  });
});
