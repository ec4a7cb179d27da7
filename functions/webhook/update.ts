import * as checks from '../../shared/api/generated/updateWebhook.js';
import { updateWebhook as route } from '../../shared/api/routes/webhooks.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onWakingLambda, type WakingRuntime } from '../../shared/runtime/webhooks.ts';
import { checkedAddress } from '../../shared/webhooks/address.ts';
import { newSecret } from '../../shared/webhooks/signature.ts';

export const updateWebhook = ({ webhooks, tasks, wakes, now, allowsLoopback }: WakingRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const { id, newSecret: wantsSecret, ...settings } = body;
    if (settings.url !== undefined) checkedAddress(settings.url, allowsLoopback);
    await tasks.assertKnown('taskIds', settings.taskIds ?? []);
    const changes = { ...settings, secret: wantsSecret ? newSecret() : undefined };
    const changed = await webhooks.change(id, changes, now(), requestKey);
    await wakes.wake([id]);
    return { id, ...changed };
  });

export const handler = onWakingLambda(route, updateWebhook);
