import { DeliveryRows, WaitingDeliveries } from '../../events/deliveries.ts';
import { EventList } from '../../events/event-list.ts';
import { queueWakes, type Wakes } from '../../events/wakes.ts';
import { Resends, WebhookReader } from '../../events/webhook-requests.ts';
import { DeliveryClaims, Webhooks } from '../../events/webhooks.ts';
import type { Using } from '../../platform/api/route.ts';
import { readEnvironment } from '../../platform/settings/settings.ts';
import type { Base } from './base.ts';
import type { LambdaHandler } from './first-event.ts';
import { onLambda } from './lambda.ts';
import { openTasks } from './tasks.ts';

const openEvents = (base: Base) => ({ ...openTasks(base), eventList: new EventList(base.database) });
type EventRuntime = ReturnType<typeof openEvents>;

/** The stores of webhooks, in a file of their own, so that no other function loads them. */
export const withWebhooks = <R extends EventRuntime>(runtime: R) => {
  const { database, agenda } = runtime;
  const stores = {
    webhooks: new Webhooks(database),
    claims: new DeliveryClaims(database),
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

export type WebhookRuntime = ReturnType<typeof withWebhooks<EventRuntime>>;

/** Has the right to ask for deliveries. */
export type WakingRuntime = WebhookRuntime & { wakes: Wakes };

export const lambdaWakes = ({ access }: Using<'deliveryQueue'>): Wakes =>
  queueWakes(readEnvironment(access).DELIVERY_QUEUE_URL);

/** Like `onLambda`, for functions that use webhooks. */
export const onWebhookLambda = <F extends LambdaHandler>(
  declared: Using<'table'>,
  create: (runtime: WebhookRuntime) => F,
): F => onLambda(declared, openEvents, (runtime) => create(withWebhooks(runtime)));

/** Like `onWebhookLambda`, for functions that also ask for deliveries. */
export const onWakingLambda = <F extends LambdaHandler>(
  declared: Using<'table' | 'deliveryQueue'>,
  create: (runtime: WakingRuntime) => F,
): F => onWebhookLambda(declared, (runtime) => create({ ...runtime, wakes: lambdaWakes(declared) }));
