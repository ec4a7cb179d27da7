import { EventList } from '../../../shared/events/event-list.ts';
import { succeeded } from '../service/api.ts';
import { send } from '../service/post-scenarios.ts';
import type { FaultProcess } from './fault-process.ts';
import { arrival, arriving, cancelling, invoking, upload } from './lively-task.ts';
import type { Run } from './scenario.ts';
import type { World } from './world.ts';

type Call = { callId: string; contactId: string; phoneNumber: string };

const phoneOf = (number: number) => `1390000000${number}`;

const file = `phoneNumber,plan\n${phoneOf(5)},gold\n${phoneOf(6)},silver\n`;

/**
 * A world in which every operation finds something to do: two running tasks share contacts, others
 * have ended.
 */
export const aCampaign = async (process: FaultProcess, world: World) => {
  const { id: source } = await process.aDataSource({ dataSourceName: 'shared' });
  const contacts: string[] = [];
  for (const number of [0, 1, 2, 3, 4]) {
    const { id } = await process.aContact(source, { phoneNumber: phoneOf(number) });
    contacts.push(String(id));
  }
  const rules = { dataSourceId: source, maxDialCount: 2, callInterval: 0 };
  const running = { ...rules, maxConcurrentCalls: 30, callsPerMinute: 100 };
  const { id: task } = await process.aTaskIn(1, { taskName: 'running', ...running });
  const { id: other } = await process.aTaskIn(1, { taskName: 'other', ...rules, maxDialCount: 1 });
  const { id: paused } = await process.aTaskIn(2, { taskName: 'paused', ...rules });
  const { id: stopped } = await process.aTaskIn(1, { taskName: 'stopped', ...rules });
  const late = succeeded(
    await process.post('/api/dialer/lease', { taskId: stopped, limit: 1, leaseSeconds: 10 }),
  );
  succeeded(await process.post('/api/task/stop', { id: stopped }));
  const { id: spare } = await process.aDataSource({ dataSourceName: 'spare' });
  const { id: bare } = await process.aDataSource({ dataSourceName: 'bare' });
  await process.aContact(bare, { phoneNumber: phoneOf(7) });
  const { id: draft } = await process.aTask({ taskName: 'draft', dataSourceId: spare });
  const leased = succeeded(await process.post('/api/dialer/lease', { taskId: task, limit: 3 }));
  const [call, failed, second] = leased.calls as [Call, Call, Call];
  const [last] = late.calls as [Call];
  succeeded(await process.post('/api/dialer/result', { callId: failed.callId, outcome: 'failed' }));
  await process.aContact('do-not-call', { phoneNumber: phoneOf(4) });
  const { id: otherDraft } = await process.aTask({ taskName: 'other draft', dataSourceId: spare });
  const { id: empty } = await process.aDataSource({ dataSourceName: 'empty' });
  const { importId, key } = await upload(process, world, spare, file, { onDuplicate: 'update' });
  const receiver = { url: 'https://receiver.example.com', types: ['task.deleted'] };
  const { id: webhook } = succeeded(await process.post('/api/webhook/add', receiver));
  const time = new Date(world.clock.now()).toISOString();
  const events = ['first', 'refused'].map((id) => ({ id, type: 'task.deleted' as const, time, data: {} }));
  await new EventList(process.database).append(events, world.clock.now());
  // The lease of the stopped task has ended.
  world.clock.advance(11);
  return {
    webhook: String(webhook),
    source,
    spare,
    bare,
    contacts,
    task,
    other,
    paused,
    stopped,
    draft,
    call,
    failed,
    second,
    last,
    importId,
    key,
    otherDraft,
    empty,
  };
};

type Campaign = Awaited<ReturnType<typeof aCampaign>>;

const posting =
  (path: string, body: object): Run =>
  (process) =>
    send(process, { path, body }, undefined);

