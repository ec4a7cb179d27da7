/**
 * Webhooks and their deliveries. Users may rely on this: only the process that has the turn of a webhook changes its progress,
 * and the progress, the waiting deliveries and the stretches change together or not at all.
 */
export { DeliveryRows } from './delivery-rows.ts';
export { Resends } from './resends.ts';
export { type Turn, Turns } from './turns.ts';
export { askedFor, type Stretch, WaitingDeliveries } from './waiting-deliveries.ts';
export { WebhookReader } from './webhook-reader.ts';
export { type StoredWebhook, Webhooks } from './webhooks.ts';
