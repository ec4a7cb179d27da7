import * as checks from '../../shared/app/generated/deleteWebhook.js';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/app/runtime/webhooks.ts';
import { deleteWebhook as route } from '../../shared/events/routes/webhooks.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const deleteWebhook = ({ webhooks }: WebhookRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => webhooks.delete(body.id, requestKey));

export const handler = onWebhookLambda(route, deleteWebhook);
