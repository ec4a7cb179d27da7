import { findCalls } from '../../calls/routes/access.ts';
import { type Route, reading } from '../../platform/api/route.ts';
import { exactly, titled } from '../../platform/api/schemas.ts';
import { eventTypes } from '../rules/service-event.ts';
import { readEvents } from './access.ts';
import { listedEvent } from './event-data.ts';

export const listEvents = {
  ...reading,
  id: 'listEvents',
  file: 'event/list',
  path: '/api/event/list',
  tag: 'Events',
  summary: 'List what has happened, from a cursor on',
  description:
    'The events of the last 30 days, oldest first. Send `next` of each answer as `after` of the next request, also when there was no event. A reader that does so misses no event. An event may come twice, with the same `id`.',
  query: {
    type: 'object',
    properties: {
      after: {
        type: 'string',
        maxLength: 60,
        description:
          '`next` of an earlier answer, or `now` for the end of the list; default: the oldest event',
      },
      types: {
        type: 'string',
        maxLength: 500,
        description: `Only events of these types, separated by commas: ${eventTypes.join(', ')}`,
      },
      taskId: { type: 'string', description: 'Only events of this task' },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 500,
        default: 100,
        description: 'Maximum number of events; 200 with expand',
      },
      expand: {
        type: 'string',
        enum: ['call'],
        description:
          '`call`: adds the record of the call, with its phone number, to `call.ended`, `call.annotated` and `contact.settled`. An answer then has at most 200 events',
      },
    },
  },
  response: {
    data: titled(
      'Events',
      exactly({
        events: { type: 'array', items: listedEvent },
        next: {
          type: 'string',
          description: 'The cursor behind the events that were looked at; URL-safe',
          examples: ['0-0-mfs2k4aa-mfs2k1p9-1'],
        },
        more: { type: 'boolean', description: 'Whether to ask again at once' },
      }),
    ),
  },
  errors: ['INVALID', 'CURSOR_EXPIRED'],
  access: { table: [...readEvents, findCalls] },
} as const satisfies Route;
