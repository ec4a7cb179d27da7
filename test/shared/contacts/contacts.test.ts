import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { Contacts } from '../../../shared/contacts/contacts.ts';
import {
  contactId,
  type NewContact,
  readContactPatch,
  readNamedContacts,
} from '../../../shared/contacts/rules/contact.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys, seqsPerPage } from '../../../shared/platform/table/keys.ts';
import { packBytes } from '../../../shared/platform/table/packed-bytes.ts';
import { engines } from '../../support/engines/engines.ts';
import {
  contactAndGuard,
  seedContacts,
  seedEmptyDataSource,
  seededPhone,
} from '../../support/engines/seed-contacts.ts';

const now = 1_700_000_000_000;
const aNewContact = (phoneNumber: string, fields: Record<string, string> = {}): NewContact => ({
  phoneNumber,
  fields,
});
const numbered = (i: number) => aNewContact(String(1_000_000 + i));
const allOf = async <T>(chunks: AsyncIterable<T[]>): Promise<T[]> => {
  const all: T[] = [];
  for await (const chunk of chunks) all.push(...chunk);
  return all;
};
describe.each(engines)('contacts on $name', ({ open }) => {
  let database: Database;
  let close: () => Promise<unknown>;
  let contacts: Contacts;
  let sources = 0;

  beforeAll(async () => {
    ({ database, close } = await open());
    contacts = openStores(database).contacts;
  });
  afterAll(() => close());

  const aDataSource = async (next = 0): Promise<string> => {
    const id = `${sources++}`.padStart(16, '0');
    await seedEmptyDataSource(database, id, next);
    return id;
  };
  const aFilledDataSource = async (count: number, next = 0) => {
    const id = await aDataSource(next);
    const added = await Promise.all(
      Array.from({ length: count }, (_, i) => contacts.add(id, numbered(i), now)),
    );
    return { id, added };
  };
  const removed = async (id: string, names: Parameters<typeof readNamedContacts>[1]) => {
    const named = readNamedContacts(id, names, (number) => number);
    const { deleteCount, notFound } = await contacts.removeAll(id, named, now);
    return [deleteCount, ...notFound];
  };
  const pageOf = async (id: string, offset: number, limit: number, phoneNumber?: string) => {
    const { total, rows } = await contacts.page(id, { offset, limit, phoneNumber });
    return { total, phones: rows.map((row) => row.phoneNumber) };
  };

  it('keeps status and call count through an edit', async () => {
    const { id, added } = await aFilledDataSource(1);
    await database.update(keys.contact(id, 0), {
      UpdateExpression: 'SET #status = :status, callCount = :calls',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': 3, ':calls': 2 },
    });
    for (const change of [{ a: 'x' }, { phoneNumber: '777' }]) {
      const updated = await contacts.update(id, added[0]!.id, readContactPatch(change), now);
      expect(updated).toMatchObject({ status: 3, callCount: 2 });
    }
  });

  it('pages across blocks, chunks and directory pages', async () => {
    // A search reads the first ten directory pages at first.
    for (const next of [125, 1021, seqsPerPage - 3, 11 * seqsPerPage - 3]) {
      const { id } = await aFilledDataSource(6, next);
      const phones = Array.from({ length: 6 }, (_, i) => numbered(i).phoneNumber);
      for (let offset = 0; offset <= 6; offset++) {
        expect(await pageOf(id, offset, 4)).toEqual({ total: 6, phones: phones.slice(offset, offset + 4) });
        const found = await pageOf(id, offset, 4, '100000');
        expect(found).toEqual({ total: 6, phones: phones.slice(offset, offset + 4) });
      }
      for (const phone of phones)
        expect(await pageOf(id, 0, 4, phone)).toEqual({ total: 1, phones: [phone] });
      const scanned = (await allOf(contacts.scan(id))).map((each) => each.phoneNumber);
      expect(scanned).toEqual(phones);
      const some = await contacts.among(
        id,
        [1, 2, 3, 4].map((i) => next + i),
      );
      expect(some.map((each) => each.phoneNumber)).toEqual(phones.slice(1, 5));
      expect(await contacts.count(id)).toBe(6);
    }
  });

  it('pages as a list does, through full blocks and blocks with gaps', async () => {
    const id = await aDataSource();
    await seedContacts(database, id, 300);
    const seqs = Array.from({ length: 300 }, (_, seq) => seq);
    const gaps = seqs.filter((seq) => seq >= 128 && seq % 7 < 2);
    await removed(id, { contactIds: gaps.map((seq) => contactId(id, seq)) });
    const phones = seqs.filter((seq) => !gaps.includes(seq)).map(seededPhone);
    for (const offset of [0, 1, 60, 127, 128, 129, 150, 220, 245, phones.length - 2, phones.length])
      for (const limit of [1, 3, 70, 100])
        expect(await pageOf(id, offset, limit)).toEqual({
          total: phones.length,
          phones: phones.slice(offset, offset + limit),
        });
  });

  it.each([1, 5, 9])('gives the contacts of many sequence numbers, %i apart', async (step) => {
    const id = await aDataSource();
    const seqs = Array.from({ length: 250 }, (_, i) => i * step);
    await database.putAll(seqs.map((seq) => contactAndGuard(id, seq)[0]));
    const found = await contacts.among(id, [...seqs, 250 * step]);
    expect(found.map(({ seq }) => seq)).toEqual(seqs);
  });

  it('shows nothing of blocks that the directory does not count', async () => {
    const { id, added } = await aFilledDataSource(2, 127);
    const page = await database.get(keys.directoryPage(id, 0));
    await database.put({ ...page!, bytes: packBytes(Uint8Array.of(1, 0)) });
    expect(await pageOf(id, 0, 9)).toEqual({ total: 1, phones: ['1000000'] });
    expect(await pageOf(id, 0, 9, '1')).toEqual({ total: 1, phones: ['1000000'] });
    expect(await allOf(contacts.scan(id))).toHaveLength(1);
    expect(await contacts.find(id, added[1]!.id)).toBeUndefined();
    await expect(contacts.remove(id, added[1]!.id, now)).rejects.toMatchObject({ code: 'notFound' });
  });

  it('says that there are no more contacts only where it has looked for new ones', async () => {
    const { id, added } = await aFilledDataSource(2);
    const isLast = async (visibleTo?: number) => (await contacts.visibleFrom(id, 0, 9, visibleTo)).isLast;
    expect([await isLast(), await isLast(2)]).toEqual([true, false]);
    for (const each of added) await contacts.remove(id, each.id, now);
    expect([await isLast(), await isLast(2)]).toEqual([true, false]);
  });

  it('finds a number where older data does not say how long its numbers are', async () => {
    const { id } = await aFilledDataSource(2);
    await database.update(keys.directoryPage(id, 0), { UpdateExpression: 'REMOVE longest' });
    expect(await pageOf(id, 0, 9, '1000001')).toEqual({ total: 1, phones: ['1000001'] });
  });

  it('allows a thousand custom field names and no more', async () => {
    const id = await aDataSource();
    const names = Array.from({ length: 999 }, (_, i) => `name${i}`);
    await database.put({ ...keys.fieldNames(id), names: new Set(names) });
    await contacts.add(id, aNewContact('100', { last: 'x' }), now);
    const refused = { code: 'invalid', errors: [{ field: 'more', code: 'TOO_MANY' }] };
    await expect(contacts.add(id, aNewContact('200', { more: 'x' }), now)).rejects.toMatchObject(refused);
    await contacts.add(id, aNewContact('200', { last: 'y', name5: 'z' }), now);
    expect(await contacts.count(id)).toBe(2);
  });
});
