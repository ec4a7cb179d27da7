import * as checks from '../../shared/api/generated/addWebhook.js';
import { addWebhook as route } from '../../shared/api/routes/webhooks.ts';
import { createWebhook } from '../../shared/domain/webhooks/webhook.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';
import { checkedAddress } from '../../shared/webhooks/receiver.ts';
import { newSecret } from '../../shared/webhooks/signature.ts';

export const addWebhook = ({ webhooks, eventList, tasks, newId, now, allowsLoopback }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    checkedAddress(body.url, allowsLoopback);
    await tasks.assertKnown('taskIds', body.taskIds);
    const webhook = createWebhook(body, newId(), newSecret(), now());
    return webhooks.add(webhook, { ...(await eventList.end()), time: now() }, requestKey);
  });

export const handler = onLambda(route, addWebhook);
