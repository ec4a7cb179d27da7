import { expect, it, onTestFinished } from 'vitest';
import { EventList } from '../../../shared/events/event-list.ts';
import { dayMs, hourMs } from '../../../shared/platform/time/time.ts';
import { uploaded } from '../../support/files/contact-files.ts';
import { expectError, startApi, succeeded } from '../../support/service/api.ts';
import {
  type ListedEvent,
  pollUntil,
  readEvents,
  startEventService,
} from '../../support/service/event-service.ts';
import { listAsBefore } from '../../support/service/listed-before.ts';

const typesOf = (events: ListedEvent[]) => events.map(({ type }) => type);
const ofType = (type: string) => (events: ListedEvent[]) => typesOf(events).includes(type);

it('lists what has happened, without phone numbers', async () => {
  const api = await startEventService();
  const { id: dataSourceId, dataSourceName } = await api.aDataSource();
  const person = { phoneNumber: '+4930123456', customerName: 'Li Wei' };
  const { id: contactId } = await api.aContact(dataSourceId, person);
  const { id, taskName } = await api.aTask({ dataSourceId, maxDialCount: 1 });
  succeeded(await api.post('/api/task/publish', { id }));
  const { calls } = succeeded(await api.post('/api/dialer/lease', {}));
  const [{ callId }] = calls as unknown as [{ callId: string }];
  const learned = { disposition: 'Li Wei moved', summary: 'Li Wei moved', data: { to: '+4930123459' } };
  succeeded(await api.post('/api/dialer/result', { callId, outcome: 'success', duration: 20, ...learned }));
  succeeded(await api.post('/api/dialer/annotate', { callId, summary: 'Li Wei pays' }));
  succeeded(await api.post('/api/task/close', { id }));
  succeeded(await api.post('/api/task/delete', { id }));
  succeeded(await api.post('/api/contact/erase', { phoneNumber: '+4930123456' }));
  await uploaded(api, String(dataSourceId), 'phoneNumber\n+4930123458\n', { dryRun: true });
  const batch = { contacts: [{ phoneNumber: '+4930123457' }] };
  succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/batchAdd`, batch));
  succeeded(await api.post('/api/dataSource/delete', { id: dataSourceId }));
  const events = await pollUntil(api, ofType('data_source.deleted'));
  const ofTask = { taskId: id, dataSourceId };
  expect(events).toMatchObject([
    { type: 'task.state_changed', data: { ...ofTask, previousStatus: 0, status: 1 } },
    { type: 'contact.settled', data: { ...ofTask, callId, outcome: 'success', callDuration: 20 } },
    { type: 'call.ended', data: { ...ofTask, callId, outcome: 'success', duration: 20, attempt: 1 } },
    { type: 'task.state_changed', data: { ...ofTask, previousStatus: 1, status: 4 } },
    { type: 'call.annotated', data: { ...ofTask, callId, disposition: null } },
    { type: 'task.state_changed', data: { ...ofTask, previousStatus: 4, status: 6 } },
    { id: `${id}-deleted`, type: 'task.deleted', data: { ...ofTask, taskName, status: 6 } },
    { id: `${contactId}-erased`, type: 'contact.erased', data: { contactId, dataSourceId } },
    { type: 'import.ended', data: { dataSourceId, status: 'DONE', importCount: 1, successCount: 1 } },
    {
      id: `${dataSourceId}-deleted`,
      type: 'data_source.deleted',
      data: { dataSourceId, dataSourceName },
    },
  ]);
  expect(new Set(events.map((each) => each.id)).size).toBe(events.length);
  for (const { time } of events) expect(new Date(time).toISOString()).toBe(time);
  expect(JSON.stringify(events)).not.toMatch(/493012345|Li Wei/);
});

it('answers at most 200 events with their calls', async () => {
  const api = await startApi();
  onTestFinished(() => api.stop());
  const time = new Date().toISOString();
  const data = { taskId: 'a', taskName: 'b', dataSourceId: 'c', status: 6 };
  const event = { type: 'task.deleted', time, data } as const;
  const events = Array.from({ length: 201 }, (_, i) => ({ ...event, id: `${i}` }));
  await new EventList(api.database).append(events, Date.now());
  const shown = async (query: object) => (await readEvents(api, { limit: 500, ...query })).events.length;
  expect([await shown({}), await shown({ expand: 'call' })]).toEqual([201, 200]);
});

it('filters by type and task, and moves on where nothing matches', async () => {
  const api = await startEventService();
  const [first, second] = [await api.aTaskIn(2), await api.aTaskIn(1)];
  await pollUntil(api, (events) => events.length === 3);
  const ofSecond = await readEvents(api, { taskId: second.id });
  expect(ofSecond.events).toMatchObject([{ data: { taskId: second.id } }]);
  const both = await readEvents(api, { types: 'task.deleted,task.state_changed', taskId: first.id });
  expect(both.events).toHaveLength(2);
  const none = await readEvents(api, { types: 'task.deleted' });
  expect(none).toMatchObject({ events: [], more: false });
  expect((await readEvents(api, { after: none.next })).events).toEqual([]);
});

it('goes on behind a page, at its end, and from now on', async () => {
  const api = await startEventService();
  const { next: fromEmpty } = await readEvents(api, { after: 'now' });
  await api.aTaskIn(6);
  await pollUntil(api, (events) => events.length === 3);
  const first = await readEvents(api, { limit: 2 });
  expect(first).toMatchObject({ more: true, events: [{}, {}] });
  const second = await readEvents(api, { limit: 2, after: first.next });
  expect(second).toMatchObject({ more: false, events: [{ data: { status: 6 } }] });
  expect((await readEvents(api, { after: fromEmpty })).events).toHaveLength(3);
  const { next } = await readEvents(api, { after: 'now' });
  expect((await readEvents(api, { after: next })).events).toEqual([]);
  const { id } = await api.aTaskIn(1);
  await pollUntil(api, (events) => events.length === 4);
  expect((await readEvents(api, { after: next })).events).toMatchObject([{ data: { taskId: id } }]);
});

it('goes on behind a cursor that release 0.5 gave, with what both releases listed', async () => {
  const api = await startApi();
  onTestFinished(() => api.stop());
  const now = Date.now();
  const time = new Date(now).toISOString();
  const data = { contactId: 'someone', dataSourceId: 'somewhere' };
  const event = (id: string) => ({ id, type: 'contact.erased', time, data }) as const;
  await listAsBefore(api.database, [event('a'), event('b')], now);
  const page = now + 1;
  const cursorOfBefore = (index: number) => [page, index, now].map((each) => each.toString(36)).join('-');
  await new EventList(api.database).append([event('c')], now + 1);
  // A function of 0.5 that was not replaced yet.
  await listAsBefore(api.database, [event('d')], now + 2);
  const readAll = async (after: string) => {
    const ids: string[] = [];
    for (let next = after, more = true; more; ) {
      const answer = await readEvents(api, { after: next, limit: 1 });
      ids.push(...answer.events.map(({ id }) => id));
      next = answer.next;
      more = answer.more;
    }
    return ids;
  };
  expect(await readAll(cursorOfBefore(0))).toEqual(['a', 'b', 'c', 'd']);
  expect(await readAll(cursorOfBefore(2))).toEqual(['c', 'd']);
});

it('refuses a cursor that is older than the list, and what is not a cursor', async () => {
  let time = Date.now();
  const api = await startEventService({}, () => time);
  const { next } = await readEvents(api);
  // A reader has an hour more for its next request.
  time += 30 * dayMs + hourMs;
  const { next: later } = await readEvents(api, { after: next });
  time += 1;
  const expired = await api.get('/api/event/list', { after: next });
  expectError(expired, 400, /^after: the cursor is older than the list/);
  expect(expired.headers.get('x-error-code')).toBe('CURSOR_EXPIRED');
  await readEvents(api, { after: later });
  expectError(await api.get('/api/event/list', { after: 'yesterday' }), 400, /^after: /);
  expectError(await api.get('/api/event/list', { types: 'task.gone' }), 400, /^types: "task.gone"/);
  expectError(await api.get('/api/event/list', { limit: 501 }), 400, /limit/);
});
