import { expect, it } from 'vitest';
import { taskSettings } from '../../shared/tasks/rules/task-settings.ts';
import { DialingApi, phoneOf } from '../support/dialing/dialing-api.ts';
import { blocksOf, pages } from '../support/docs/pages.ts';
import { imported } from '../support/files/contact-files.ts';
import { type Api, succeeded } from '../support/service/api.ts';
import { type ListedEvent, pollUntil, startEventService } from '../support/service/event-service.ts';
import { addWebhook, aReceiver, eventually } from '../support/service/webhook-receiver.ts';

type Json = unknown;

/**
 * Their names are those of contacts, dispositions or tasks. `data` is shortened where it is
 * explained elsewhere.
 */
const free = ['fields', 'callSettings', 'tasks', 'byDisposition', 'data'];

/** The names of an object and the kinds of its values. `null` stands for any kind. */
const shapeOf = (value: Json, other: Json): Json => {
  if (value === null || other === null) return null;
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    return value.length === 0 || others.length === 0 ? [] : [shapeOf(value[0], others[0])];
  }
  if (typeof value !== 'object') return typeof value;
  const others = other as Record<string, Json>;
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [
      name,
      free.includes(name) ? 'free' : shapeOf(each, others?.[name] ?? null),
    ]),
  );
};

const expectAlike = (written: Json, real: Json, where: string) =>
  expect([where, shapeOf(written, real)]).toEqual([where, shapeOf(real, written)]);

/** A campaign of which every kind of event is told, and what the service answered meanwhile. */
const aCampaign = async (api: Api) => {
  const gone = await aReceiver();
  gone.answer(() => ({ status: 410 }));
  const receiver = await aReceiver();
  await addWebhook(api, { url: receiver.url });
  const people = [0, 1].map((i) => ({ phoneNumber: phoneOf(i), customerName: 'Li Wei' }));
  const rules = { maxDialCount: 2, dispositions: [{ code: 'promised' }], callSettings: { language: 'zh' } };
  const { id, dataSourceId } = await api.aTaskOf(people, rules);
  const lease = succeeded(await api.post('/api/dialer/lease', { taskId: id, limit: 2 }));
  const [first, second] = lease.calls as unknown as { callId: string }[];
  const told = { duration: 42, disposition: 'promised', summary: 'Pays on Friday.', data: { amount: 120 } };
  const result = succeeded(
    await api.post('/api/dialer/result', { callId: first!.callId, outcome: 'success', ...told }),
  );
  await new DialingApi(api).result(second!.callId, 'noAnswer', 0);
  const call = succeeded(await api.get(`/api/call/detail/${first!.callId}`));
  const overview = succeeded(await api.get(`/api/task/${id}/overview`));
  await addWebhook(api, { url: gone.url });
  const report = await imported(api, dataSourceId, Buffer.from(`phoneNumber\n+4930123458\n${phoneOf(0)}\n`));
  succeeded(await api.post('/api/contact/erase', { phoneNumber: phoneOf(1) }));
  succeeded(await api.post('/api/task/stop', { id, reason: 'enough' }));
  succeeded(await api.post('/api/task/close', { id }));
  succeeded(await api.post('/api/task/delete', { id }));
  succeeded(await api.post('/api/dataSource/delete', { id: dataSourceId }));
  const types = [
    ...['task.state_changed', 'call.ended', 'contact.settled', 'contact.erased', 'import.ended'],
    ...['task.deleted', 'data_source.deleted', 'webhook.disabled'],
  ];
  const isThere = (events: ListedEvent[]) =>
    types.every((type) => events.some((event) => event.type === type));
  const events = await pollUntil(api, isThere);
  const event = (type: string) => events.find((each) => each.type === type)!;
  const [delivery] = await eventually(
    () => receiver.received,
    ({ length }) => length > 0,
  );
  return {
    lease,
    result,
    call,
    overview,
    report,
    delivery: JSON.parse(delivery!.body) as Json,
    types,
    event,
  };
};

it('the JSON of the pages is what the service answers', async () => {
  const api = await startEventService();
  const { lease, result, call, overview, report, delivery, types, event } = await aCampaign(api);
  const inputs = Object.keys(taskSettings);
  const withoutInputs = Object.entries(overview).filter(([name]) => !inputs.includes(name));
  const real: Record<string, Json[]> = {
    'docs/dialing.md': [lease, result],
    'docs/dialing-reference.md': [call],
    'docs/api-tasks.md': [Object.fromEntries(withoutInputs)],
    'docs/api-files.md': [report],
    'docs/events.md': [event('call.ended'), delivery, ...types.map((type) => event(type).data)],
  };
  for (const page of pages) {
    const blocks = blocksOf(page).filter(({ language }) => language === 'json');
    // The settings of a stage and a policy of AWS.
    if (page === 'docs/deployment.md') continue;
    expect([page, blocks.length]).toEqual([page, real[page]?.length ?? 0]);
    for (const [at, { text, line }] of blocks.entries()) {
      const { '…': _, ...written } = JSON.parse(text);
      expectAlike(page === 'docs/api-files.md' ? written.data : written, real[page]?.[at], `${page}:${line}`);
    }
  }
});
