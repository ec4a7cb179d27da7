import type { Instant } from '../../domain/time.ts';
import type { Progress } from '../../domain/webhooks/progress.ts';
import { filterOf } from '../../domain/webhooks/webhook.ts';
import type { EventList } from '../events/index.ts';
import { concurrently } from '../table/index.ts';
import type { DeliveryRow, DeliveryRows } from './delivery-rows.ts';
import type { Turns } from './turns.ts';
import type { WaitingDeliveries } from './waiting-deliveries.ts';
import type { StoredWebhook, Webhooks } from './webhooks.ts';

type Dependencies = {
  webhooks: Webhooks;
  turns: Turns;
  waiting: WaitingDeliveries;
  rows: DeliveryRows;
  eventList: EventList;
};

type WebhookStanding = { webhook: StoredWebhook; progress: Progress; waitingCount: number };

/** Waiting events are not counted any further. */
const countedAtMost = 1000;
const readsAtOnce = 8;

/** What operators see of webhooks. */
export class WebhookReader {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async all(now: Instant): Promise<WebhookStanding[]> {
    const { webhooks, turns } = this.#deps;
    const [found, progressOf] = await Promise.all([webhooks.all(), turns.all()]);
    return (
      await concurrently(found, readsAtOnce, async (webhook) => {
        const progress = progressOf.get(webhook.id);
        // Added or deleted between the two reads.
        if (progress === undefined) return [];
        return [{ webhook, progress, waitingCount: await this.#waiting(webhook, progress, now) }];
      })
    ).flat();
  }

  /** The newest first. `before`: the position where a page begins. @throws ServiceError notFound */
  async attempts(
    id: string,
    { before, pageSize }: { before: string | undefined; pageSize: number },
    isWanted: (row: DeliveryRow) => boolean,
  ): Promise<{ rows: DeliveryRow[]; next: string | null }> {
    const { webhooks, turns, rows } = this.#deps;
    await webhooks.find(id);
    const count = (await turns.progressOf(id))?.attemptCount ?? 0;
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
