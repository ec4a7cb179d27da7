import { onTestFinished } from 'vitest';
import { startService } from '../../../local/service.ts';
import { inMemory, type Settings } from '../../../local/settings.ts';
import { EventList } from '../../../shared/events/event-list.ts';
import { Webhooks } from '../../../shared/events/webhooks.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { Api, accessToken, succeeded } from './api.ts';

export type ListedEvent = {
  id: string;
  type: string;
  time: string;
  data: Record<string, unknown>;
  call?: unknown;
};
type Events = { events: ListedEvent[]; next: string; more: boolean };

/** The whole service in this process, with its list of events. It ends with the test. */
export const startEventService = async (
  settings: Partial<Settings> = {},
  now: () => number = Date.now,
): Promise<Api> => {
  const usual = { port: 0, host: '127.0.0.1', dataDir: inMemory, accessToken, ...serviceSettings({}) };
  const service = await startService({ ...usual, ...settings }, now);
  const api = new Api();
  api.attach(service.url, service.close);
  onTestFinished(() => api.stop());
  return api;
};

export const readEvents = async (api: Api, query: Record<string, string | number> = {}): Promise<Events> =>
  succeeded(await api.get('/api/event/list', query)) as unknown as Events;

/** A poller: follows `next` until it has seen the events that it waits for. Repeats are dropped. */
export const pollUntil = async (
  api: Api,
  isEnough: (events: ListedEvent[]) => boolean,
  query: Record<string, string | number> = {},
): Promise<ListedEvent[]> => {
  const seen = new Map<string, ListedEvent>();
  let after: string | undefined;
  for (let asked = 0; asked < 2000; asked++) {
    const { events, next, more } = await readEvents(api, { ...query, ...(after && { after }) });
    for (const event of events) if (!seen.has(event.id)) seen.set(event.id, event);
    if (isEnough([...seen.values()])) return [...seen.values()];
    after = next;
    if (!more) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`only these events came: ${JSON.stringify([...seen.values()])}`);
};

/** What the function that lists events works with, on a table without webhooks. */
export const listingRuntime = (database: Database, now: () => number = Date.now) => ({
  eventList: new EventList(database),
  webhooks: new Webhooks(database),
  wakes: { wake: async () => {} },
  formatTime: timeIn('UTC'),
  now,
});
