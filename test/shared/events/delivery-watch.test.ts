import { expect, it, onTestFinished, vi } from 'vitest';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../../shared/app/runtime/webhooks.ts';
import type { Progress } from '../../../shared/events/rules/progress.ts';
import { createWebhook } from '../../../shared/events/rules/webhook.ts';
import { queueWakes, watchDeliveries } from '../../../shared/events/wakes.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { openStandIn } from '../../support/aws/http-stand-in.ts';
import { hour, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';

const id = '0'.repeat(16);
const held = { failures: 5, failingSince: start, knockTime: start + hour };
const event = { id: 'one', type: 'task.deleted', time: new Date(start).toISOString(), data: {} } as const;

const opened = async (progress: Partial<Progress>) => {
  const { database, close } = await engines[0]!.open();
  const stores = withWebhooks(createRuntime({ ...serviceSettings({}), now: () => start }, database));
  const settings = { url: 'https://example.com', taskIds: [], expandCall: false, description: '' };
  const position = { page: 0, index: 0, time: start };
  await stores.webhooks.add(createWebhook(settings, id, 'whsec_', start), position);
  const claim = (await stores.claims.claim(id, start, start, false))!;
  await stores.claims.release({ ...claim, progress: { ...claim.progress, ...progress } });
  const woken: string[] = [];
  const wakes = { wake: async (ids: readonly string[]) => void woken.push(...ids) };
  const watch = async (measured: object[] = []) => {
    await watchDeliveries({ ...stores, wakes }, (values) => void measured.push(values));
    await close();
    return woken;
  };
  return { ...stores, watch };
};
type Stores = Awaited<ReturnType<typeof opened>>;
const list = ({ eventList }: Stores, time = start) =>
  eventList.append([{ ...event, time: new Date(time).toISOString() }], start);
const ask = ({ resends }: Stores) => resends.ask(id, { kind: 'test' }, start);
const stretch = ({ resends }: Stores) =>
  resends.ask(id, { kind: 'stretch', from: start, to: start + hour }, start);
const resume = async (stores: Stores) => {
  await list(stores);
  await stores.webhooks.change(id, { enabled: false }, start + 1);
  await stores.webhooks.change(id, { enabled: true }, start + 2);
};

it.each([
  ['nothing to do', {}, async () => undefined, []],
  ['an event', {}, list, [id]],
  ['a stretch', {}, stretch, [id]],
  ['an event, held', held, list, []],
  ['a stretch, held', held, stretch, []],
  ['a test that a client asked for, held', held, ask, [id]],
  ['an event, resumed since it was held', held, resume, [id]],
  ['an event, at its time to knock', { ...held, knockTime: start }, list, [id]],
])('a webhook is woken when it has to be: %s', async (_, progress, prepare, expected) => {
  const stores = await opened(progress);
  await prepare(stores);
  expect(await stores.watch()).toEqual(expected);
});

const disable = ({ webhooks }: Stores) =>
  webhooks.find(id).then((webhook) => webhooks.disable(webhook, 'gone'));
const minutes = (count: number) => ({ failingSince: start - count * 60_000 });

it.each([
  ['an event of an hour ago', {}, (stores: Stores) => list(stores, start - hour), 0, 3600],
  ['fails for 14 minutes', minutes(14), async () => undefined, 0, 0],
  ['fails for 15 minutes', minutes(15), async () => undefined, 1, 0],
  ['is switched off by the service', {}, disable, 1, 0],
])('how far a webhook is behind is measured: %s', async (_, progress, prepare, failing, age) => {
  const stores = await opened(progress);
  await prepare(stores);
  const measured: object[] = [];
  await stores.watch(measured);
  expect(measured).toEqual([{ WebhooksFailing: failing, DeliveryAgeSeconds: age }]);
});

it('the queue is sent a message for each webhook, ten at a time', async () => {
  const queue = await openStandIn(() => ({ body: { Successful: [] } }));
  onTestFinished(queue.close);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ['ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'REGION']) vi.stubEnv(`AWS_${name}`, 'x');
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', queue.client.endpoint);
  const ids = Array.from({ length: 21 }, (_, at) => `webhook-${at}`);
  const { wake } = queueWakes(`${queue.client.endpoint}/queue`);
  await wake([]);
  await wake(ids, 1500);
  await wake(['one'], hour);
  type Message = { Id: string; MessageBody: string; DelaySeconds: number };
  const batches = queue.requests.map(({ body }) => body.Entries as Message[]);
  expect(batches.map(({ length }) => length)).toEqual([10, 10, 1, 1]);
  const sent = batches.flat().map(({ MessageBody }) => JSON.parse(MessageBody).webhookId);
  expect(sent).toEqual([...ids, 'one']);
  expect(new Set(batches.flat().map(({ DelaySeconds }) => DelaySeconds))).toEqual(new Set([2, 900]));
  await queue.close();
  await expect(wake(['one'])).resolves.toBeUndefined();
});

it('at most 1,000 waiting events are counted', async () => {
  const stores = await opened({});
  const events = Array.from({ length: 1000 }, (_, at) => ({ ...event, id: `event-${at}` }));
  await stores.eventList.append(events, start);
  await ask(stores);
  expect((await stores.webhookReader.all(start)).map(({ waitingCount }) => waitingCount)).toEqual([1000]);
  await stores.watch();
});
