import { callDetails } from '../../domain/calls/call-details.ts';
import { callReasons } from '../../domain/dialing/dialing.ts';
import { taskSettings } from '../../domain/tasks/task-settings.ts';
import {
  countContacts,
  endCalls,
  extend,
  findTask,
  lease,
  putTask,
  release,
  reportCallsAndExclude,
} from '../access.ts';
import { dialing, type Route } from '../route.ts';
import {
  contactStatus,
  customFields,
  described,
  exactly,
  id,
  name,
  outcome,
  priority,
  status,
  text,
  timestamp,
  titled,
  withoutDefaults,
} from '../schemas.ts';
import { exampleCall, exampleContact, exampleSource, exampleTask } from './examples.ts';
import { taskMoved } from './task-parts.ts';

const tag = 'Dialing';

const leaseSeconds = { type: 'integer', minimum: 10, maximum: 3600, default: 120 } as const;

const call = titled(
  'Call',
  exactly({
    callId: { type: 'string' },
    taskId: id,
    contactId: id,
    dataSourceId: id,
    phoneNumber: { type: 'string' },
    callerNumber: {
      type: ['string', 'null'],
      description: "Phone number to call from, of the task's callerNumbers; null where it has none",
    },
    fields: customFields,
    attempt: {
      type: 'integer',
      minimum: 1,
      description: 'Number of this call to the contact; starts at 1 again after a recall',
    },
    priority,
    leaseExpireTime: timestamp,
  }),
);

export const leaseCalls = {
  id: 'leaseCalls',
  file: 'dialer/lease',
  ...dialing,
  path: '/api/dialer/lease',
  tag,
  summary: 'Lease the next calls',
  description:
    'When a lease expires without a result, its contact comes due again and no attempt is counted.',
  body: {
    type: 'object',
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
      leaseSeconds,
      taskId: { type: 'string', description: 'Only calls of this task' },
    },
  },
  response: {
    data: exactly({
      calls: { type: 'array', items: call },
      tasks: {
        type: 'object',
        additionalProperties: titled(
          'CallingTask',
          exactly({ taskName: name, callSettings: withoutDefaults(taskSettings).callSettings }),
        ),
        description: 'The tasks of these calls, by id',
      },
      retryAfterSeconds: {
        type: 'integer',
        minimum: 0,
        description:
          'How long to wait before asking again; 0 where there are as many calls as asked for. At most 15.',
      },
    }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  isAnsweredAnew: true,
  example: {
    body: { limit: 10, leaseSeconds: 120 },
    data: {
      calls: [
        {
          callId: exampleCall,
          taskId: exampleTask,
          contactId: exampleContact,
          dataSourceId: exampleSource,
          phoneNumber: '13800138000',
          callerNumber: '+493012345678',
          fields: { customerName: 'Li Wei' },
          attempt: 1,
          priority: 2,
          leaseExpireTime: '2026-05-01 10:02:00',
        },
      ],
      tasks: { [exampleTask]: { taskName: 'Renewal reminders', callSettings: { script: 'renewal' } } },
      retryAfterSeconds: 1,
    },
  },
  access: { table: lease },
} as const satisfies Route;

export const reportResult = {
  id: 'reportResult',
  file: 'dialer/result',
  ...dialing,
  path: '/api/dialer/result',
  tag,
  summary: 'Report the result of a leased call',
  description: 'A result that is sent twice counts once. A different result for the same call is a conflict.',
  body: {
    type: 'object',
    properties: {
      callId: { type: 'string' },
      outcome,
      reason: {
        type: 'string',
        enum: callReasons,
        description: 'Why the call ended so. Counted, and stored with the call',
      },
      startTime: described(
        timestamp,
        'When dialing began, at most 60 seconds in the future; by default the time of the lease',
      ),
      callerNumber: {
        type: 'string',
        maxLength: 40,
        description: 'The number that was really called from; by default the number of the lease',
      },
      ...callDetails,
      duration: {
        type: 'number',
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description: 'Seconds, with up to 3 decimals',
      },
      callbackTime: described(
        timestamp,
        'The person asked to be called then, at most 30 days ahead and before callUntil of the task, in the time zone of the service. The contact is not final, and is called first when the time comes',
      ),
      doNotCall: {
        type: 'boolean',
        description:
          'The person asked not to be called again: the number is put on the do-not-call list, and the contact is final',
      },
    },
    required: ['callId', 'outcome'],
    additionalProperties: false,
  },
  response: {
    data: exactly({
      callId: { type: 'string' },
      taskId: id,
      contactId: id,
      contactStatus,
      final: { type: 'boolean' },
      taskStatus: status,
    }),
  },
  errors: [
    'INVALID',
    'CALL_NOT_FOUND',
    'ALREADY_REPORTED',
    'LEASE_LOST',
    'TOO_MANY_CALLBACKS',
    'CALLBACK_TOO_LATE',
    'TASK_CLOSED',
  ],
  example: {
    body: {
      callId: exampleCall,
      outcome: 'success',
      duration: 42,
      disposition: 'promised',
      data: { paysOn: '2026-05-08' },
    },
    data: {
      callId: exampleCall,
      taskId: exampleTask,
      contactId: exampleContact,
      contactStatus: 1,
      final: true,
      taskStatus: 1,
    },
  },
  access: { table: reportCallsAndExclude },
} as const satisfies Route;

export const reportResults = {
  id: 'reportResults',
  file: 'dialer/results',
  ...dialing,
  path: '/api/dialer/results',
  tag,
  summary: 'Report several calls in one request',
  description:
    'Answers for each result what it would have answered alone, in the order they were sent. A result that is refused does not affect the others.',
  body: {
    type: 'object',
    properties: {
      results: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        // Checked one by one, so that a wrong one spoils no other.
        items: { type: 'object', description: 'As the body of /api/dialer/result' },
      },
    },
    required: ['results'],
    additionalProperties: false,
  },
  response: {
    data: exactly({
      results: {
        type: 'array',
        items: exactly({
          code: { type: 'integer', description: '0, or the status that the result would have had alone' },
          message: { type: 'string' },
          data: { type: ['object', 'null'], description: 'As the data of /api/dialer/result' },
        }),
      },
    }),
  },
  errors: ['INVALID'],
  example: {
    body: { results: [reportResult.example.body, { callId: 'unknown', outcome: 'failed' }] },
    data: {
      results: [
        { code: 0, message: 'success', data: reportResult.example.data },
        { code: 404, message: 'call does not exist', data: null },
      ],
    },
  },
  access: { table: reportCallsAndExclude },
} as const satisfies Route;

