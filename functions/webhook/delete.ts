import * as checks from '../../shared/api/generated/deleteWebhook.js';
import { deleteWebhook as route } from '../../shared/api/routes/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const deleteWebhook = ({ webhooks }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => webhooks.delete(body.id, requestKey));

export const handler = onLambda(route, deleteWebhook);
