import * as checks from '../../shared/app/generated/updateWebhook.js';
import { onWakingLambda, type WakingRuntime } from '../../shared/app/runtime/webhooks.ts';
import { checkedAddress, newSecret } from '../../shared/events/receiver.ts';
import { updateWebhook as route } from '../../shared/events/routes/webhooks.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

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
