import * as checks from '../../shared/api/generated/listWebhooks.js';
import { listWebhooks as route } from '../../shared/api/routes/webhooks.ts';
import { webhookView } from '../../shared/domain/webhooks/webhook.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/runtime/webhooks.ts';

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
