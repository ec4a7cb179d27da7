/** The route table: every endpoint, declared once. */
export * from './calls.ts';
export { batchAdd, batchDelete } from './contact-batches.ts';
export * from './contact-files.ts';
export * from './contact-previews.ts';
export * from './contacts.ts';
export * from './data-sources.ts';
export * from './dialer.ts';
export * from './events.ts';
export * from './person.ts';
export * from './service.ts';
export * from './task-calls.ts';
export * from './task-history.ts';
export * from './task-insight.ts';
export * from './task-moves.ts';
export * from './task-preflight.ts';
export * from './tasks.ts';
export * from './webhooks.ts';
