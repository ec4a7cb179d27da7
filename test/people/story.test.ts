import { beforeEach, describe, expect, it } from 'vitest';
import { newName, useService } from '../support/service/client.ts';

type Found = { doNotCall: boolean; contacts: { dataSourceId: string; deleted: boolean; tasks: object[] }[] };

describe('a person', () => {
  const { clock, get, post } = useService({ country: 'DE' });
  let taskId: string;
  let lists: string[];
  let phoneNumber: string;
  let numbers = 0;

  /** In two lists, in different spellings. A task calls the first. */
  beforeEach(async () => {
    phoneNumber = `+4930${++numbers + 100_000}`;
    lists = [];
    for (const spelling of [phoneNumber, phoneNumber.replace('+49', '0')]) {
      const { id } = await post('/api/dataSource/add', { dataSourceName: newName('Customers') });
      await post(`/api/dataSource/${id}/contact/add`, { phoneNumber: spelling, customerName: 'Li Wei' });
      lists.push(id);
    }
    const rules = { dataSourceId: lists[0], callInterval: 600, maxDialCount: 3 };
    taskId = (await post('/api/task/add', { taskName: newName('Renewal'), ...rules })).id;
    await post('/api/task/publish', { id: taskId });
  });

  const find = async (number = phoneNumber) =>
    (await post('/api/contact/find', { phoneNumber: number })) as unknown as Found;
  const lease = async () => (await post('/api/dialer/lease', { taskId })).calls;
  const report = (callId: string, result: object) => post('/api/dialer/result', { callId, ...result });
  const records = async () => (await get(`/api/task/${taskId}/calls`)).rows;
  const erase = (more = {}) => post('/api/contact/erase', { phoneNumber, ...more });

  it('is found in every list, by any spelling of the number', async () => {
    for (const spelling of [phoneNumber, phoneNumber.replace('+', '00'), phoneNumber.replace('+49', '0')]) {
      const { contacts } = await find(spelling);
      expect(contacts.map(({ dataSourceId }) => dataSourceId).sort()).toEqual([...lists].sort());
    }
  });

  it('is shown with every call, and with what comes next', async () => {
    const [call] = await lease();
    await report(call!.callId, { outcome: 'noAnswer', reason: 'busy' });
    const { contacts } = await find();
    const inList = contacts.find(({ dataSourceId }) => dataSourceId === lists[0]);
    const until = '2026-05-04 10:10:00';
    expect(inList).toMatchObject({
      tasks: [
        {
          ...{ taskId, outcome: 'waiting', attempts: 1, nextCallTime: until, waitReason: 'RETRY' },
          holds: [{ reason: 'RETRY', until }],
          calls: [{ callId: call!.callId, outcome: 'noAnswer', reason: 'busy' }],
        },
      ],
    });
  });

  it('who asks for no calls gets none, from any list and in any spelling', async () => {
    const [call] = await lease();
    await report(call!.callId, { outcome: 'success', doNotCall: true });
    expect(await find()).toMatchObject({ doNotCall: true });
    const other = await post('/api/task/add', { taskName: newName('Survey'), dataSourceId: lists[1] });
    await post('/api/task/publish', { id: other.id });
    expect((await post('/api/dialer/lease', { taskId: other.id })).calls).toEqual([]);
    const [row] = (await get(`/api/task/${other.id}/contacts`)).rows;
    expect(row).toMatchObject({
      outcome: 'blocked',
      blockReason: 'LIST',
      blockedBy: [{ dataSourceId: 'do-not-call' }],
    });
  });

  it('is remembered by the calls after the contact was deleted', async () => {
    const [call] = await lease();
    await report(call!.callId, { outcome: 'noAnswer' });
    const path = `/api/dataSource/${lists[0]}/contact/delete`;
    await post(path, { contactId: call!.contactId });
    const { contacts } = await find();
    const deleted = contacts.find(({ dataSourceId }) => dataSourceId === lists[0]);
    expect(deleted).toMatchObject({ deleted: true, tasks: [{ calls: [{ callId: call!.callId }] }] });
    expect(await lease()).toEqual([]);
  });

  it('is erased, with what its calls say: what happened is still counted', async () => {
    const [call] = await lease();
    await report(call!.callId, { outcome: 'noAnswer', summary: 'Li Wei was out.' });
    expect(await erase()).toMatchObject({ contactCount: 2, taskCount: 1 });
    expect((await find()).contacts).toEqual([]);
    expect(await records()).toMatchObject([{ callId: call!.callId, phoneNumber: null, summary: null }]);
    expect(await get(`/api/task/${taskId}/stat`)).toMatchObject({ callCount: 1, noAnswerCount: 1 });
    expect(await erase()).toMatchObject({ contactCount: 0, taskCount: 0 });
  });

  it('stays on the do-not-call list when erased, without a name', async () => {
    const listed = { phoneNumber, customerName: 'Li Wei' };
    await post('/api/dataSource/do-not-call/contact/add', listed);
    await erase();
    expect(await find()).toMatchObject({ doNotCall: true });
    const { rows } = await get('/api/dataSource/do-not-call/contacts', { phoneNumber });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('Li Wei');
    await erase({ keepDoNotCall: false });
    expect(await find()).toMatchObject({ doNotCall: false });
  });

  it('who is erased during a call leaves nothing that is said in it', async () => {
    const [call] = await lease();
    await erase();
    clock.pass({ seconds: 30 });
    await report(call!.callId, { outcome: 'success', summary: 'Li Wei pays.' });
    expect(await records()).toMatchObject([{ callId: call!.callId, phoneNumber: null, summary: null }]);
    expect(await get(`/api/task/${taskId}/stat`)).toMatchObject({ callCount: 1, successCount: 1 });
  });

  it('is nobody else: a number that only begins the same is left alone', async () => {
    const longer = `${phoneNumber}9`;
    await post(`/api/dataSource/${lists[0]}/contact/add`, { phoneNumber: longer });
    await erase();
    expect((await find(longer)).contacts).toHaveLength(1);
  });

  it('can be added again after the erasure, as a stranger', async () => {
    await erase();
    await post(`/api/dataSource/${lists[0]}/contact/add`, { phoneNumber });
    const { contacts } = await find();
    expect(contacts).toMatchObject([
      { deleted: false, tasks: [{ taskId, outcome: 'notDialed', calls: [] }] },
    ]);
    expect(await lease()).toHaveLength(1);
  });
});
