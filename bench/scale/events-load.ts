import { createRuntime } from '../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../shared/app/runtime/webhooks.ts';
import { Deliverer } from '../../shared/events/deliverer.ts';
import type { EventList } from '../../shared/events/event-list.ts';

import { createWebhook } from '../../shared/events/rules/webhook.ts';
import { serviceSettings } from '../../shared/platform/settings/settings.ts';
import { Database } from '../../shared/platform/table/database.ts';
import { secondMs } from '../../shared/platform/time/time.ts';
import { seedTime } from '../../test/support/engines/seed-contacts.ts';
import { keyUnits } from './heat.ts';
import { openWorld, type World } from './world.ts';

export type EventsFigures = {
  /** Write units of the key of the list for each call, which ends and settles its contact. */
  units: number;
  /** Calls a second at which that key has all the units that a key takes. */
  ceiling: number;
  /** Events a second that one webhook sends to a receiver of 100 ms. */
  deliveries: number;
};

/** Listed in one second, by functions that get up to 100 changes at a time. */
const calls = 500;
const changesAtOnce = 100;
const receiverMs = 100;

export const measureEvents = async (): Promise<EventsFigures> => {
  const world = await openWorld();
  try {
    return await world.time.run(() => measure(world));
  } finally {
    await world.close();
  }
};

const measure = async ({ time, heat, table, tableName, newId, now }: World): Promise<EventsFigures> => {
  const database = new Database(table.client, tableName);
  const service = withWebhooks(createRuntime({ ...serviceSettings({}), now }, database));
  const runtime = { ...service, wakes: { wake: async () => {} } };
  const position = await runtime.eventList.end();
  const events = Array.from({ length: calls }, () => eventsOfCall(newId)).flat();
  heat.begin();
  for (let at = 0; at < events.length; at += changesAtOnce)
    await runtime.eventList.append(events.slice(at, at + changesAtOnce), now());
  const units = heat.unitsOf('EVENTS') / calls;
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
  return { units, ceiling: keyUnits / units, deliveries: events.length / seconds };
};

/** What the stream tells of a call that settles its contact. */
const eventsOfCall = (newId: () => string): Parameters<EventList['append']>[0] => {
  const [taskId, dataSourceId] = [newId(), newId()];
  const contactId = `${dataSourceId}-123456`;
  const callId = `${taskId}-123456-0123456789`;
  const time = new Date(seedTime).toISOString();
  const ended = {
    ...{ taskId, dataSourceId, callId, contactId, attempt: 1 },
    ...{ startTime: '2026-05-05 09:00:00', endTime: '2026-05-05 09:00:42', duration: 42 },
    ...{ outcome: 'noAnswer', reason: 'noAnswer', final: true, disposition: null },
    ...{ callbackTime: null, doNotCall: false },
  };
  const settled = {
    ...{ taskId, dataSourceId, contactId, callId, outcome: 'noAnswer', reason: 'noAnswer', status: 3 },
    ...{ callCount: 1, callDuration: 42, lastCallTime: '2026-05-05 09:00:42' },
  };
  return [
    { id: newId(), type: 'call.ended', time, data: ended },
    { id: newId(), type: 'contact.settled', time, data: settled },
  ];
};
