import { standing } from '../../dialing/routes/contact-standing.ts';
import { type Route, writing } from '../../platform/api/route.ts';
import {
  contactId,
  contactStatus,
  count,
  dataSourceId,
  dataSourceName,
  described,
  exactly,
  id,
  like,
  name,
  optionalTimestamp,
  phone,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { erasePersons, findPersons } from './access.ts';

const tag = 'People';
const phoneNumber = { ...phone, description: 'As in NewContact' } as const;

const taskOfPerson = titled(
  'TaskOfPerson',
  exactly({
    taskId: id,
    taskName: name,
    outcome: standing.outcome,
    attempts: standing.attempts,
    lastCallTime: described(
      like(optionalTimestamp, '2026-05-01 10:01:12'),
      'The time of the last call in this task',
    ),
    nextCallTime: standing.nextCallTime,
    waitReason: standing.waitReason,
    holds: standing.holds,
    blockReason: standing.blockReason,
    blockedBy: standing.blockedBy,
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
      phoneNumber: phone,
      doNotCall: { type: 'boolean', description: 'Whether the do-not-call list stops calls to this number' },
      contacts: {
        type: 'array',
        items: titled(
          'ContactOfPerson',
          exactly({
            dataSourceId,
            dataSourceName,
            contactId,
            deleted: { type: 'boolean', description: 'Whether the contact is no longer in its data source' },
            customerName: { type: 'string', examples: ['Li Wei'] },
            status: like(contactStatus, 3),
            callCount: like(count, 1),
            tasks: { type: 'array', items: taskOfPerson },
          }),
        ),
      },
    }),
  },
  errors: ['INVALID'],
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
      contactCount: { ...count, description: 'Contacts that were deleted', examples: [2] },
      taskCount: { ...count, description: 'Tasks that had taken these contacts up', examples: [3] },
      lastCopyExpireTime: described(
        like(timestamp, '2026-06-05 10:00:00'),
        'When the last copy that expires by itself is gone',
      ),
    }),
  },
  errors: ['INVALID', 'IMPORT_RUNNING'],
  access: { table: erasePersons },
} as const satisfies Route;
