import { idOnce, type RequestKey } from '../platform/requests/effects.ts';
import { invalid, ServiceError } from '../platform/rules/errors.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import type { Instant } from '../platform/time/time.ts';
import type { DeliveryRow, DeliveryRows, WaitingDeliveries } from './deliveries.ts';
import type { EventList } from './event-list.ts';
import { type Progress, testType } from './rules/progress.ts';
import type { ServiceEvent } from './rules/service-event.ts';
import { filterOf, type SendWish } from './rules/webhook.ts';
import type { DeliveryClaims, StoredWebhook, Webhooks } from './webhooks.ts';

type Dependencies = {
  database: Database;
  webhooks: Webhooks;
  claims: DeliveryClaims;
  waiting: WaitingDeliveries;
  rows: DeliveryRows;
  eventList: EventList;
  newId: () => string;
};

type WebhookStanding = { webhook: StoredWebhook; progress: Progress; waitingCount: number };

/** Waiting events are counted up to this number. */
const countedAtMost = 1000;
const readsAtOnce = 8;

/** What operators see of webhooks. */
export class WebhookReader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async all(now: Instant): Promise<WebhookStanding[]> {
    const { webhooks, claims } = this.#deps;
    const [found, progressOf] = await Promise.all([webhooks.all(), claims.all()]);
    return (
      await concurrently(found, readsAtOnce, async (webhook) => {
        const progress = progressOf.get(webhook.id);
        // The webhook was added or deleted between the two reads.
        if (progress === undefined) return [];
        return [{ webhook, progress, waitingCount: await this.#waiting(webhook, progress, now) }];
      })
    ).flat();
  }

  /** The attempts before the position `before`, newest first. @throws ServiceError notFound */
  async attempts(
    id: string,
    { before, pageSize }: { before: string | undefined; pageSize: number },
    isWanted: (row: DeliveryRow) => boolean,
  ): Promise<{ rows: DeliveryRow[]; next: string | null }> {
    const { webhooks, claims, rows } = this.#deps;
    await webhooks.find(id);
    const count = (await claims.progressOf(id))?.attemptCount ?? 0;
    const page = { before: Number(before ?? count), pageSize, count };
    const { next, ...found } = await rows.page(id, page, isWanted);
    return { ...found, next: next === null ? null : String(next) };
  }

  async #waiting(webhook: StoredWebhook, { position }: Progress, now: Instant): Promise<number> {
    const { waiting, eventList } = this.#deps;
    const single = await waiting.count(webhook.id, countedAtMost);
    const { events } = await eventList.read(position, filterOf(webhook), countedAtMost, now);
    return Math.min(single + events.length, countedAtMost);
  }
}

const writesAtOnce = 8;

/** Sends tests and events again on request of a client. */
export class Resends {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Puts what the client asks for on the agenda.
   * @throws ServiceError notFound; conflict while the webhook is switched off; invalid
   */
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

  /**
   * In the order of the ids.
   * @throws ServiceError invalid naming an id that is unknown, or not for this webhook
   */
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
