import * as checks from '../../shared/app/generated/listWebhooks.js';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/app/runtime/webhooks.ts';
import { listWebhooks as route } from '../../shared/events/routes/webhooks.ts';
import { webhookView } from '../../shared/events/rules/webhook.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const listWebhooks = ({ webhookReader, now, formatTime }: WebhookRuntime) =>
  endpoint(route, checks, async () => {
    const found = await webhookReader.all(now());
    return {
      rows: found.map(({ webhook, progress, waitingCount }) =>
        webhookView(webhook, progress, waitingCount, formatTime),
      ),
    };
  });

export const handler = onWebhookLambda(route, listWebhooks);
