import { describe, expect, it } from 'vitest';
import { TestClock } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { type Api, expectError, startApi, succeeded, useApi } from '../../support/service/api.ts';

type Person = {
  phoneNumber: string;
  doNotCall: boolean;
  contacts: {
    dataSourceId: string;
    contactId: string;
    status: number;
    tasks: { taskId: string; outcome: string }[];
  }[];
};
const found = async (api: Api, phoneNumber: string) =>
  succeeded(await api.post('/api/contact/find', { phoneNumber })) as unknown as Person;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe.each(engines)('finding a person on $name', (engine) => {
  const clock = new TestClock();
  const api = useApi({ engine, now: clock.now });

  it('answers every contact of the number, with its tasks and calls', async () => {
    const phoneNumber = '+4930111';
    const [first, second] = [await api.aDataSource(), await api.aDataSource()];
    const contact = await api.aContact(first.id, { phoneNumber, customerName: 'Li Wei' });
    const other = await api.aContact(second.id, { phoneNumber });
    await api.aContact(second.id, { phoneNumber: '+49301110' });
    const rules = { dataSourceId: first.id, maxDialCount: 2, callInterval: 60 };
    const task = await api.aTask({ ...rules, dailyStartTime: '00:00', dailyEndTime: '24:00' });
    const draft = await api.aTask({ dataSourceId: second.id });
    succeeded(await api.post('/api/task/publish', { id: task.id }));
    const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId: task.id }));
    const [call] = calls as unknown as { callId: string }[];
    const result = { callId: call?.callId, outcome: 'noAnswer', reason: 'busy', duration: 3 };
    succeeded(await api.post('/api/dialer/result', result));
    const ofContact = ({ id, dataSourceName }: typeof first, contactId: string) => ({
      ...{ dataSourceId: id, dataSourceName, contactId, deleted: false },
    });
    const unknown = { lastCallTime: null, nextCallTime: null, waitReason: null, holds: [] };
    const unblocked = { blockReason: null, blockedBy: [] };
    const untouched = { outcome: 'notDialed', attempts: 0, ...unknown, ...unblocked, calls: [] };
    const made = { callId: call?.callId, time: timestamp, outcome: 'noAnswer', reason: 'busy', duration: 3 };
    const holds = [{ reason: 'RETRY', until: timestamp }];
    const times = { lastCallTime: timestamp, nextCallTime: timestamp, waitReason: 'RETRY', holds };
    const called = { outcome: 'waiting', attempts: 1, ...times, ...unblocked, calls: [made] };
    expect(await found(api, '+49 30-111')).toEqual({
      phoneNumber,
      doNotCall: false,
      contacts: [
        {
          ...ofContact(second, other.id),
          ...{ customerName: '', status: 0, callCount: 0 },
          tasks: [{ taskId: draft.id, taskName: draft.taskName, ...untouched }],
        },
        {
          ...ofContact(first, contact.id),
          ...{ customerName: 'Li Wei', status: 3, callCount: 1 },
          tasks: [{ taskId: task.id, taskName: task.taskName, ...called }],
        },
      ],
    });
  });

  it('says whether the number is on the do-not-call list, and forgets what was deleted', async () => {
    const phoneNumber = '+4930222';
    expect(await found(api, phoneNumber)).toEqual({ phoneNumber, doNotCall: false, contacts: [] });
    await api.aContact('do-not-call', { phoneNumber });
    const { id } = await api.aDataSource();
    const { id: contactId } = await api.aContact(id, { phoneNumber });
    expect(await found(api, phoneNumber)).toMatchObject({ doNotCall: true, contacts: [{ contactId }] });
    succeeded(await api.post(`/api/dataSource/${id}/contact/delete`, { contactId }));
    expect(await found(api, phoneNumber)).toEqual({ phoneNumber, doNotCall: true, contacts: [] });
  });

  it('says where the contact stands after a recall, and with a filter', async () => {
    const task = await api.aTaskOf([{ phoneNumber: '+4930555', plan: 'tin' }], { maxDialCount: 1 });
    const { dataSourceId } = task;
    const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
    const filtered = await api.aTaskIn(1, { dataSourceId, contactFilter });
    const standings = async () => {
      const [contact] = (await found(api, '+4930555')).contacts;
      return new Map(contact?.tasks.map(({ taskId, outcome }) => [taskId, outcome]));
    };
    const lease = async ({ id }: { id: string }) =>
      succeeded(await api.post('/api/dialer/lease', { taskId: id })).calls as unknown as { callId: string }[];
    await lease(filtered);
    const [call] = await lease(task);
    const statusOf = async () => (await found(api, '+4930555')).contacts.map(({ status }) => status);
    expect(await statusOf(), 'in a call').toEqual([4]);
    succeeded(await api.post('/api/dialer/result', { callId: call?.callId, outcome: 'failed' }));
    expect(await statusOf()).toEqual([2]);
    const expected = new Map([
      [task.id, 'failed'],
      [filtered.id, 'notSelected'],
    ]);
    expect(await standings()).toEqual(expected);
    succeeded(await api.post(`/api/task/${task.id}/recall`, {}));
    expect(await standings()).toEqual(expected.set(task.id, 'waiting'));
    // No task has looked at it yet.
    await api.aContact(dataSourceId, { phoneNumber: '+4930556', plan: 'tin' });
    const [later] = (await found(api, '+4930556')).contacts;
    expect(later?.tasks.map(({ outcome }) => outcome)).toEqual(['notDialed', 'notDialed']);
  });

  it('leaves out a task that ended before the contact was added', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const ended = await api.aTaskIn(3, { dataSourceId });
    const open = await api.aTask({ dataSourceId });
    clock.advance(1);
    await api.aContact(dataSourceId, { phoneNumber: '+4930333' });
    const [contact] = (await found(api, '+4930333')).contacts;
    expect(contact?.tasks.map(({ taskId }) => taskId)).toEqual([open.id]);
    expect(ended.id).not.toBe(open.id);
  });

  it('refuses a number that is none', async () => {
    expectError(await api.post('/api/contact/find', { phoneNumber: 'x' }), 400, /^phoneNumber: /);
    expectError(await api.post('/api/contact/find', {}), 400, /^phoneNumber: is required/);
  });
});

