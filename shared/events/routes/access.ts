import { findCalls } from '../../calls/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';

export const readEvents = grant(['Query', 'GetItem'], 'EVENTS');
/** Reads the last page, and puts the next one. */
export const appendEvents: readonly Grant[] = [
  grant(['Query', 'PutItem'], 'EVENTS'),
  grant(['GetItem', 'PutItem'], 'EVENTS#START'),
];

export const findWebhooks = grant(['Query'], 'WEBHOOK');
/** Webhooks and the progress of their deliveries. */
const seeWebhooks: readonly Grant[] = [grant(['Query'], 'WEBHOOK', 'WEBHOOK#TURN'), readEvents];
export const addWebhooks: readonly Grant[] = [
  grant(['GetItem', 'PutItem'], 'WEBHOOK'),
  grant(['PutItem'], 'WEBHOOK#TURN'),
  grant(['GetItem', 'PutItem'], 'WEBHOOK#COUNT'),
  grant(['BatchGetItem'], 'TASK#*'),
  grant(['Query'], 'EVENTS'),
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
  readEvents,
  grant(['PutItem'], 'AGENDA#delivery#*', 'AGENDA#stretch#*'),
];
/** Looks which webhooks have something to do. */
export const watchDeliveries: readonly Grant[] = [
  ...seeWebhooks,
  { ...grant(['Query'], 'DUE#delivery#*'), index: 'only' },
  grant(['Query'], 'AGENDA#stretch#*'),
];
/** Claims webhooks, keeps the attempts that wait and a row of each attempt, and reads the calls that events name. */
export const deliver: readonly Grant[] = [
  readEvents,
  grant(['GetItem', 'PutItem'], 'WEBHOOK', 'WEBHOOK#TURN'),
  grant(['BatchWriteItem'], 'WEBHOOK#*'),
  { ...grant(['Query'], 'DUE#delivery#*'), index: 'only' },
  grant(['BatchGetItem', 'PutItem', 'DeleteItem'], 'AGENDA#delivery#*'),
  grant(['Query', 'PutItem', 'DeleteItem'], 'AGENDA#stretch#*'),
  findCalls,
];
