import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe.each(engines)('contacts on $name', (engine) => {
  const api = useApi({ engine });
  const at = (dataSourceId: string) => {
    const path = `/api/dataSource/${dataSourceId}`;
    return {
      add: (body: object) => api.post(`${path}/contact/add`, body),
      update: (body: object) => api.post(`${path}/contact/update`, body),
      remove: (contactId: string) => api.post(`${path}/contact/delete`, { contactId }),
      detail: (contactId: string) => api.get(`${path}/contact/detail/${contactId}`),
      rows: async (query: Record<string, string | number> = {}) =>
        succeeded(await api.get(`${path}/contacts`, query)).rows,
    };
  };

  it('show on adding what was supplied, and every field of the contract in the list', async () => {
    const { id } = await api.aDataSource();
    const fields = { customerName: 'Li Wei', phoneNumber: '+8613800138000', plan: 'gold' };
    const added = succeeded(await at(id).add(fields));
    const shown = { id: expect.any(String), dataSourceId: id, ...fields, status: 0, createTime: timestamp };
    expect(added).toEqual(shown);
    const empty = { address: '', orderAmount: '', callCount: 0 };
    expect(await at(id).rows()).toEqual([{ ...shown, ...empty }]);
    expect(Object.keys((await at(id).rows())[0] ?? {}).slice(0, 9)).toEqual([
      ...['id', 'dataSourceId', 'customerName', 'phoneNumber', 'address'],
      ...['orderAmount', 'status', 'callCount', 'createTime'],
    ]);
  });

  it('are refused with anything else for a phone number than 3 to 15 digits, cleaned first', async () => {
    const { id } = await api.aDataSource();
    const contact = succeeded(await at(id).add({ phoneNumber: ' tel:+86 (138) 0013-8001' }));
    expect(contact.phoneNumber).toBe('+8613800138001');
    for (const phoneNumber of ['', '12', '1234567890123456', '1a3', 13800138000, true, [], {}]) {
      expectError(await at(id).add({ phoneNumber }), 400, /^phoneNumber: /);
      expectError(await at(id).update({ contactId: contact.id, phoneNumber }), 400, /^phoneNumber: /);
    }
    expectError(await at(id).add({ phoneNumber: null }), 400, /^phoneNumber: /);
    expectError(await at(id).add({ customerName: 'x' }), 400, /^phoneNumber: is required/);
    expect(await at(id).rows()).toMatchObject([{ phoneNumber: '+8613800138001' }]);
  });

  it('change only in the fields an update supplies, and null removes one', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const { update, rows } = at(dataSourceId);
    const fields = { phoneNumber: '333', customerName: 'A', address: 'B', plan: 'gold' };
    const { id } = await api.aContact(dataSourceId, fields);
    const changed = await update({ contactId: id, address: 'C', plan: null, customerName: '' });
    const now = { phoneNumber: '333', customerName: '', address: 'C' };
    expect(succeeded(changed)).toEqual({ id, dataSourceId, ...now, updateTime: timestamp });
    expect(await rows()).toEqual([
      { id, dataSourceId, ...now, orderAmount: '', status: 0, callCount: 0, createTime: timestamp },
    ]);
    expect(succeeded(await update({ contactId: id, phoneNumber: null }))).toMatchObject(now);
    expect(succeeded(await update({ contactId: id }))).toMatchObject(now);
  });

  it('are read by their id, with the time of their last change', async () => {
    const { id } = await api.aDataSource();
    const { id: contactId } = await api.aContact(id, { customerName: 'Li Wei', plan: 'gold' });
    const [row] = await at(id).rows();
    expect(succeeded(await at(id).detail(contactId))).toEqual({ ...row, updateTime: null });
    await at(id).update({ contactId, plan: 'silver' });
    const changed = { ...row, plan: 'silver', updateTime: timestamp };
    expect(succeeded(await at(id).detail(contactId))).toEqual(changed);
    await at(id).remove(contactId);
    expectError(await at(id).detail(contactId), 404, /contact does not exist/);
    expectError(await at(id).detail('nothing'), 404, /contact does not exist/);
    expectError(await at('nothing').detail(contactId), 404, /data source does not exist/);
  });

  it('belong to one data source: its ids mean nothing in another', async () => {
    const [mine, other] = [await api.aDataSource(), await api.aDataSource()];
    const { id: contactId } = await api.aContact(other.id, { customerName: 'untouched' });
    await api.aContact(mine.id);
    expectError(await at(mine.id).update({ contactId, customerName: 'x' }), 404, /contact does not exist/);
    expectError(await at(mine.id).remove(contactId), 404, /contact does not exist/);
    expect(await at(other.id).rows()).toMatchObject([{ id: contactId, customerName: 'untouched' }]);
  });
});
