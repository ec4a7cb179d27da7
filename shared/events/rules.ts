export { attemptStatus, attemptView } from './rules/progress.ts';
export { cursorOf, cursorText, eventFilter, eventTypes } from './rules/service-event.ts';
export { createWebhook, filterOf, mostWebhooks, webhookView, wishOf } from './rules/webhook.ts';
