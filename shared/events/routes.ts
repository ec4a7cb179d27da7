export { appendEvents, deliver, findWebhooks, watchDeliveries } from './access.ts';
export * from './routes/events.ts';
export * from './routes/webhooks.ts';
