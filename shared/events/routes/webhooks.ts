import { type Route, reading, writing } from '../../platform/api/route.ts';
import {
  count,
  described,
  exactly,
  id,
  idParams,
  like,
  nothing,
  optionalTimestamp,
  paging,
  timestamp,
  titled,
  withoutDefaults,
} from '../../platform/api/schemas.ts';
import { mostAttempts } from '../rules/progress.ts';
import { eventTypes } from '../rules/service-event.ts';
import { mostWebhooks } from '../rules/webhook.ts';
import {
  addWebhooks,
  askForDeliveries,
  changeWebhooks,
  deleteWebhooks,
  listWebhooks as listWebhookItems,
  readDeliveries,
} from './access.ts';

const tag = 'Events';

const settings = {
  url: {
    type: 'string',
    description: 'https; in local mode also http to loopback',
    examples: ['https://crm.example.com/hooks/outbound'],
  },
  types: {
    type: 'array',
    items: { type: 'string', enum: eventTypes },
    minItems: 1,
    uniqueItems: true,
    description: 'The types of events to send; all of them where none was ever given',
  },
  taskIds: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 20,
    uniqueItems: true,
    default: [],
    description: 'Only events of these tasks; empty: all events',
  },
  expandCall: {
    type: 'boolean',
    default: false,
    description: 'Adds `data.call`, the record of the call with its phone number',
  },
  description: { type: 'string', maxLength: 200, default: '', description: 'For people' },
} as const;

const webhookId = like(id, '2m7q8t3vbn5c4k9x');
const webhookReference = {
  type: 'object',
  properties: { id: webhookId },
  required: ['id'],
} as const;
const secret = {
  type: ['string', 'null'],
  description: 'Shown this once. `null` in the repeat of a request whose secret was replaced twice since',
  examples: [`whsec_${'A'.repeat(43)}=`],
} as const;

export const addWebhook = {
  id: 'addWebhook',
  file: 'webhook/add',
  ...writing,
  path: '/api/webhook/add',
  tag,
  summary: 'Add a webhook: an address that events are sent to',
  description: `It gets the events from now on, signed after Standard Webhooks 1.0: a POST of type, timestamp and data, where timestamp is the time of the event (ISO 8601, UTC). There are at most ${mostWebhooks} webhooks.`,
  body: { type: 'object', properties: settings, required: ['url'] },
  response: { data: exactly({ id: webhookId, secret }) },
  errors: ['INVALID', 'TOO_MANY_WEBHOOKS'],
  isAnsweredAnew: true,
  access: { table: addWebhooks },
} as const satisfies Route;

export const updateWebhook = {
  id: 'updateWebhook',
  file: 'webhook/update',
  ...writing,
  path: '/api/webhook/update',
  tag,
  summary: 'Change a webhook, switch it on or off, or give it a new secret',
  description:
    'Only the fields in the body change. Switched on again, it goes on where it stopped, as far back as the list of events reaches. After a new secret both secrets sign for 24 hours.',
  body: {
    type: 'object',
    properties: {
      id: webhookId,
      ...withoutDefaults(settings),
      enabled: {
        type: 'boolean',
        description: 'true: events are sent, from where the webhook stopped. false: none is sent',
      },
      newSecret: { type: 'boolean', description: 'true: answers a new secret' },
    },
    required: ['id'],
    examples: [{ newSecret: true }],
  },
  response: {
    data: {
      type: 'object',
      properties: { id: webhookId, secret },
      required: ['id'],
      examples: [{ secret: secret.examples[0] }],
      additionalProperties: false,
    },
  },
  errors: ['INVALID', 'WEBHOOK_NOT_FOUND'],
  isAnsweredAnew: true,
  access: { table: changeWebhooks, deliveryQueue: true },
} as const satisfies Route;

export const deleteWebhook = {
  id: 'deleteWebhook',
  file: 'webhook/delete',
  ...writing,
  path: '/api/webhook/delete',
  tag,
  summary: 'Delete a webhook',
  description: 'Nothing is sent any more, also no event that waits for another attempt.',
  body: webhookReference,
  response: { data: nothing },
  errors: ['INVALID', 'WEBHOOK_NOT_FOUND'],
  access: { table: deleteWebhooks },
} as const satisfies Route;