/** What clients and schedules do in it, by name. */
export const operationsIn = (made: Campaign): Record<string, Run> => {
  const { source, spare, bare, contacts, task, other, paused, stopped, draft } = made;
  const { call, failed, second, last, importId, key, otherDraft, empty, webhook } = made;
  const inSource = (verb: string, body: object) => posting(`/api/dataSource/${source}/contact/${verb}`, body);
  const result = (more: object, { callId }: Call = call) =>
    posting('/api/dialer/result', { callId, duration: 3, ...more });
  const moved = (verb: string, id: string) => posting(`/api/task/${verb}`, { id });
  const importing =
    (id: string): Run =>
    (process) =>
      send(process, { path: `/api/dataSource/${id}/contact/batchImport`, file }, undefined);
  const receiver = { url: 'https://receiver.example.com', types: ['task.deleted'] };
  return {
    'add a webhook': posting('/api/webhook/add', receiver),
    'describe the webhook': posting('/api/webhook/update', { id: webhook, description: 'CRM' }),
    'switch the webhook off': posting('/api/webhook/update', { id: webhook, enabled: false }),
    'delete the webhook': posting('/api/webhook/delete', { id: webhook }),
    'send to the webhook': posting('/api/webhook/send', { id: webhook, test: true }),
    'deliver to the webhook': invoking('deliverEvents', {
      Records: [{ body: JSON.stringify({ webhookId: webhook }) }],
    }),
    lease: posting('/api/dialer/lease', { taskId: task, limit: 2 }),
    'lease of another task': posting('/api/dialer/lease', { taskId: other, limit: 2 }),
    'lease of any task': posting('/api/dialer/lease', { limit: 3 }),
    'result: success': result({ outcome: 'success' }),
    'result: failed': result({ outcome: 'failed' }),
    'result: do not call': result({ outcome: 'success', doNotCall: true }),
    'result: call back': result({ outcome: 'noAnswer', callbackTime: '2026-05-05 10:00:00' }),
    'result: call back later': result({ outcome: 'noAnswer', callbackTime: '2026-05-06 10:00:00' }, second),
    'result of a stopped task': result({ outcome: 'failed' }, last),
    release: posting('/api/dialer/release', { callId: call.callId, waitSeconds: 60 }),
    extend: posting('/api/dialer/extend', { callId: call.callId, leaseSeconds: 600 }),
    'recall of one': posting(`/api/task/${task}/recall`, { contactIds: [failed.contactId] }),
    'recall of all': posting(`/api/task/${task}/recall`, {}),
    'fail a task': posting('/api/dialer/fail', { taskId: task, reason: 'the trunk is gone' }),
    'add a contact': inSource('add', { phoneNumber: phoneOf(5), plan: 'gold' }),
    'change a number': inSource('update', { contactId: contacts[3], phoneNumber: phoneOf(9) }),
    'change to a new number': inSource('update', { contactId: contacts[3], phoneNumber: phoneOf(5) }),
    'change a field': inSource('update', { contactId: contacts[0], note: 'silver' }),
    'delete a contact': inSource('delete', { contactId: contacts[2] }),
    'delete a contact in a call': inSource('delete', { contactId: contacts[0] }),
    'batch add': inSource('batchAdd', {
      contacts: [{ phoneNumber: phoneOf(5) }, { phoneNumber: phoneOf(0), plan: 'gold' }],
      onDuplicate: 'update',
    }),
    'batch delete': inSource('batchDelete', { phoneNumbers: [phoneOf(0), phoneOf(2)] }),
    import: importing(source),
    'import an upload': arriving(arrival(key, file)),
    'cancel an import': cancelling(spare, importId),
    'exclude a number': posting('/api/dataSource/do-not-call/contact/add', { phoneNumber: phoneOf(2) }),
    erase: posting('/api/contact/erase', { phoneNumber: phoneOf(0) }),
    'rename a data source': posting('/api/dataSource/update', { id: source, dataSourceName: 'spare two' }),
    'rename another data source': posting('/api/dataSource/update', {
      id: spare,
      dataSourceName: 'spare two',
    }),
    'delete a data source': posting('/api/dataSource/delete', { id: bare }),
    'add to the data source': posting(`/api/dataSource/${bare}/contact/add`, { phoneNumber: phoneOf(8) }),
    'rename the data source': posting('/api/dataSource/update', { id: bare, dataSourceName: 'barer' }),
    'import to the data source': importing(bare),
    'add a data source': posting('/api/dataSource/add', { dataSourceName: 'spare two' }),
    'add another data source': posting('/api/dataSource/add', { dataSourceName: 'spare three' }),
    'delete another data source': posting('/api/dataSource/delete', { id: empty }),
    'add another task': posting('/api/task/add', { taskName: 'newer', dataSourceId: bare }),
    'delete another task': moved('delete', otherDraft),
    'exclude by a task': posting('/api/task/update', { id: otherDraft, excludedDataSourceIds: [bare] }),
    'add a task': posting('/api/task/add', { taskName: 'new', dataSourceId: bare }),
    'change a task': posting('/api/task/update', { id: draft, taskName: 'new', dataSourceId: source }),
    publish: moved('publish', draft),
    pause: moved('pause', task),
    resume: moved('resume', paused),
    stop: moved('stop', task),
    close: moved('close', stopped),
    'delete a task': moved('delete', draft),
    adjust: posting('/api/task/adjust', { id: task, weekdays: [1], maxConcurrentCalls: 2 }),
    'schedule: tasks': invoking('doDueWork'),
    'schedule: files': invoking('doDueFileWork'),
  };
};
