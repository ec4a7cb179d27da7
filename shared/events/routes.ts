export { appendEvents, deliver, findWebhooks, watchDeliveries } from './access.ts';
export { listEvents } from './routes/events.ts';
export {
  addWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  sendToWebhook,
  updateWebhook,
} from './routes/webhooks.ts';
