import { describe, expect, it } from 'vitest';
import { newName, useService } from '../support/service/client.ts';

describe('contacts', () => {
  const { get, post, refusal, upload, download } = useService({ country: 'DE' });
  const aList = () => post('/api/dataSource/add', { dataSourceName: newName('Customers') });
  const add = (listId: string, contact: object) => post(`/api/dataSource/${listId}/contact/add`, contact);
  const contactsOf = async (listId: string, query = {}) =>
    (await get(`/api/dataSource/${listId}/contacts`, query)).rows;

  it('live in a list, each with a number and fields of its own', async () => {
    const list = await aList();
    await add(list.id, { phoneNumber: '+4930000001', customerName: 'Li Wei', plan: 'gold' });
    await add(list.id, { phoneNumber: '+4930000002' });
    expect(await contactsOf(list.id)).toMatchObject([
      { phoneNumber: '+4930000001', customerName: 'Li Wei', plan: 'gold', status: 0 },
      { phoneNumber: '+4930000002', status: 0 },
    ]);
    expect(await get(`/api/dataSource/detail/${list.id}`)).toMatchObject({ contactCount: 2 });
  });

  it('have numbers that are cleaned, and stored as international ones', async () => {
    const list = await aList();
    const added = await add(list.id, { phoneNumber: 'tel: 030 / 123-456' });
    expect(added).toMatchObject({ phoneNumber: '+4930123456' });
    const contact = { phoneNumber: 'call me' };
    expect(await refusal(`/api/dataSource/${list.id}/contact/add`, contact)).toEqual([400, 'INVALID']);
  });

  it('occur once in a list, however their number is written, and in any number of lists', async () => {
    const [one, other] = [await aList(), await aList()];
    await add(one.id, { phoneNumber: '+4930000001' });
    const again = { phoneNumber: '0049 30 000001' };
    expect(await refusal(`/api/dataSource/${one.id}/contact/add`, again)).toEqual([
      409,
      'PHONE_NUMBER_TAKEN',
    ]);
    await add(other.id, again);
  });

  it('are found by any part of their number', async () => {
    const list = await aList();
    for (const end of ['111', '112', '222']) await add(list.id, { phoneNumber: `+4930555${end}` });
    const found = await contactsOf(list.id, { phoneNumber: '511' });
    expect(found.map(({ phoneNumber }) => phoneNumber)).toEqual(['+4930555111', '+4930555112']);
  });

  it('are changed field by field, and null removes a field', async () => {
    const list = await aList();
    const { id: contactId } = await add(list.id, { phoneNumber: '+4930000001', plan: 'gold', city: 'Bonn' });
    await post(`/api/dataSource/${list.id}/contact/update`, { contactId, plan: 'tin', city: null });
    const [contact] = await contactsOf(list.id);
    expect(contact).toMatchObject({ phoneNumber: '+4930000001', plan: 'tin' });
    expect(contact).not.toHaveProperty('city');
  });

  it('leave their number free when they are deleted', async () => {
    const list = await aList();
    const { id: contactId } = await add(list.id, { phoneNumber: '+4930000001' });
    await post(`/api/dataSource/${list.id}/contact/delete`, { contactId });
    expect(await contactsOf(list.id)).toEqual([]);
    const added = await add(list.id, { phoneNumber: '+4930000001' });
    expect(added.id).not.toBe(contactId);
  });

  it('never have the time zone in a field that the hours do not read', async () => {
    const list = await aList();
    const wrong = { phoneNumber: '+4930000001', time_zone: 'Asia/Shanghai' };
    expect(await refusal(`/api/dataSource/${list.id}/contact/add`, wrong)).toEqual([400, 'INVALID']);
    await add(list.id, { phoneNumber: '+4930000001', timeZone: 'Asia/Shanghai' });
  });

  it('come and go in batches, and what cannot be added does not stop the others', async () => {
    const list = await aList();
    const contacts = [{ phoneNumber: '+4930000001' }, { phoneNumber: 'x' }, { phoneNumber: '+4930000003' }];
    const report = await post(`/api/dataSource/${list.id}/contact/batchAdd`, { contacts });
    expect(report).toMatchObject({ importCount: 3, successCount: 2, failCount: 1, details: [{ row: 2 }] });
    const phoneNumbers = ['+4930000003', '+4930000009'];
    const deleted = await post(`/api/dataSource/${list.id}/contact/batchDelete`, { phoneNumbers });
    expect(deleted).toMatchObject({ deleteCount: 1, notFound: ['+4930000009'] });
    expect(await contactsOf(list.id)).toMatchObject([{ phoneNumber: '+4930000001' }]);
  });

  it('leave as a file that can be imported elsewhere', async () => {
    const [one, other] = [await aList(), await aList()];
    await add(one.id, { phoneNumber: '+4930000001', customerName: 'Wei, Li', plan: '=1+1' });
    const file = await download(`/api/dataSource/${one.id}/contact/batchExport`, { format: 'csv' });
    await upload(`/api/dataSource/${other.id}/contact/batchImport`, 'contacts.csv', file);
    const stored = { phoneNumber: '+4930000001', customerName: 'Wei, Li', plan: '=1+1' };
    expect(await contactsOf(other.id)).toMatchObject([stored]);
  });

  it('go with their list, which goes only when no task calls it', async () => {
    const list = await aList();
    await add(list.id, { phoneNumber: '+4930000001' });
    const task = await post('/api/task/add', { taskName: newName('Renewal'), dataSourceId: list.id });
    expect(await refusal('/api/dataSource/delete', { id: list.id })).toEqual([405, 'DATA_SOURCE_IN_USE']);
    await post('/api/task/delete', { id: task.id });
    await post('/api/dataSource/delete', { id: list.id });
    expect(await refusal('/api/dataSource/update', { id: list.id, dataSourceName: newName('x') })).toEqual([
      404,
      'DATA_SOURCE_NOT_FOUND',
    ]);
  });
});
