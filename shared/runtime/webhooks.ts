import type { Using } from '../api/route.ts';
import { readEnvironment } from '../settings/environment.ts';
import {
  DeliveryRows,
  Resends,
  Turns,
  WaitingDeliveries,
  WebhookReader,
  Webhooks,
} from '../store/webhooks/index.ts';
import { queueWakes, type Wakes } from '../webhooks/wakes.ts';
import type { LambdaHandler } from './first-event.ts';
import { onLambda, type Runtime } from './lambda.ts';

/** The stores of webhooks. They are a module of their own, so that no other function loads them. */
export const withWebhooks = <R extends Runtime>(runtime: R) => {
  const { database, agenda } = runtime;
  const stores = {
    webhooks: new Webhooks(database),
    turns: new Turns(database),
    waiting: new WaitingDeliveries(agenda),
    rows: new DeliveryRows(database),
  };
  return {
    ...runtime,
    ...stores,
    webhookReader: new WebhookReader({ ...runtime, ...stores }),
    resends: new Resends({ ...runtime, ...stores }),
  };
};

export type WebhookRuntime = ReturnType<typeof withWebhooks<Runtime>>;

/** With the right to ask for deliveries. */
export type WakingRuntime = WebhookRuntime & { wakes: Wakes };

/** As `onLambda`, for functions that use webhooks. */
export const onWebhookLambda = <F extends LambdaHandler>(
  declared: Using<'table'>,
  create: (runtime: WebhookRuntime) => F,
): F => onLambda(declared, (runtime) => create(withWebhooks(runtime)));

/** As `onWebhookLambda`, for functions that also ask for deliveries. */
export const onWakingLambda = <F extends LambdaHandler>(
  declared: Using<'table' | 'deliveryQueue'>,
  create: (runtime: WakingRuntime) => F,
): F =>
  onWebhookLambda(declared, (runtime) => {
    const { DELIVERY_QUEUE_URL } = readEnvironment(declared.access);
    return create({ ...runtime, wakes: queueWakes(DELIVERY_QUEUE_URL) });
  });
