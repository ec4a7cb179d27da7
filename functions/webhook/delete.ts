import * as checks from '../../shared/api/generated/deleteWebhook.js';
import { deleteWebhook as route } from '../../shared/api/routes/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onWebhookLambda, type WebhookRuntime } from '../../shared/runtime/webhooks.ts';

export const deleteWebhook = ({ webhooks }: WebhookRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => webhooks.delete(body.id, requestKey));

export const handler = onWebhookLambda(route, deleteWebhook);
