import { findCalls } from '../../calls/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';

/** `EVENTS`: the pages that release 0.5 listed. */
export const readEvents: readonly Grant[] = [
  grant(['Query'], 'EVENTS#SHEETS'),
  grant(['BatchGetItem'], 'EVENTS#PAGE#*'),
  grant(['Query', 'GetItem'], 'EVENTS'),
];
/** Puts pages, and adds their names to the last sheet. */
export const appendEvents: readonly Grant[] = [
  grant(['PutItem'], 'EVENTS#PAGE#*'),
  grant(['Query', 'PutItem', 'UpdateItem'], 'EVENTS#SHEETS'),
  grant(['GetItem', 'PutItem'], 'EVENTS#START'),
];

export const findWebhooks = grant(['Query'], 'WEBHOOK');
/** Webhooks and the progress of their deliveries. */
const seeWebhooks: readonly Grant[] = [grant(['Query'], 'WEBHOOK', 'WEBHOOK#TURN'), ...readEvents];
export const addWebhooks: readonly Grant[] = [
  grant(['GetItem', 'PutItem'], 'WEBHOOK'),
  grant(['PutItem'], 'WEBHOOK#TURN'),
  grant(['GetItem', 'PutItem'], 'WEBHOOK#COUNT'),
  grant(['BatchGetItem'], 'TASK#*'),
  grant(['Query'], 'EVENTS', 'EVENTS#SHEETS'),
];
export const changeWebhooks: readonly Grant[] = [
  grant(['GetItem', 'PutItem'], 'WEBHOOK'),
  grant(['BatchGetItem'], 'TASK#*'),
];
export const deleteWebhooks: readonly Grant[] = [
  grant(['GetItem', 'DeleteItem'], 'WEBHOOK'),
  grant(['DeleteItem'], 'WEBHOOK#TURN'),
  grant(['GetItem', 'PutItem'], 'WEBHOOK#COUNT'),
];
export const listWebhooks: readonly Grant[] = [...seeWebhooks, grant(['Query'], 'AGENDA#delivery#*')];
export const readDeliveries: readonly Grant[] = [
  grant(['GetItem'], 'WEBHOOK', 'WEBHOOK#TURN'),
  grant(['Query'], 'WEBHOOK#*'),
];
export const askForDeliveries: readonly Grant[] = [
  grant(['GetItem'], 'WEBHOOK'),
  grant(['Query'], 'WEBHOOK#*'),
  ...readEvents,
  grant(['PutItem'], 'AGENDA#delivery#*', 'AGENDA#stretch#*'),
];
/** Looks for webhooks that have something to do. */
export const watchDeliveries: readonly Grant[] = [
  ...seeWebhooks,
  { ...grant(['Query'], 'DUE#delivery#*'), index: 'only' },
  grant(['Query'], 'AGENDA#stretch#*'),
];
/** Claims webhooks, stores attempts that wait and their rows, and reads the calls of events. */
export const deliver: readonly Grant[] = [
  ...readEvents,
  grant(['GetItem', 'PutItem'], 'WEBHOOK', 'WEBHOOK#TURN'),
  grant(['BatchWriteItem'], 'WEBHOOK#*'),
  { ...grant(['Query'], 'DUE#delivery#*'), index: 'only' },
  grant(['BatchGetItem', 'PutItem', 'DeleteItem'], 'AGENDA#delivery#*'),
  grant(['Query', 'PutItem', 'DeleteItem'], 'AGENDA#stretch#*'),
  findCalls,
];
