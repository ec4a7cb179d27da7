import type { SQSClient } from '@aws-sdk/client-sqs';
import { describeError, log } from '../platform/observability/index.ts';
import { type Instant, secondMs } from '../platform/time/index.ts';

/**
 * Asks for runs of the function that delivers, one for each webhook. A wake that gets lost delays the deliveries by a minute:
 * the schedule looks for webhooks that have something to do.
 */
export type Wakes = { wake: (webhookIds: readonly string[], delayMs?: number) => Promise<void> };

/** The longest delay of a message in SQS. Later runs are left to the schedule. */
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