describe('finding a person with a country', () => {
  it('finds all spellings of a number', async () => {
    const before = await startApi({});
    const { database } = before;
    const { id: dataSourceId } = await before.aDataSource();
    const spellings = ['13800138000', '8613800138000', '008613800138000', '+8613800138000'];
    for (const phoneNumber of spellings) await before.aContact(dataSourceId, { phoneNumber });
    await before.aContact('do-not-call', { phoneNumber: '13800138000' });
    const engine = { open: async () => ({ ...(await engines[0]!.open()), database }) };
    const api = await startApi({ engine: engine as never, country: 'CN' });
    try {
      for (const phoneNumber of ['138 0013 8000', '+86 138 0013 8000']) {
        const person = await found(api, phoneNumber);
        expect(person).toMatchObject({ phoneNumber: '+8613800138000', doNotCall: true });
        expect(person.contacts).toHaveLength(spellings.length);
      }
    } finally {
      await api.stop();
      await before.stop();
    }
  });
});

describe.each(engines)('a person without a country on $name', (engine) => {
  const api = useApi({ engine });
  const spellings = ['13800138000', '8613800138000', '+8613800138000', '008613800138000', '013800138000'];

  it('is found and erased in every spelling of an international number', async () => {
    const { id } = await api.aDataSource();
    const contacts = [];
    for (const phoneNumber of spellings) contacts.push(await api.aContact(id, { phoneNumber }));
    const other = await api.aContact(id, { phoneNumber: '+4413800138000' });
    await api.aContact('do-not-call', { phoneNumber: '13800138000' });
    const ids = contacts.map((contact) => String(contact.id));
    for (const asked of ['+86 138 0013 8000', '0086 138 0013 8000']) {
      const person = await found(api, asked);
      expect(person.contacts.map(({ contactId }) => contactId).sort()).toEqual([...ids].sort());
      // No lease compares spellings: the list stops only the one that it holds.
      expect(person.doNotCall).toBe(false);
    }
    // Its country is not known.
    const national = await found(api, '138 0013 8000');
    expect([national.contacts.length, national.doNotCall]).toEqual([1, true]);
    const erased = await api.post('/api/contact/erase', { phoneNumber: '+8613800138000' });
    expect(succeeded(erased)).toMatchObject({ contactCount: spellings.length });
    const { rows } = succeeded(await api.get(`/api/dataSource/${id}/contacts`));
    expect((rows as { id: string }[]).map((row) => row.id)).toEqual([other.id]);
  });
});
