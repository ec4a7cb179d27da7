import * as checks from '../../shared/api/generated/addWebhook.js';
import { addWebhook as route } from '../../shared/api/routes/webhooks.ts';
import { createWebhook } from '../../shared/domain/webhooks/webhook.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/runtime/webhooks.ts';
import { checkedAddress } from '../../shared/webhooks/address.ts';
import { newSecret } from '../../shared/webhooks/signature.ts';

export const addWebhook = ({ webhooks, eventList, tasks, newId, now, allowsLoopback }: WebhookRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    checkedAddress(body.url, allowsLoopback);
    await tasks.assertKnown('taskIds', body.taskIds);
    const webhook = createWebhook(body, newId(), newSecret(), now());
    return webhooks.add(webhook, { ...(await eventList.end()), time: now() }, requestKey);
  });

export const handler = onWebhookLambda(route, addWebhook);