export const listWebhooks = {
  id: 'listWebhooks',
  file: 'webhook/list',
  ...reading,
  path: '/api/webhook/list',
  tag,
  summary: 'List webhooks, newest first, with their state',
  description:
    'The secrets are not shown. Without the scope outbound/write, a `url` has no query and no user.',
  response: {
    data: exactly({
      rows: {
        type: 'array',
        items: titled(
          'Webhook',
          exactly({
            id: webhookId,
            url: { type: 'string', examples: settings.url.examples },
            types: {
              type: 'array',
              items: { type: 'string', enum: eventTypes },
              examples: [['call.ended']],
            },
            taskIds: { type: 'array', items: { type: 'string' }, examples: [['4k9x2m7q8t3vbn5c']] },
            expandCall: { type: 'boolean' },
            description: { type: 'string', examples: ['CRM'] },
            enabled: { type: 'boolean', examples: [true] },
            state: {
              type: 'string',
              enum: ['ok', 'failing', 'disabled'],
              description: 'failing: the last attempts failed',
            },
            disabledReason: {
              type: ['string', 'null'],
              enum: ['gone', 'failing', null],
              description:
                'Why the service switched it off: its receiver answered 410, or failed for five days',
              examples: [null],
            },
            lastDeliveryTime: described(
              like(optionalTimestamp, '2026-05-04 10:15:31'),
              'When an event last arrived',
            ),
            failedCount: {
              ...count,
              description: `Events that were given up after ${mostAttempts} attempts`,
            },
            waitingCount: {
              ...count,
              description:
                'Events that have not arrived yet, as far as they are counted: in a long list of events at least so many, a thousand at most',
            },
          }),
        ),
      },
    }),
  },
  errors: [],
  access: { table: listWebhookItems },
} as const satisfies Route;

export const listDeliveries = {
  id: 'listDeliveries',
  file: 'webhook/deliveries',
  ...reading,
  path: '/api/webhook/{id}/deliveries',
  tag,
  summary: 'List the last 1,000 attempts to deliver to a webhook, newest first',
  description:
    'With a filter a page may be short, or empty, and still have a `nextPageToken`. What the receiver sent in its answer is not stored.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      status: {
        type: 'string',
        enum: ['success', 'failed'],
        description: 'Only attempts that ended so',
      },
      pageSize: { ...paging.pageSize, maximum: 200, default: 50 },
      pageToken: { type: 'string', description: '`nextPageToken` of the page before' },
    },
  },
  response: {
    data: exactly({
      rows: {
        type: 'array',
        items: titled(
          'DeliveryAttempt',
          exactly({
            eventId: { type: 'string', examples: ['4k9x2m7q8t3vbn5c-7'] },
            type: {
              type: 'string',
              description: 'The type of the event; `webhook.test` for a test',
              examples: ['task.state_changed'],
            },
            time: like(timestamp, '2026-05-04 10:15:31'),
            attempt: { type: 'integer', minimum: 1 },
            status: { type: 'string', enum: ['success', 'failed'], examples: ['failed'] },
            httpStatus: {
              type: ['integer', 'null'],
              description: 'null: there was no answer',
              examples: [503],
            },
            failure: {
              type: ['string', 'null'],
              enum: ['timeout', 'connection', 'address', null],
              description: 'Why there was no answer; address: the name leads to a private address',
              examples: [null],
            },
            milliseconds: like(count, 87),
            nextAttemptTime: described(
              like(optionalTimestamp, '2026-05-04 10:15:36'),
              'null: there is no further attempt',
            ),
          }),
        ),
      },
      nextPageToken: { type: ['string', 'null'] },
    }),
  },
  errors: ['INVALID', 'WEBHOOK_NOT_FOUND'],
  access: { table: readDeliveries },
} as const satisfies Route;

export const sendToWebhook = {
  id: 'sendToWebhook',
  file: 'webhook/send',
  ...writing,
  path: '/api/webhook/send',
  tag,
  summary: 'Send a test, or events again',
  description:
    'Give one of `test`, `eventIds`, or `from` and `to`. The test has the type `webhook.test` and the data `{ webhookId }`, and is tried once, whatever types the webhook has. `eventIds` names events of the last deliveries, or among the last 10,000 of the list. `from` (inclusive) and `to` (exclusive) send every event of that time that the webhook gets.',
  body: {
    type: 'object',
    properties: {
      id: webhookId,
      test: { type: 'boolean', description: 'true: sends a test' },
      eventIds: {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        description: 'Sends these events again',
      },
      from: timestamp,
      to: timestamp,
    },
    required: ['id'],
    examples: [{ test: true }],
  },
  response: { data: exactly({ id: webhookId }) },
  errors: ['INVALID', 'WEBHOOK_NOT_FOUND', 'WEBHOOK_DISABLED'],
  access: { table: askForDeliveries, deliveryQueue: true },
} as const satisfies Route;
