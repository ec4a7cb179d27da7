import { erasePersons, findPersons } from '../access.ts';
import { type Route, writing } from '../route.ts';
import {
  contactStatus,
  count,
  described,
  exactly,
  id,
  name,
  optionalTimestamp,
  timestamp,
  titled,
} from '../schemas.ts';
import { standing } from './contact-standing.ts';
import { exampleContact, exampleSource } from './examples.ts';

const tag = 'People';
const phoneNumber = { type: 'string', description: 'As in NewContact' } as const;

const taskOfPerson = titled(
  'TaskOfPerson',
  exactly({
    taskId: id,
    taskName: name,
    outcome: standing.outcome,
    attempts: standing.attempts,
    lastCallTime: described(optionalTimestamp, 'The time of the last call in this task'),
    nextCallTime: standing.nextCallTime,
    calls: { ...standing.calls, description: 'Every call to this number, oldest first' },
  }),
);

export const findPerson = {
  id: 'findPerson',
  file: 'contact/find',
  method: 'POST',
  path: '/api/contact/find',
  scope: 'outbound/read',
  tag,
  summary: 'Find a phone number in all data sources, with its tasks and calls',
  description:
    'Also names calls of contacts that were deleted, or have another number now. All spellings of the number are found. Without a country these are the spellings of an international number (+, 00). May lag by a second.',
  body: { type: 'object', properties: { phoneNumber }, required: ['phoneNumber'] },
  response: {
    data: exactly({
      phoneNumber: { type: 'string' },
      doNotCall: { type: 'boolean', description: 'Whether the do-not-call list stops calls to this number' },
      contacts: {
        type: 'array',
        items: titled(
          'ContactOfPerson',
          exactly({
            dataSourceId: id,
            dataSourceName: name,
            contactId: id,
            customerName: { type: 'string' },
            status: contactStatus,
            callCount: count,
            tasks: { type: 'array', items: taskOfPerson },
          }),
        ),
      },
    }),
  },
  errors: ['INVALID'],
  example: {
    body: { phoneNumber: '13800138000' },
    data: {
      phoneNumber: '13800138000',
      doNotCall: false,
      contacts: [
        {
          dataSourceId: exampleSource,
          dataSourceName: 'June renewals',
          contactId: exampleContact,
          customerName: 'Li Wei',
          status: 3,
          callCount: 1,
          tasks: [
            {
              taskId: '5n8q2x7v4k9m3j6h',
              taskName: 'June renewals, first round',
              outcome: 'waiting',
              attempts: 1,
              lastCallTime: '2026-05-04 09:30:00',
              nextCallTime: '2026-05-04 10:30:00',
              calls: [
                {
                  callId: '5n8q2x7v4k9m3j6h-2s-h7w2k9',
                  time: '2026-05-04 09:30:00',
                  outcome: 'noAnswer',
                  reason: 'busy',
                  duration: 0,
                },
              ],
            },
          ],
        },
      ],
    },
  },
  access: { table: findPersons },
} as const satisfies Route;

export const erasePerson = {
  id: 'erasePerson',
  file: 'contact/erase',
  ...writing,
  path: '/api/contact/erase',
  tag,
  summary: 'Erase a phone number: its contacts in all data sources, and their calls',
  description:
    'Counts of calls stay. A call in progress may end, and its result counts. A second erase answers zeros.',
  body: {
    type: 'object',
    properties: {
      phoneNumber,
      keepDoNotCall: {
        type: 'boolean',
        default: true,
        description: 'true: a number on the do-not-call list stays there, without its fields',
      },
    },
    required: ['phoneNumber'],
  },
  response: {
    data: exactly({
      contactCount: { ...count, description: 'Contacts that were deleted' },
      taskCount: { ...count, description: 'Tasks that had taken these contacts up' },
      lastCopyExpireTime: described(timestamp, 'When the last copy that expires by itself is gone'),
    }),
  },
  errors: ['INVALID', 'IMPORT_RUNNING'],
  example: {
    body: { phoneNumber: '13800138000' },
    data: { contactCount: 2, taskCount: 3, lastCopyExpireTime: '2026-06-08 10:00:00' },
  },
  access: { table: erasePersons },
} as const satisfies Route;
