import { expect, it } from 'vitest';
import type { Progress } from '../../../shared/domain/webhooks/progress.ts';
import { createWebhook } from '../../../shared/domain/webhooks/webhook.ts';
import { createRuntime } from '../../../shared/runtime/runtime.ts';
import { withWebhooks } from '../../../shared/runtime/webhooks.ts';
import { serviceSettings } from '../../../shared/settings/environment.ts';
import { watchDeliveries } from '../../../shared/webhooks/delivery-watch.ts';
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
  const turn = (await stores.turns.take(id, start, start, false))!;
  await stores.turns.end({ ...turn, progress: { ...turn.progress, ...progress } });
  const woken: string[] = [];
  const wakes = { wake: async (ids: readonly string[]) => void woken.push(...ids) };
  const watch = async () => {
    await watchDeliveries({ ...stores, wakes });
    await close();
    return woken;
  };
  return { ...stores, watch };
};
type Stores = Awaited<ReturnType<typeof opened>>;
const list = ({ eventList }: Stores) => eventList.append([event], start);
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
