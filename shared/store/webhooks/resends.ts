import { invalid, ServiceError } from '../../domain/errors.ts';
import type { ServiceEvent } from '../../domain/events/service-event.ts';
import type { Instant } from '../../domain/time.ts';
import { testType } from '../../domain/webhooks/progress.ts';
import type { SendWish } from '../../domain/webhooks/send-wish.ts';
import { filterOf } from '../../domain/webhooks/webhook.ts';
import type { EventList } from '../events/index.ts';
import { idOnce, type RequestKey } from '../requests/index.ts';
import { concurrently, type Database } from '../table/index.ts';
import type { DeliveryRows } from './delivery-rows.ts';
import type { WaitingDeliveries } from './waiting-deliveries.ts';
import type { StoredWebhook, Webhooks } from './webhooks.ts';

type Dependencies = {
  database: Database;
  webhooks: Webhooks;
  waiting: WaitingDeliveries;
  rows: DeliveryRows;
  eventList: EventList;
  newId: () => string;
};

const writesAtOnce = 8;

/** Sends tests and events again because a client asked for it. */
export class Resends {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Puts what is asked for on the agenda. @throws ServiceError notFound; conflict while it is switched off; invalid */
  async ask(webhookId: string, wish: SendWish, now: Instant, requestKey?: RequestKey): Promise<void> {
    const { database, webhooks, waiting, eventList, newId } = this.#deps;
    const webhook = await webhooks.find(webhookId);
    if (!webhook.enabled)
      throw new ServiceError('WEBHOOK_DISABLED', 'the webhook is switched off; switch it on first');
    const events = wish.kind === 'events' ? await this.#find(webhook, wish.ids) : [];
    const id = await idOnce(database, requestKey, `webhook#send#${webhookId}`, newId);
    if (wish.kind === 'stretch') {
      const position = { ...(await eventList.positionAt(wish.from)), time: now };
      await waiting.askForStretch(webhookId, { id, from: wish.from, to: wish.to, position });
      return;
    }
    if (wish.kind === 'test') {
      const time = new Date(now).toISOString();
      await waiting.ask(webhookId, id, { id: `test-${id}`, type: testType, time, data: { webhookId } });
      return;
    }
    await concurrently([...events.entries()], writesAtOnce, ([at, event]) =>
      waiting.ask(webhookId, `${id}#${at}`, event),
    );
  }

  /** In the order of the ids. @throws ServiceError invalid naming an id that is unknown, or not for this webhook */
  async #find(webhook: StoredWebhook, ids: readonly string[]): Promise<ServiceEvent[]> {
    const { rows, eventList } = this.#deps;
    const isWanted = filterOf(webhook);
    const found = new Map<string, ServiceEvent>();
    for (const { event } of await rows.all(webhook.id))
      if (event.type !== testType) found.set(event.id, event as ServiceEvent);
    const others = new Set(ids.filter((id) => !found.has(id)));
    if (others.size > 0) for (const event of await eventList.findRecent(others)) found.set(event.id, event);
    return ids.map((id) => {
      const event = found.get(id);
      if (event === undefined)
        throw invalid('eventIds', `"${id}" is not among the last events; send a stretch of time`, 'UNKNOWN');
      if (!isWanted(event)) throw invalid('eventIds', `the webhook does not get the event "${id}"`);
      return event;
    });
  }
}
