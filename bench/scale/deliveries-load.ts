import { createRuntime } from '../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../shared/app/runtime/webhooks.ts';
import { Deliverer } from '../../shared/events/deliverer.ts';
import { createWebhook } from '../../shared/events/rules/webhook.ts';
import { serviceSettings } from '../../shared/platform/settings/settings.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { secondMs } from '../../shared/platform/time/time.ts';
import { seedTime } from '../../test/support/engines/seed-contacts.ts';
import { eventsOfCall } from './list-load.ts';
import { openWorld, type World } from './world.ts';

const calls = 500;
const receiverMs = 100;

/** @returns the events a second that one webhook sends to a receiver of 100 ms */
export const measureDeliveries = async (): Promise<number> => {
  const world = await openWorld();
  try {
    return await world.time.run(() => measure(world));
  } finally {
    await world.close();
  }
};

const measure = async ({ time, table, tableName, newId, now }: World): Promise<number> => {
  const database = new Database(table.client, tableName);
  const service = withWebhooks(createRuntime({ ...serviceSettings({}), now }, database));
  const runtime = { ...service, wakes: { wake: async () => {} } };
  const position = await runtime.eventList.end();
  const events = Array.from({ length: calls }, () => eventsOfCall(newId)).flat();
  await runtime.eventList.append(events, now());
  const id = newId();
  const settings = { url: 'https://example.com', taskIds: [], expandCall: false, description: '' };
  await runtime.webhooks.add(createWebhook(settings, id, 'whsec_', seedTime), { ...position, time: now() });
  const post = async () => {
    await time.sleep(receiverMs);
    return { status: 200, ms: receiverMs };
  };
  const begun = time.now;
  await new Deliverer({ ...runtime, receivers: { post } }).run(id, { isTimeUp: () => false });
  const seconds = (time.now - begun) / secondMs;
  return events.length / seconds;
};
