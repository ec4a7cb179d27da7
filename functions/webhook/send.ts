import * as checks from '../../shared/api/generated/sendToWebhook.js';
import { sendToWebhook as route } from '../../shared/api/routes/webhooks.ts';
import { wishOf } from '../../shared/domain/webhooks/send-wish.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onWakingLambda, type WakingRuntime } from '../../shared/runtime/webhooks.ts';

export const sendToWebhook = ({ resends, wakes, now, parseTime }: WakingRuntime) =>
  endpoint(route, checks, async ({ body: { id, ...wish }, requestKey }) => {
    await resends.ask(id, wishOf(wish, parseTime), now(), requestKey);
    await wakes.wake([id]);
    return { id };
  });

export const handler = onWakingLambda(route, sendToWebhook);
