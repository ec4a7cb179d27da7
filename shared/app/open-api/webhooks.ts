import type { JSONSchema } from 'json-schema-to-ts';
import { deliveries } from '../../events/routes/event-data.ts';
import { exampleOf } from '../../platform/api/schemas.ts';
import type { DocumentSchemas, Json } from './schemas.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of a delivery, by Standard Webhooks 1.0. */
export const deliveryHeaders = {
  WebhookId: header(
    'webhook-id',
    'The `id` of the event, the same in every attempt: drop repeats by it',
    '4k9x2m7q8t3vbn5c-7',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'The time of the attempt, in seconds since 1970',
    '1777889731',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures, separated by spaces: each `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const answers = {
  '2XX': { description: 'The event has arrived. Answer within 15 seconds' },
  '410': { description: 'The receiver is gone: the service switches the webhook off' },
  default: { description: 'The event is sent again: ten attempts in about 76 hours' },
};

const parameters = Object.keys(deliveryHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** What the service sends to webhooks, by the type of the event. */
export const webhooks = (schemas: DocumentSchemas): Json =>
  Object.fromEntries(
    deliveries.map(({ type, schema }) => [
      type,
      {
        post: {
          operationId: `receive${schema.title}`,
          tags: ['Events'],
          summary: `Receive an event of the type ${type}`,
          description: 'Sent to each webhook that gets events of this type. A delivery may come twice.',
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.shown(schema as JSONSchema),
                example: exampleOf(schema as object),
              },
            },
          },
          responses: answers,
        },
      },
    ]),
  );