export const releaseCall = {
  id: 'releaseCall',
  file: 'dialer/release',
  ...dialing,
  path: '/api/dialer/release',
  tag,
  summary: 'Give back a call that was not started',
  description: 'The contact is in line again, and no attempt is counted. The lease must not have ended.',
  body: {
    type: 'object',
    properties: {
      callId: { type: 'string' },
      waitSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description: 'How long the contact must not be called; 0: it is back in its old place in line',
      },
    },
    required: ['callId'],
    additionalProperties: false,
  },
  response: { data: exactly({ callId: { type: 'string' }, taskId: id, contactId: id }) },
  errors: ['INVALID', 'CALL_NOT_FOUND', 'LEASE_LOST'],
  example: {
    body: { callId: exampleCall, waitSeconds: 60 },
    data: { callId: exampleCall, taskId: exampleTask, contactId: exampleContact },
  },
  access: { table: release },
} as const satisfies Route;

export const extendLease = {
  id: 'extendLease',
  file: 'dialer/extend',
  ...dialing,
  path: '/api/dialer/extend',
  tag,
  summary: 'Extend the lease of a call that is still going on',
  description: 'The lease ends that many seconds from now, or when it would have ended, whichever is later.',
  body: {
    type: 'object',
    properties: { callId: { type: 'string' }, leaseSeconds },
    required: ['callId'],
    additionalProperties: false,
  },
  response: { data: exactly({ callId: { type: 'string' }, leaseExpireTime: timestamp }) },
  errors: ['INVALID', 'CALL_NOT_FOUND', 'LEASE_LOST'],
  example: {
    body: { callId: exampleCall, leaseSeconds: 300 },
    data: { callId: exampleCall, leaseExpireTime: '2026-05-01 10:06:00' },
  },
  access: { table: extend },
} as const satisfies Route;

export const failTask = {
  id: 'failTask',
  file: 'dialer/fail',
  ...dialing,
  path: '/api/dialer/fail',
  tag,
  summary: 'Fail a task that cannot run',
  description: 'For a fault that affects the whole task. A contact that fails never fails its task.',
  body: {
    type: 'object',
    properties: { taskId: { type: 'string' }, reason: text },
    required: ['taskId', 'reason'],
  },
  response: { data: taskMoved },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE'],
  example: {
    body: { taskId: exampleTask, reason: 'the SIP trunk is down' },
    data: { id: exampleTask, status: 5 },
  },
  access: { table: [findTask, putTask, endCalls, countContacts] },
} as const satisfies Route;
