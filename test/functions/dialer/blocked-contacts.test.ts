import { describe, expect, it } from 'vitest';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { type Api, startApi, succeeded } from '../../support/service/api.ts';

type Blocked = { outcome: string; blockReason: string | null; blockedBy: { dataSourceId: string }[] };
const everywhere = ['110', '112', '119', '120', '122', '911', '999'];
const noList = { dataSourceId: 'do-not-call', dataSourceName: 'Do not call' };

/** How the contact stands in the task, as both answers show it. */
const shown = async (api: Api, taskId: string, phoneNumber: string): Promise<Blocked> => {
  const { rows } = succeeded(await api.get(`/api/task/${taskId}/contacts`, { phoneNumber }));
  const { outcome, blockReason, blockedBy } = rows[0] as unknown as Blocked;
  const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber }));
  const tasks = (contacts as unknown as { tasks: object[] }[]).flatMap((contact) => contact.tasks);
  expect(tasks).toContainEqual(expect.objectContaining({ taskId, outcome, blockReason, blockedBy }));
  return { outcome, blockReason, blockedBy };
};

describe.each(engines)('a blocked contact on $name', (engine) => {
  const { api, dialing } = useDialing({ engine });

  const aTask = async (phoneNumbers: readonly string[], settings: object = {}) => {
    const people = phoneNumbers.map((phoneNumber) => ({ phoneNumber }));
    return api.aTaskOf(people, { callInterval: 0, maxDialCount: 1, ...settings });
  };
  const leased = async (taskId: string) =>
    (await dialing.lease({ taskId, limit: 100 })).map(({ phoneNumber }) => phoneNumber);
  const put = (dataSourceId: string, phoneNumber: string) => api.aContact(dataSourceId, { phoneNumber });
  const take = async (dataSourceId: string, contactId: string) =>
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));

  it('names the lists that have its number now, and none once it is on none', async () => {
    const [one, other] = ['+4930770001', '+4930770002'];
    const moved = await api.aDataSource();
    const inDoNotCall = await put('do-not-call', one);
    const inMoved = await put(moved.id, one);
    const { id } = await aTask([one, other], { excludedDataSourceIds: [moved.id] });
    expect(await shown(api, id, one)).toEqual({ outcome: 'notDialed', blockReason: null, blockedBy: [] });
    expect(await leased(id)).toEqual([other]);
    const movedList = { dataSourceId: moved.id, dataSourceName: moved.dataSourceName };
    const blocked = { outcome: 'blocked', blockReason: 'LIST' };
    expect(await shown(api, id, one)).toEqual({ ...blocked, blockedBy: [noList, movedList] });
    expect(await shown(api, id, other)).toMatchObject({
      outcome: 'inCall',
      blockReason: null,
      blockedBy: [],
    });
    await take('do-not-call', inDoNotCall.id);
    expect(await shown(api, id, one)).toEqual({ ...blocked, blockedBy: [movedList] });
    await take(moved.id, inMoved.id);
    expect(await shown(api, id, one)).toEqual({ ...blocked, blockedBy: [] });
    // A recall looks at it again.
    const contactId = succeeded(await api.get(`/api/task/${id}/contacts`, { phoneNumber: one })).rows[0]!
      .contactId;
    succeeded(await api.post(`/api/task/${id}/recall`, { contactIds: [contactId] }));
    expect(await shown(api, id, one)).toMatchObject({ outcome: 'waiting', blockReason: null, blockedBy: [] });
    expect(await leased(id)).toEqual([one]);
    await dialing.operate('stop', id);
  });

  it('has an emergency number, which no dialer ever gets, whatever asks for it', async () => {
    const usual = '+4930770003';
    const { id, dataSourceId } = await aTask([...everywhere, '+112', usual]);
    const inputs = { dataSourceId, contactFilter: [{ field: 'phoneNumber', is: 'notEqual', value: '110' }] };
    const preflight = async (asked: object) => succeeded(await api.post('/api/task/preflight', asked));
    expect(await preflight({ id })).toMatchObject({
      total: 9,
      callable: 1,
      blocked: 8,
      emergencyNumbers: 8,
      blockedBy: [],
    });
    expect(await preflight(inputs)).toMatchObject({
      callable: 1,
      blocked: 7,
      emergencyNumbers: 7,
      notSelected: 1,
    });
    const file = await api.file(`/api/task/${id}/preflight/blocked?format=csv`);
    const lines = (await file.text()).split('\r\n');
    expect(lines.filter((line) => line.endsWith(',EMERGENCY'))).toHaveLength(8);
    expect(await leased(id)).toEqual([usual]);
    const counts = async () =>
      succeeded(await api.get(`/api/task/${id}/overview`)).contacts as { blocked: number };
    expect(await counts()).toMatchObject({ blocked: 8, inCall: 1 });
    for (const phoneNumber of everywhere)
      expect(await shown(api, id, phoneNumber)).toEqual({
        outcome: 'blocked',
        blockReason: 'EMERGENCY',
        blockedBy: [],
      });
    const { rows } = succeeded(await api.get(`/api/task/${id}/contacts`, { outcome: 'blocked' }));
    const contactIds = rows.map(({ contactId }) => contactId);
    succeeded(await api.post(`/api/task/${id}/recall`, { contactIds, priority: 1 }));
    expect(await leased(id)).toEqual([]);
    expect(await counts()).toMatchObject({ blocked: 8 });
    await dialing.operate('stop', id);
  });

  it('has an emergency number also where a list has it, and without a list it stays blocked', async () => {
    const listed = await put('do-not-call', '911');
    const { id } = await aTask(['911']);
    expect(await leased(id)).toEqual([]);
    const blocked = { outcome: 'blocked', blockReason: 'EMERGENCY' };
    expect(await shown(api, id, '911')).toEqual({ ...blocked, blockedBy: [noList] });
    await take('do-not-call', listed.id);
    expect(await shown(api, id, '911')).toEqual({ ...blocked, blockedBy: [] });
    await dialing.operate('stop', id);
  });
});

it('emergency numbers of its country are those of the service', async () => {
  const numbers = ['133', '144', '117', '+8613800138000'];
  const calledIn = async (country: string) => {
    const api = await startApi({ country });
    try {
      const { id } = await api.aTaskOf(numbers.map((phoneNumber) => ({ phoneNumber })));
      const { calls } = succeeded(await api.post('/api/dialer/lease', { taskId: id }));
      const { callable } = succeeded(await api.post('/api/task/preflight', { id }));
      const called = (calls as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber);
      expect(called).toHaveLength(callable as number);
      return called;
    } finally {
      await api.stop();
    }
  };
  expect(await calledIn('')).toEqual(numbers);
  expect(await calledIn('AT')).toEqual(['117', '+8613800138000']);
  expect(await calledIn('CH')).toEqual(['133', '+8613800138000']);
});
