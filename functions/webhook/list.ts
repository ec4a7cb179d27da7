import * as checks from '../../shared/app/generated/listWebhooks.js';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/app/runtime/webhooks.ts';
import { listWebhooks as route } from '../../shared/events/routes/webhooks.ts';
import { webhookView, webhookViewForReaders } from '../../shared/events/rules/webhook.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { hasScope } from '../../shared/platform/http/request.ts';

export const listWebhooks = ({ webhookReader, now, formatTime }: WebhookRuntime) =>
  endpoint(route, checks, async (_, event) => {
    const found = await webhookReader.all(now());
    const view = hasScope(event, 'outbound/write') ? webhookView : webhookViewForReaders;
    return {
      rows: found.map(({ webhook, progress, waitingCount }) =>
        view(webhook, progress, waitingCount, formatTime),
      ),
    };
  });

export const handler = onWebhookLambda(route, listWebhooks);
