import { expect, it } from 'vitest';
import { type Call, DialingApi, phoneOf } from '../../support/dialing/dialing-api.ts';
import { type Api, expectError, succeeded } from '../../support/service/api.ts';
import {
  type ListedEvent,
  pollUntil,
  readEvents,
  startEventService,
} from '../../support/service/event-service.ts';

/** A running task with so many contacts, whose calls have dispositions. */
const aTask = async (api: Api, contacts: number, settings: object = {}) => {
  const dispositions = [{ code: 'paid', label: 'Paid' }];
  const people = Array.from({ length: contacts }, (_, i) => ({ phoneNumber: phoneOf(i) }));
  const { id } = await api.aTaskOf(people, { callInterval: 0, dispositions, ...settings });
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
  const { lease } = await aTask(api, 2, { maxDialCount: 2 });
  const [first, later] = await lease();
  const result = { outcome: 'noAnswer', reason: 'busy', duration: 0 };
  await report(api, first.callId, result);
  // A repeat of the result is not another call.
  await report(api, first.callId, result);
  const [second] = await lease();
  await report(api, second.callId, { outcome: 'success', duration: 30, disposition: 'paid' });
  await annotate(api, first.callId, { summary: 'a' });
  await annotate(api, first.callId, { summary: 'b', doNotCall: true });
  const callbackTime = api.timeIn(Date.now() + 3600_000);
  await report(api, later!.callId, { outcome: 'noAnswer', duration: 0, callbackTime });
  const events = await pollUntil(api, sizeIs(5), ofCalls);
  expect(events).toMatchObject([
    { id: `${first.callId}-ended`, data: { attempt: 1, reason: 'busy', final: false, disposition: null } },
    { id: `${second.callId}-ended`, data: { attempt: 2, outcome: 'success', final: true } },
    { id: `${first.callId}-annotated-2`, data: { doNotCall: null, disposition: null } },
    { id: `${first.callId}-annotated-3`, data: { doNotCall: true, updateTime: expect.any(String) } },
    { id: `${later!.callId}-ended`, data: { callbackTime } },
  ]);
  expect(events[1]).toMatchObject({ data: { disposition: 'paid' } });
  const { events: settled } = await readEvents(api, { types: 'contact.settled' });
  const total = { callCount: 2, callDuration: 30, status: 1, outcome: 'success', reason: null };
  expect(settled).toMatchObject([
    { id: second.callId, data: { ...total, lastCallTime: events[1]!.data.endTime } },
  ]);
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
  const { events: settled } = await readEvents(api, { types: 'contact.settled' });
  expect(new Set(settled.map(({ id }) => id)).size).toBe(settled.length);
  const calls = events.filter(({ type }) => type.startsWith('call.'));
  expect(calls.map(({ id }) => id)).toEqual([`${before.callId}-ended`, `${during.callId}-ended`]);
});

it('adds the records of the calls where a reader asks for them', async () => {
  const api = await startEventService();
  const { id, lease } = await aTask(api, 3, { maxDialCount: 1 });
  const [kept, erased, last] = (await lease()) as [Call, Call, Call];
  for (const { callId } of [kept, erased]) await report(api, callId, { outcome: 'success', duration: 1 });
  await annotate(api, kept.callId, { summary: 'pays' });
  succeeded(await api.post('/api/contact/erase', { phoneNumber: erased.phoneNumber }));
  await report(api, last.callId, { outcome: 'failed', duration: 0 });
  const all = await pollUntil(api, (seen) => seen.some(({ data }) => data.status === 4));
  const expanded = (await readEvents(api, { expand: 'call', limit: 500 })).events;
  const plain = (await readEvents(api, { limit: 500 })).events;
  expect(JSON.stringify(plain)).not.toContain(kept.phoneNumber);
  expect(expanded.map(({ call: _, ...event }) => event)).toEqual(plain);
  const record = succeeded(await api.get(`/api/call/detail/${kept.callId}`));
  const { fields: _, ...call } = record;
  expect(call).toMatchObject({ phoneNumber: kept.phoneNumber, summary: 'pays' });
  const callsOf = (callId: string) =>
    expanded.filter(({ data }) => data.callId === callId).map((event) => event.call);
  expect(callsOf(kept.callId)).toEqual([call, call, call]);
  expect(callsOf(erased.callId)).toEqual([null, null]);
  const others = expanded.filter(({ data }) => data.callId === undefined);
  expect(others.length).toBe(all.filter(({ data }) => data.callId === undefined).length);
  expect(others.some((event) => 'call' in event)).toBe(false);
  succeeded(await api.post('/api/task/close', { id }));
  succeeded(await api.post('/api/task/delete', { id }));
  const { events } = await readEvents(api, { expand: 'call', types: 'call.ended' });
  expect(events.map((event) => event.call)).toEqual([null, null, null]);
  expectError(await api.get('/api/event/list', { expand: 'calls' }), 400, /expand/);
});
