import type { CallReader } from '../calls/call-reader.ts';
import { countAll } from '../platform/observability/metrics.ts';
import { concurrently } from '../platform/table/concurrency.ts';
import type { TransactItem } from '../platform/table/database.ts';
import { dayMs, type FormatTime, type Instant, minuteMs, secondMs } from '../platform/time/time.ts';
import { askedFor, type DeliveryRows, type Stretch, type WaitingDeliveries } from './deliveries.ts';
import type { EventList } from './event-list.ts';
import { type ExpandedEvent, withCalls } from './expanded-events.ts';
import { type Receivers, signed } from './receiver.ts';
import {
  type Attempt,
  afterAttempts,
  attempted,
  type Delivery,
  disabledBy,
  isHeld,
  isSuccess,
  mayKnock,
  type Progress,
  resumed,
} from './rules/progress.ts';
import { type EventFilter, isSamePosition, type ServiceEvent } from './rules/service-event.ts';
import { filterOf, signingSecrets, type Webhook } from './rules/webhook.ts';
import { longestDelayMs, type Wakes } from './wakes.ts';
import type { DeliveryClaim, DeliveryClaims, StoredWebhook, Webhooks } from './webhooks.ts';

type Dependencies = {
  webhooks: Webhooks;
  claims: DeliveryClaims;
  waiting: WaitingDeliveries;
  rows: DeliveryRows;
  eventList: EventList;
  receivers: Pick<Receivers, 'post'>;
  callReader: CallReader;
  formatTime: FormatTime;
  wakes: Wakes;
  now: () => Instant;
};

export type DeliveryRun = {
  /** Whether the run must stop. The next run does the rest. */
  isTimeUp: () => boolean;
  /** No other process is at work. */
  takesOver?: boolean;
};

/** Deliveries between two saves of the progress. */
const stepSize = 64;
const postsAtOnce = 32;
/** Longer than a run of the function lasts. */
const claimMs = 3 * minuteMs;
/** An event is listed within this time, even after an outage of the function that lists. */
const listedWithinMs = dayMs;

const countAttempts = (attempts: readonly Attempt[], givenUp: number) => {
  if (attempts.length === 0) return;
  const succeeded = attempts.filter(({ answer }) => isSuccess(answer)).length;
  countAll({
    DeliveriesSucceeded: succeeded,
    DeliveriesFailed: attempts.length - succeeded,
    DeliveriesGivenUp: givenUp,
  });
};

/** `id`: the entry in the agenda of a delivery that waited. */
type Step = {
  webhook: StoredWebhook;
  deliveries: readonly (Delivery & { id?: string })[];
  progress: Progress;
  /** Further writes, such as the progress of a stretch. */
  also: readonly TransactItem[];
};

/**
 * Delivers events to webhooks. A run claims one webhook, so that no other run delivers to it. It
 * works step by step: deliveries that are due, then a stretch that is sent again, then the list of
 * events behind the position. Each step is saved as a whole after its requests. A run that dies
 * before that is repeated from the last save, so the receiver gets some events twice, with the same
 * ids.
 *
 * New events are listed first, then a run is asked for. A run releases its claim first, then looks
 * for something to do once more. So either the new run gets the claim, or the old run sees the new
 * events.
 */
export class Deliverer {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async run(webhookId: string, run: DeliveryRun): Promise<void> {
    while (await this.#claimAndRun(webhookId, run));
  }

  /** @returns whether to claim the webhook once more */
  async #claimAndRun(webhookId: string, { isTimeUp, takesOver = false }: DeliveryRun): Promise<boolean> {
    const { claims, wakes, now } = this.#deps;
    let claim = await claims.claim(webhookId, now(), now() + claimMs, takesOver);
    if (claim === undefined) return false;
    try {
      let step = await this.#nextStep(claim);
      while (step !== undefined) {
        const saved = await this.#carryOut(claim, step);
        // The webhook was deleted, or another process goes on.
        if (saved === undefined) return false;
        claim = saved;
        step = isTimeUp() ? undefined : await this.#nextStep(claim);
      }
    } finally {
      // If the table does not answer, the claim expires by itself.
      await claims.release(claim).catch(() => undefined);
    }
    const hasMore = (await this.#nextStep(claim)) !== undefined;
    if (hasMore && !isTimeUp()) return true;
    if (hasMore) await wakes.wake([webhookId]);
    else await this.#wakeLater(claim);
    return false;
  }

  /** Due entries were just processed. The index lists them for at most a second more. */
  async #wakeLater({ webhookId, progress }: DeliveryClaim): Promise<void> {
    const { webhooks, waiting, wakes, now } = this.#deps;
    const due = await waiting.firstDue(webhookId, now() + longestDelayMs);
    if (due === undefined || !(await webhooks.findIfAny(webhookId))?.enabled) return;
    const delayMs = Math.max(due, isHeld(progress) ? (progress.knockTime ?? 0) : 0) - now();
    if (delayMs <= longestDelayMs) await wakes.wake([webhookId], Math.max(delayMs, secondMs));
  }

