import * as checks from '../../shared/app/generated/sendToWebhook.js';
import { onWakingLambda, type WakingRuntime } from '../../shared/app/runtime/webhooks.ts';
import { sendToWebhook as route } from '../../shared/events/routes/webhooks.ts';
import { wishOf } from '../../shared/events/rules/webhook.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const sendToWebhook = ({ resends, wakes, now, parseTime }: WakingRuntime) =>
  endpoint(route, checks, async ({ body: { id, ...wish }, requestKey }) => {
    await resends.ask(id, wishOf(wish, parseTime), now(), requestKey);
    await wakes.wake([id]);
    return { id };
  });

export const handler = onWakingLambda(route, sendToWebhook);
