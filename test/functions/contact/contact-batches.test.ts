import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import type { Row } from '../../support/service/answers.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

describe.each(engines)('batches of contacts on $name', (engine) => {
  const api = useApi({ engine });
  const pathOf = (id: string) => `/api/dataSource/${id}/contact`;
  const add = (id: string, contacts: readonly unknown[], more: object = {}) =>
    api.post(`${pathOf(id)}/batchAdd`, { contacts, ...more });
  const named = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }));
  const remove = (id: string, body: object) => api.post(`${pathOf(id)}/batchDelete`, body);
  const rowsOf = async (id: string): Promise<Row[]> =>
    succeeded(await api.get(`${pathOf(id)}s`, { pageSize: 500 })).rows;
  const phonesOf = async (id: string) => (await rowsOf(id)).map(({ phoneNumber }) => phoneNumber);
  const listedImports = async (id: string) => succeeded(await api.get(`${pathOf(id)}/imports`));

  it('add contacts in their order, and answer for each that was not added', async () => {
    const { id } = await api.aDataSource();
    await api.aContact(id, { phoneNumber: '100' });
    const answer = await add(id, [
      { phoneNumber: '101', customerName: 'Li Wei', plan: 3, isVip: true, note: null },
      { customerName: 'nobody' },
      { phoneNumber: '12' },
      { phoneNumber: '1-0-1' },
      { phoneNumber: '100' },
      { phoneNumber: '102', plan: { nested: true } },
      { phoneNumber: '103', id: 'ignored', status: 4 },
      { phoneNumber: null },
      { phoneNumber: 13800138000 },
      { phoneNumber: 1.5 },
    ]);
    expect(succeeded(answer)).toEqual({
      importCount: 10,
      successCount: 3,
      failCount: 7,
      details: [
        { row: 2, phoneNumber: '', code: 'MISSING_PHONE', message: expect.any(String) },
        { row: 3, phoneNumber: '12', code: 'INVALID_PHONE', message: expect.any(String) },
        { row: 4, phoneNumber: '101', code: 'DUPLICATE_IN_FILE', message: expect.any(String), firstRow: 1 },
        { row: 5, phoneNumber: '100', code: 'DUPLICATE', message: expect.any(String) },
        { row: 6, phoneNumber: '102', code: 'INVALID_FIELD', message: expect.stringMatching(/^plan: /) },
        { row: 8, phoneNumber: '', code: 'MISSING_PHONE', message: expect.any(String) },
        { row: 10, phoneNumber: '1.5', code: 'INVALID_PHONE', message: expect.any(String) },
      ],
    });
    expect(await rowsOf(id)).toMatchObject([
      { phoneNumber: '100' },
      { phoneNumber: '101', customerName: 'Li Wei', plan: '3', isVip: 'true', status: 0 },
      { phoneNumber: '103', status: 0 },
      { phoneNumber: '13800138000' },
    ]);
    expect(answer.headers.get('x-import-id')).toBe((await listedImports(id)).rows[0]?.importId);
  });

  it('are in the list of imports, with their rejected rows as a file', async () => {
    const { id } = await api.aDataSource();
    succeeded(
      await add(id, [
        { phoneNumber: '101', plan: 'gold' },
        { phoneNumber: 'x', city: 'Wuhan', plan: 3 },
      ]),
    );
    const { total, rows } = await listedImports(id);
    expect(total).toBe(1);
    const counts = { importCount: 2, successCount: 1, failCount: 1 };
    expect(rows).toMatchObject([{ fileName: 'batchAdd', status: 'DONE', ...counts }]);
    const found = succeeded(await api.get(`${pathOf(id)}/import/${rows[0]?.importId}`));
    expect(found).toMatchObject({ status: 'DONE', ...counts, details: [{ row: 2 }] });
    const file = await api.file(`${pathOf(id)}/import/${rows[0]?.importId}/rejected`, { format: 'csv' });
    expect((await file.text()).split('\r\n').slice(0, 2)).toEqual([
      'phoneNumber,plan,city,importError',
      expect.stringMatching(/^x,3,Wuhan,phoneNumber: /),
    ]);
  });

  it('take 5,000 contacts at once, and no more', async () => {
    const { id } = await api.aDataSource();
    const contacts = Array.from({ length: 5001 }, (_, at) => ({
      phoneNumber: `138${String(at).padStart(8, '0')}`,
      address: 'x'.repeat(200),
    }));
    expectError(await add(id, contacts), 400, /^contacts: must have at most 5000 entries/);
    expectError(await add(id, []), 400, /^contacts: must have at least 1 entry/);
    if (engine !== engines[0]) return;
    expect(succeeded(await add(id, contacts.slice(1)))).toMatchObject({ successCount: 5000 });
    expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(5000);
  });

  it('refuse what is no list of contacts', async () => {
    const { id } = await api.aDataSource();
    expectError(await api.post(`${pathOf(id)}/batchAdd`, {}), 400, /^contacts: is required/);
    expectError(await add(id, ['100']), 400, /^contacts\.0: must be an object/);
    expectError(await add(id, [{ phoneNumber: '100' }], { onDuplicate: 'merge' }), 400, /^onDuplicate: /);
    expectError(await add('nothing', [{ phoneNumber: '100' }]), 404, /data source does not exist/);
    expectError(await add(id, [{ phoneNumber: '100', address: 'x'.repeat(11_000_000) }]), 413, /10240 KB/);
  });

  it('delete contacts by their ids or by their numbers, and name the others', async () => {
    const { id } = await api.aDataSource();
    succeeded(await add(id, named(['100', '101', '102', '+103'])));
    const [first, , third] = await rowsOf(id);
    const other = await api.aContact((await api.aDataSource()).id);
    const contactIds = [first?.id, third?.id, first?.id, other.id, 'nothing'];
    expect(succeeded(await remove(id, { contactIds }))).toEqual({
      deleteCount: 2,
      notFound: [other.id, 'nothing'],
    });
    expect(await phonesOf(id)).toEqual(['101', '+103']);
    const phoneNumbers = ['+10-3', '102', 'x'];
    expect(succeeded(await remove(id, { phoneNumbers }))).toEqual({ deleteCount: 1, notFound: ['102', 'x'] });
    expect(await phonesOf(id)).toEqual(['101']);
    expect(succeeded(await api.get(`/api/dataSource/detail/${id}`)).contactCount).toBe(1);
    expectError(await remove(id, {}), 400, /^contactIds: or phoneNumbers is required/);
    expectError(
      await remove(id, { contactIds: ['a'], phoneNumbers: ['1'] }),
      400,
      /together with contactIds/,
    );
    const many = Array.from({ length: 1001 }, (_, at) => `${id}-${at}`);
    expectError(await remove(id, { contactIds: many }), 400, /^contactIds: must have at most 1000 entries/);
    expectError(await remove('nothing', { contactIds: ['a'] }), 404, /data source does not exist/);
  });

  it('delete many contacts, free their numbers and keep the others in order', async () => {
    const { id } = await api.aDataSource();
    const phones = Array.from({ length: 300 }, (_, at) => `139${String(at).padStart(8, '0')}`);
    succeeded(await add(id, named(phones)));
    const gone = phones.filter((_, at) => at % 3 === 0);
    expect(succeeded(await remove(id, { phoneNumbers: gone }))).toEqual({ deleteCount: 100, notFound: [] });
    const left = phones.filter((_, at) => at % 3 !== 0);
    expect(await phonesOf(id)).toEqual(left);
    const again = succeeded(await add(id, named(phones)));
    expect(again).toMatchObject({ successCount: 100, failCount: 200 });
    expect(await phonesOf(id)).toEqual([...left, ...gone]);
  });

  it('delete all contacts of a request that is sent again', async () => {
    const { id } = await api.aDataSource();
    // More than one transaction deletes.
    const phoneNumbers = Array.from({ length: 60 }, (_, at) => String(1000 + at));
    succeeded(await add(id, named(phoneNumbers)));
    const body = JSON.stringify({ phoneNumbers });
    const headers = { 'idempotency-key': 'all-sixty' };
    const removeAll = () => api.send({ method: 'POST', path: `${pathOf(id)}/batchDelete`, headers, body });
    for (const answer of [await removeAll(), await removeAll()])
      expect(succeeded(answer)).toEqual({ deleteCount: 60, notFound: [] });
    expect(await rowsOf(id)).toEqual([]);
  });

  it('race without losing or doubling a contact', async () => {
    const { id } = await api.aDataSource();
    const phones = Array.from({ length: 60 }, (_, at) => String(1000 + at));
    const contacts = named(phones);
    const reports = await Promise.all([add(id, contacts), add(id, contacts), add(id, contacts)]);
    const added = reports.map((answer) => Number(succeeded(answer).successCount));
    expect(added.reduce((sum, each) => sum + each, 0)).toBe(60);
    const answers = await Promise.all([1, 2, 3].map(() => remove(id, { phoneNumbers: phones })));
    const deleted = answers.map((answer) => succeeded(answer) as unknown as { deleteCount: number });
    expect(deleted.reduce((sum, { deleteCount }) => sum + deleteCount, 0)).toBe(60);
    expect(await rowsOf(id)).toEqual([]);
  });
});
