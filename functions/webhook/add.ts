import * as checks from '../../shared/app/generated/addWebhook.js';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/app/runtime/webhooks.ts';
import { checkedAddress, newSecret } from '../../shared/events/receiver.ts';
import { addWebhook as route } from '../../shared/events/routes/webhooks.ts';
import { createWebhook } from '../../shared/events/rules/webhook.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const addWebhook = ({ webhooks, eventList, tasks, newId, now, allowsLoopback }: WebhookRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    checkedAddress(body.url, allowsLoopback);
    await tasks.assertKnown('taskIds', body.taskIds);
    const webhook = createWebhook(body, newId(), newSecret(), now());
    return webhooks.add(webhook, { ...(await eventList.end()), time: now() }, requestKey);
  });

export const handler = onWebhookLambda(route, addWebhook);
