import { findCalls } from '../../calls/routes/access.ts';
import { callRecord } from '../../calls/routes/calls.ts';
import { type Route, reading } from '../../platform/api/route.ts';
import { exactly, titled } from '../../platform/api/schemas.ts';
import { eventTypes } from '../rules/service-event.ts';
import { readEvents } from './access.ts';

const callOfEvent = {
  ...exactly(callRecord),
  title: 'CallOfEvent',
  type: ['object', 'null'],
  description:
    'The record of the call, where `expand` asks for it; null if there is none, or the person was erased',
} as const;

const eventFields = {
  id: {
    type: 'string',
    description: 'The same each time the event is told',
    examples: ['4k9x2m7q8t3vbn5c-7'],
  },
  type: titled('EventType', { type: 'string', enum: eventTypes, examples: ['task.state_changed'] }),
  time: { type: 'string', description: 'ISO 8601, UTC', examples: ['2026-05-04T10:15:30.000Z'] },
  data: {
    type: 'object',
    additionalProperties: true,
    description: 'Ids, states, outcomes and counts, by the type of the event',
    examples: [
      {
        taskId: '4k9x2m7q8t3vbn5c',
        taskName: 'May reminders',
        dataSourceId: '7d2h6w9rk4mz3pqa',
        previousStatus: 1,
        status: 4,
        reason: null,
      },
    ],
  },
} as const;

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
        maxLength: 40,
        description:
          '`next` of an earlier answer, or `now` for the end of the list; default: the oldest event',
      },
      types: {
        type: 'string',
        maxLength: 500,
        description: `Only events of these types, separated by commas: ${eventTypes.join(', ')}`,
      },
      taskId: { type: 'string', description: 'Only events of this task' },
      limit: { type: 'integer', minimum: 1, maximum: 500, default: 100 },
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
        events: {
          type: 'array',
          items: {
            ...exactly(eventFields),
            title: 'Event',
            properties: { ...eventFields, call: callOfEvent },
          },
        },
        next: {
          type: 'string',
          description: 'The cursor behind the events that were looked at; URL-safe',
          examples: ['mfs2k1p9-1-mfs2k4aa'],
        },
        more: { type: 'boolean', description: 'Whether to ask again at once' },
      }),
    ),
  },
  errors: ['INVALID', 'CURSOR_EXPIRED'],
  access: { table: [readEvents, findCalls] },
} as const satisfies Route;
