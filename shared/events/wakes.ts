import type { SQSClient } from '@aws-sdk/client-sqs';
import { describeError, log } from '../platform/observability/log.ts';
import { countAll } from '../platform/observability/metrics.ts';
import { type Instant, minuteMs, secondMs } from '../platform/time/time.ts';
import type { WaitingDeliveries } from './deliveries.ts';
import type { EventList } from './event-list.ts';
import { mayKnock, type Progress, resumed } from './rules/progress.ts';
import { isSamePosition } from './rules/service-event.ts';
import { filterOf } from './rules/webhook.ts';
import type { DeliveryClaims, StoredWebhook, Webhooks } from './webhooks.ts';

/**
 * Asks for runs of the function that delivers, one for each webhook. If a wake is lost, the
 * deliveries are a minute late, because the schedule looks for webhooks that have something to do.
 */
export type Wakes = { wake: (webhookIds: readonly string[], delayMs?: number) => Promise<void> };

/** The longest delay of a message in SQS. The schedule starts later runs. */
export const longestDelayMs: Instant = 900 * secondMs;

/** What a message says. */
export type WakeMessage = { webhookId: string };

const batchSize = 10;

/** The queue of the function that delivers. The client is loaded for the first message. */
export const queueWakes = (queueUrl: string): Wakes => {
  let client: SQSClient | undefined;
  return {
    wake: async (webhookIds, delayMs = 0) => {
      if (webhookIds.length === 0) return;
      const { SQSClient, SendMessageBatchCommand } = await import('@aws-sdk/client-sqs');
      client ??= new SQSClient({});
      const entries = webhookIds.map((webhookId, at) => ({
        Id: String(at),
        MessageBody: JSON.stringify({ webhookId } satisfies WakeMessage),
        DelaySeconds: Math.ceil(Math.min(delayMs, longestDelayMs) / secondMs),
      }));
      try {
        for (let at = 0; at < entries.length; at += batchSize) {
          const batch = { QueueUrl: queueUrl, Entries: entries.slice(at, at + batchSize) };
          await client.send(new SendMessageBatchCommand(batch));
        }
      } catch (error) {
        log.warn('deliveries not asked for', { error: describeError(error) });
      }
    },
  };
};

type Dependencies = {
  webhooks: Webhooks;
  claims: DeliveryClaims;
  waiting: WaitingDeliveries;
  eventList: EventList;
  wakes: Wakes;
  now: () => Instant;
};

const failingMs = 15 * minuteMs;

/** What a webhook has to do, and the age of the oldest event that was not sent yet. */
type Standing = { id: string; hasWork: boolean; ageMs: number; isFailing: boolean };

/**
 * Asks for a run for each webhook that has something to do: attempts that are due, events whose
 * wake was lost, and the work of a run that died. Measures how late the webhooks are.
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
  const isBehind = !isSamePosition(next, progress.position);
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
