import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const manyFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`field ${i}`, 'x']));

describe.each(engines)('custom fields on $name', (engine) => {
  const api = useApi({ engine });
  const add = (id: string, body: object) => api.post(`/api/dataSource/${id}/contact/add`, body);
  const update = (id: string, body: object) => api.post(`/api/dataSource/${id}/contact/update`, body);
  const onlyRow = async (id: string) =>
    succeeded(await api.get(`/api/dataSource/${id}/contacts`)).rows[0] ?? { id: '' };

  it('are text: numbers and booleans become theirs, null is none', async () => {
    const { id } = await api.aDataSource();
    const fields = { orderAmount: 128.5, big: 1e21, vip: true, old: false, none: null, text: ' as is ' };
    const added = succeeded(await add(id, { phoneNumber: '123', ...fields }));
    const kept = { orderAmount: '128.5', big: '1e+21', vip: 'true', old: 'false', text: ' as is ' };
    expect(added).toMatchObject(kept);
    expect(added).not.toHaveProperty('none');
    expect(await onlyRow(id)).toMatchObject(kept);
  });

  it('hold no lists and no objects', async () => {
    const { id } = await api.aDataSource();
    const { id: contactId } = await api.aContact(id);
    for (const value of [['x'], { a: 'b' }]) {
      for (const name of ['customerName', 'plan', '__proto__']) {
        const body = JSON.parse(`{"phoneNumber":"123","${name}":${JSON.stringify(value)}}`);
        expectError(await add(id, body), 400, new RegExp(`^${name}: `));
      }
      expectError(await update(id, { contactId, plan: value }), 400, /^plan: /);
    }
  });

  it('never overwrite what the service sets', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const reserved = {
      ...{ id: 'mine', contactId: 'mine', dataSourceId: 'mine', status: 4 },
      ...{ callCount: 99, createTime: 'never', updateTime: ['never'] },
    };
    const added = succeeded(await add(dataSourceId, { phoneNumber: '123', ...reserved }));
    const row = await onlyRow(dataSourceId);
    expect(row).toMatchObject({ id: added.id, dataSourceId, status: 0, callCount: 0 });
    expect(Object.keys(row)).toHaveLength(9);
    const updated = await update(dataSourceId, { ...reserved, contactId: added.id, customerName: 'y' });
    expect(succeeded(updated)).toMatchObject({ id: added.id, dataSourceId, customerName: 'y' });
    expect(await onlyRow(dataSourceId)).toEqual({ ...row, customerName: 'y' });
  });

  it.each(['__proto__', 'toString', 'prototype', '0', '\u{1F4DE}', 'a.b', '#x'])(
    'may be called %j like any other',
    async (name) => {
      const { id } = await api.aDataSource();
      const path = `/api/dataSource/${id}/contact`;
      const field = (value: string | null) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;
      const own = (row: object) => Object.entries(row).find(([key]) => key === name)?.[1];
      const added = succeeded(await api.postText(`${path}/add`, `{"phoneNumber":"123",${field('one')}}`));
      expect(own(added)).toBe('one');
      const change = (value: string | null) =>
        api.postText(`${path}/update`, `{"contactId":"${added.id}",${field(value)}}`);
      expect(own(succeeded(await change('two')))).toBe('two');
      expect(own(await onlyRow(id))).toBe('two');
      expect(own(succeeded(await change(null)))).toBeUndefined();
      expect(own(await onlyRow(id))).toBeUndefined();
      expect(({} as Record<string, unknown>).one).toBeUndefined();
    },
  );

  it('have names of 1 to 64 characters, counted in code points', async () => {
    const { id } = await api.aDataSource();
    for (const [i, name] of ['x'.repeat(64), '\u{1F4DE}'.repeat(64)].entries()) {
      expect(succeeded(await add(id, { phoneNumber: `10${i}`, [name]: 'v' }))).toHaveProperty(name, 'v');
    }
    for (const name of ['x'.repeat(65), '\u{1F4DE}'.repeat(65), '']) {
      expectError(await add(id, { phoneNumber: '200', [name]: 'v' }), 400, /1 to 64 characters/);
    }
  });

  it('are at most 50', async () => {
    const { id } = await api.aDataSource();
    const added = succeeded(await add(id, { phoneNumber: '123', ...manyFields(50) }));
    expectError(await add(id, { phoneNumber: '124', ...manyFields(51) }), 400, /at most 50 fields/);
    const change = (fields: object) => update(id, { contactId: added.id, ...fields });
    expectError(await change({ another: 'x' }), 400, /at most 50 fields/);
    succeeded(await change({ another: 'x', 'field 0': null }));
  });

  it('are at most 8 KB with the phone number, counted in bytes', async () => {
    const { id } = await api.aDataSource();
    const room = 8 * 1024 - '123'.length - 'note'.length;
    const added = succeeded(await add(id, { phoneNumber: '123', note: 'x'.repeat(room) }));
    expectError(await add(id, { phoneNumber: '124', note: 'x'.repeat(room + 1) }), 400, /at most 8192 bytes/);
    expectError(await add(id, { phoneNumber: '125', note: '中'.repeat(2800) }), 400, /at most 8192 bytes/);
    expectError(await update(id, { contactId: added.id, a: '' }), 400, /at most 8192 bytes/);
    succeeded(await update(id, { contactId: added.id, note: '中'.repeat(2700) }));
  });

  it('have trimmed names that a file can carry, and none that passes for the phone number', async () => {
    const { id } = await api.aDataSource();
    succeeded(await add(id, { phoneNumber: '123', ' Loyalty level ': 'gold', Status: 'vip' }));
    expect(await onlyRow(id)).toMatchObject({ 'Loyalty level': 'gold', Status: 'vip', status: 0 });
    expectError(await add(id, { phoneNumber: '124', ' ': 'x' }), 400, /1 to 64 characters/);
    for (const fields of [{ 'a\0b': 'x' }, { a: 'x\0' }])
      expectError(await add(id, { phoneNumber: '124', ...fields }), 400, /NUL/);
    expectError(await add(id, { phoneNumber: '124', x: '1', ' x ': '2' }), 400, /^x: is given twice/);
    expectError(await add(id, { phoneNumber: '124', PhoneNumber: '125' }), 400, /write it phoneNumber/);
  });

  it('carry any text unchanged', async () => {
    const { id } = await api.aDataSource();
    const odd = ['\u202eabc', 'e\u0301', '\u{1F468}\u200d\u{1F469}', '=1+1', '\r\n\t', '\uffff', '"\\/'];
    const fields = Object.fromEntries(odd.map((text, i) => [`odd ${i}`, text]));
    expect(succeeded(await add(id, { phoneNumber: '123', ...fields }))).toMatchObject(fields);
    expect(await onlyRow(id)).toMatchObject(fields);
  });
});
