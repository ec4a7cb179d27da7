import { countAll } from '../platform/observability/index.ts';
import { type Instant, minuteMs, secondMs } from '../platform/time/index.ts';
import type { WaitingDeliveries } from './deliveries.ts';
import type { EventList } from './event-list.ts';
import { mayKnock, type Progress, resumed } from './rules/progress.ts';
import { filterOf } from './rules/webhook.ts';
import type { Wakes } from './wakes.ts';
import type { DeliveryClaims, StoredWebhook, Webhooks } from './webhooks.ts';

type Dependencies = {
  webhooks: Webhooks;
  claims: DeliveryClaims;
  waiting: WaitingDeliveries;
  eventList: EventList;
  wakes: Wakes;
  now: () => Instant;
};

const failingMs = 15 * minuteMs;

/** What a webhook has to do, and how old the oldest event is that was not sent yet. */
type Standing = { id: string; hasWork: boolean; ageMs: number; isFailing: boolean };

/**
 * Asks for a run for each webhook that has something to do: attempts that are due, events whose wake got lost, and work of a
 * run that died. Measures how far the webhooks are behind.
 */
export const watchDeliveries = async (deps: Dependencies, measure = countAll): Promise<void> => {
  const { webhooks, claims, wakes } = deps;
  const all = await webhooks.all();
  const enabled = all.filter((webhook) => webhook.enabled);
  const disabledCount = all.filter(({ disabledReason }) => disabledReason !== undefined).length;
  if (enabled.length + disabledCount === 0) return;
  const progressOf = await claims.all();
  const standings = await Promise.all(
    enabled.flatMap((webhook) => {
      const progress = progressOf.get(webhook.id);
      return progress === undefined ? [] : [standingOf(deps, webhook, resumed(progress, webhook.resumeTime))];
    }),
  );
  await wakes.wake(standings.filter(({ hasWork }) => hasWork).map(({ id }) => id));
  measure({
    WebhooksFailing: disabledCount + standings.filter(({ isFailing }) => isFailing).length,
    DeliveryAgeSeconds: Math.round(Math.max(0, ...standings.map(({ ageMs }) => ageMs)) / secondMs),
  });
};

const standingOf = async (
  { waiting, eventList, now }: Dependencies,
  webhook: StoredWebhook,
  progress: Progress,
): Promise<Standing> => {
  const { id } = webhook;
  const { events, next } = await eventList.read(progress.position, filterOf(webhook), 1, now());
  const isBehind = next.page !== progress.position.page || next.index !== progress.position.index;
  const isDue = (await waiting.firstDue(id, now())) !== undefined;
  const isAsked = isDue && (await waiting.firstDue(id, 0)) !== undefined;
  const hasStretch = (await waiting.firstStretch(id)) !== undefined;
  const { failingSince } = progress;
  return {
    id,
    hasWork: isAsked || (mayKnock(progress, now()) && (isBehind || isDue || hasStretch)),
    ageMs: events[0] === undefined ? 0 : now() - Date.parse(events[0].time),
    isFailing: failingSince !== null && now() - failingSince >= failingMs,
  };
};