  /** The next thing to do, without doing it. @returns undefined if there is nothing to do now */
  async #nextStep({ webhookId, progress: stored }: DeliveryClaim): Promise<Step | undefined> {
    const { webhooks, now } = this.#deps;
    const webhook = await webhooks.findIfAny(webhookId);
    if (webhook === undefined || !webhook.enabled) return undefined;
    const progress = resumed(stored, webhook.resumeTime);
    const isWaiting = isHeld(progress);
    const limit = isWaiting ? 1 : stepSize;
    const asked = await this.#stepOfWaiting(webhook, progress, isWaiting ? askedFor : now(), limit);
    if (asked !== undefined || !mayKnock(progress, now())) return asked;
    // A held webhook is first tried with a new event, because the receiver may refuse its waiting
    // events for good.
    const step = await this.#stepOfEvents(webhook, progress, limit);
    return step ?? (isWaiting ? this.#stepOfWaiting(webhook, progress, now(), limit) : undefined);
  }

  async #stepOfWaiting(webhook: StoredWebhook, progress: Progress, until: Instant, limit: number) {
    const due = await this.#deps.waiting.due(webhook.id, until, limit);
    return due.length === 0 ? undefined : { webhook, deliveries: due, progress, also: [] };
  }

  async #stepOfEvents(webhook: StoredWebhook, progress: Progress, limit: number): Promise<Step | undefined> {
    const stretch = await this.#deps.waiting.firstStretch(webhook.id);
    return stretch === undefined
      ? this.#stepOfList(webhook, progress, limit)
      : this.#stepOfStretch(webhook, progress, stretch, limit);
  }

  async #stepOfList(webhook: StoredWebhook, progress: Progress, limit: number): Promise<Step | undefined> {
    const read = await this.#read(progress.position, filterOf(webhook), limit);
    if (read.deliveries.length === 0 && !read.hasMoved) return undefined;
    return {
      webhook,
      deliveries: read.deliveries,
      progress: { ...progress, position: read.position },
      also: [],
    };
  }

  async #stepOfStretch(
    webhook: StoredWebhook,
    progress: Progress,
    stretch: Stretch,
    limit: number,
  ): Promise<Step> {
    const { waiting } = this.#deps;
    const { id, from, to } = stretch;
    const isWanted = filterOf(webhook);
    const isWithin = ({ time }: ServiceEvent) => Date.parse(time) >= from && Date.parse(time) < to;
    const read = await this.#read(stretch.position, (event) => isWithin(event) && isWanted(event), limit);
    const isOver = !read.more || read.position.time > to + listedWithinMs;
    const moved = isOver
      ? waiting.endStretchOf(webhook.id, id)
      : waiting.moveStretchOf(webhook.id, { ...stretch, position: read.position });
    return { webhook, deliveries: read.deliveries, progress, also: [moved] };
  }

  async #read(from: Progress['position'], isWanted: EventFilter, limit: number) {
    const { eventList, now } = this.#deps;
    const { events, next, more } = await eventList.read(from, isWanted, limit, now());
    // An event may be listed twice.
    const unique = new Map(events.map((event) => [event.id, event]));
    return {
      deliveries: [...unique.values()].map((event) => ({ event, attempt: 1 })),
      position: next,
      hasMoved: !isSamePosition(next, from),
      more,
    };
  }

  /** @returns undefined if the claim was lost meanwhile; nothing was saved */
  async #carryOut(
    claim: DeliveryClaim,
    { webhook, deliveries, progress, also }: Step,
  ): Promise<DeliveryClaim | undefined> {
    const { webhooks, claims, rows, now } = this.#deps;
    const { webhookId } = claim;
    const bodies = await this.#bodiesOf(webhook, deliveries);
    const attempts = await concurrently([...deliveries.entries()], postsAtOnce, ([at, delivery]) =>
      this.#send(webhook, delivery, bodies[at]!),
    );
    const after = afterAttempts(progress, attempts, now());
    await rows.put(webhookId, progress.attemptCount, attempts);
    const reason = disabledBy(after, attempts, now());
    if (reason !== undefined) await webhooks.disable(webhook, reason);
    countAttempts(attempts, after.failedCount - progress.failedCount);
    const waits = attempts.flatMap((attempt, at) => this.#waitOf(webhookId, attempt, deliveries[at]?.id));
    return claims.save({ ...claim, progress: after }, now() + claimMs, [...also, ...waits]);
  }

  #waitOf(webhookId: string, { event, attempt, next }: Attempt, id: string | undefined): TransactItem[] {
    const { waiting } = this.#deps;
    if (next !== null)
      return [waiting.waitOf(webhookId, id ?? event.id, next, { event, attempt: attempt + 1 })];
    return id === undefined ? [] : [waiting.doneOf(webhookId, id)];
  }

  async #bodiesOf(webhook: Webhook, deliveries: readonly Delivery[]): Promise<string[]> {
    const { now } = this.#deps;
    const events = deliveries.map(({ event }) => event as ServiceEvent);
    const sent: ExpandedEvent[] = webhook.expandCall ? await withCalls(events, this.#deps, now()) : events;
    return sent.map(({ type, time, data, call }) =>
      JSON.stringify({ type, timestamp: time, data: call === undefined ? data : { ...data, call } }),
    );
  }

  async #send(webhook: Webhook, { event, attempt }: Delivery, body: string): Promise<Attempt> {
    const { receivers, now } = this.#deps;
    const headers = {
      'content-type': 'application/json',
      ...signed(signingSecrets(webhook, now()), event.id, now(), body),
    };
    const answer = await receivers.post(webhook.url, headers, body);
    return attempted({ event, attempt }, answer, now(), Math.random());
  }
}
