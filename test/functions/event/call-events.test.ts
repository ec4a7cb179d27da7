import { expect, it } from 'vitest';
import { type Call, DialingApi, phoneOf } from '../../support/dialing/dialing-api.ts';
import { type Api, succeeded } from '../../support/service/api.ts';
import { type ListedEvent, pollUntil, startEventService } from '../../support/service/event-service.ts';

/** A running task with so many contacts, whose calls have dispositions. */
const aTask = async (api: Api, contacts: number, settings: object = {}) => {
  const { id: dataSourceId } = await api.aDataSource();
  for (let i = 0; i < contacts; i++) await api.aContact(dataSourceId, { phoneNumber: phoneOf(i) });
  const dispositions = [{ code: 'paid', label: 'Paid' }];
  const { id } = await api.aTask({ dataSourceId, callInterval: 0, dispositions, ...settings });
  succeeded(await api.post('/api/task/publish', { id }));
  return { id, lease: () => new DialingApi(api).lease({ taskId: id }) as Promise<[Call, ...Call[]]> };
};
const report = async (api: Api, callId: string, result: object) =>
  succeeded(await api.post('/api/dialer/result', { callId, ...result }));
const annotate = async (api: Api, callId: string, details: object) =>
  succeeded(await api.post('/api/dialer/annotate', { callId, ...details }));
const ofCalls = { types: 'call.ended,call.annotated' };
const sizeIs = (count: number) => (events: ListedEvent[]) => events.length === count;

it('tells each call that ended, and each annotation, in the order of the calls of a contact', async () => {
  const api = await startEventService();
  const { lease } = await aTask(api, 1, { maxDialCount: 2 });
  const [first] = await lease();
  const result = { outcome: 'noAnswer', reason: 'busy', duration: 0 };
  await report(api, first.callId, result);
  // A repeat of the result is not another call.
  await report(api, first.callId, result);
  const [second] = await lease();
  await report(api, second.callId, { outcome: 'success', duration: 30, disposition: 'paid' });
  await annotate(api, first.callId, { summary: 'a' });
  await annotate(api, first.callId, { summary: 'b', doNotCall: true });
  const events = await pollUntil(api, sizeIs(4), ofCalls);
  expect(events).toMatchObject([
    { id: `${first.callId}-ended`, data: { attempt: 1, reason: 'busy', final: false, disposition: null } },
    { id: `${second.callId}-ended`, data: { attempt: 2, outcome: 'success', final: true } },
    { id: `${first.callId}-annotated-2`, data: { doNotCall: null, disposition: null } },
    { id: `${first.callId}-annotated-3`, data: { doNotCall: true, updateTime: expect.any(String) } },
  ]);
  expect(events[1]).toMatchObject({ data: { disposition: 'paid' } });
});

it('tells a call whose person was erased while it was made, and no erasure as an annotation', async () => {
  const api = await startEventService();
  const { lease } = await aTask(api, 2, { maxDialCount: 1 });
  const [before, during] = (await lease()) as [Call, Call];
  await report(api, before.callId, { outcome: 'success', duration: 1, disposition: 'paid' });
  for (const { phoneNumber } of [before, during])
    succeeded(await api.post('/api/contact/erase', { phoneNumber }));
  await report(api, during.callId, { outcome: 'success', duration: 2 });
  const { id: last } = await aTask(api, 0);
  const events = await pollUntil(api, (seen) => seen.some(({ data }) => data.taskId === last));
  expect(events.filter(({ type }) => type === 'contact.erased')).toHaveLength(2);
  const calls = events.filter(({ type }) => type.startsWith('call.'));
  expect(calls.map(({ id }) => id)).toEqual([`${before.callId}-ended`, `${during.callId}-ended`]);
});
