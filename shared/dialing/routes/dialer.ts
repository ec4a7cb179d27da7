import { callDetails } from '../../calls/rules/call.ts';
import { countHeldContacts } from '../../contacts/routes/access.ts';
import { dialing, type Route, writing } from '../../platform/api/route.ts';
import {
  callId,
  contactId,
  contactStatus,
  count,
  customFields,
  dataSourceId,
  described,
  exactly,
  exampleOf,
  id,
  idParams,
  like,
  name,
  phone,
  status,
  timestamp,
  titled,
  withoutDefaults,
} from '../../platform/api/schemas.ts';
import { priority, text } from '../../platform/rules/names.ts';
import { endCalls, findTask, putTask } from '../../tasks/routes/access.ts';
import { outcome, taskMoved, taskTag } from '../../tasks/routes/tasks.ts';
import { callReasons, taskSettings } from '../../tasks/rules/task-settings.ts';
import { extend, lease, recall, release, reportCallsAndExclude } from './access.ts';

const tag = 'Dialing';

const leaseSeconds = {
  type: 'integer',
  minimum: 10,
  maximum: 3600,
  default: 120,
  description: 'How long a call may take until it is reported or extended',
} as const;

const call = titled(
  'Call',
  exactly({
    callId,
    taskId: id,
    contactId,
    dataSourceId,
    phoneNumber: phone,
    callerNumber: {
      type: ['string', 'null'],
      description: "Phone number to call from, of the task's callerNumbers; null where it has none",
      examples: ['+493012345678'],
    },
    fields: customFields,
    attempt: {
      type: 'integer',
      minimum: 1,
      description: 'Number of this call to the contact; starts at 1 again after a recall',
    },
    priority,
    leaseExpireTime: like(timestamp, '2026-05-01 10:02:00'),
  }),
);

const leased = exactly({
  calls: { type: 'array', items: call },
  tasks: {
    type: 'object',
    additionalProperties: titled(
      'CallingTask',
      exactly({ taskName: name, callSettings: withoutDefaults(taskSettings).callSettings }),
    ),
    description: 'The tasks of these calls, by id',
    examples: [
      { '4k9x2m7q8t3vbn5c': { taskName: 'Renewal reminders', callSettings: { script: 'renewal' } } },
    ],
  },
  retryAfterSeconds: {
    type: 'integer',
    minimum: 0,
    description:
      'How long to wait before asking again; 0 where there are as many calls as asked for. At most 15.',
    examples: [1],
  },
});

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
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        default: 10,
        description: 'Maximum number of calls',
      },
      leaseSeconds,
      taskId: { type: 'string', description: 'Only calls of this task' },
    },
    examples: [{ limit: 10, leaseSeconds: 120, taskId: '4k9x2m7q8t3vbn5c' }],
  },
  response: {
    data: {
      ...leased,
      properties: {
        ...leased.properties,
        taskStatus: described(status, 'Only where the request has a taskId: the state of that task'),
      },
      examples: [{ taskStatus: 1 }],
    },
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  isAnsweredAnew: true,
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
      callId,
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
    examples: [{ duration: 42, disposition: 'promised', data: { paysOn: '2026-05-08' } }],
  },
  response: {
    data: exactly({
      callId,
      taskId: id,
      contactId,
      contactStatus,
      final: { type: 'boolean', examples: [true] },
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
        // Checked one by one, so that a wrong one does not affect the others.
        items: { description: 'As the body of /api/dialer/result' },
        description: 'A result that is refused does not affect the others',
        examples: [[exampleOf(reportResult.body), { callId: 'unknown', outcome: 'failed' }]],
      },
    },
    required: ['results'],
  },
  response: {
    data: exactly({
      results: {
        type: 'array',
        items: exactly({
          code: { type: 'integer', description: '0, or the status that the result would have had alone' },
          errorCode: {
            type: ['string', 'null'],
            description: 'The X-Error-Code that the result would have had alone; null where it was taken',
          },
          message: { type: 'string' },
          data: { type: ['object', 'null'], description: 'As the data of /api/dialer/result' },
        }),
        examples: [
          [
            { code: 0, errorCode: null, message: 'success', data: exampleOf(reportResult.response.data) },
            { code: 404, errorCode: 'CALL_NOT_FOUND', message: 'call does not exist', data: null },
          ],
        ],
      },
    }),
  },
  errors: ['INVALID'],
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
      callId,
      waitSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: 86_400,
        default: 0,
        description: 'How long the contact must not be called; 0: it is back in its old place in line',
      },
    },
    required: ['callId'],
    examples: [{ waitSeconds: 60 }],
  },
  response: { data: exactly({ callId, taskId: id, contactId }) },
  errors: ['INVALID', 'CALL_NOT_FOUND', 'ALREADY_REPORTED', 'LEASE_LOST'],
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
    properties: { callId, leaseSeconds },
    required: ['callId'],
    examples: [{ leaseSeconds: 300 }],
  },
  response: { data: exactly({ callId, leaseExpireTime: like(timestamp, '2026-05-01 10:06:00') }) },
  errors: ['INVALID', 'CALL_NOT_FOUND', 'ALREADY_REPORTED', 'LEASE_LOST'],
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
    properties: {
      taskId: described(id, 'The task, which becomes FAILED'),
      reason: { ...like(text, 'the SIP trunk is down'), description: 'For people: shown with the task' },
    },
    required: ['taskId', 'reason'],
  },
  response: { data: taskMoved(5) },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE'],
  access: { table: [findTask, putTask, endCalls, countHeldContacts] },
} as const satisfies Route;

export const recallTask = {
  id: 'recallTask',
  file: 'task/recall',
  ...writing,
  path: '/api/task/{id}/recall',
  tag: taskTag,
  summary: 'Queue contacts to be called again',
  description:
    'Without contactIds, all contacts whose final outcome is failed or no answer are queued. A completed or failed task runs again.',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      id: { description: 'Ignored: the path names the task' },
      contactIds: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 20_000,
        description: 'Queues these contacts, whatever their outcome, except contacts in a call',
      },
      priority: { ...priority, default: 5 },
    },
    examples: [{ contactIds: ['7d2h6w9rk4mz3pqa-2s'], priority: 1 }],
  },
  /** Room for 20,000 contact ids, which are queued well within the timeout. */
  bodyLimit: 1024 * 1024,
  response: {
    data: exactly({
      recallCount: like(count, 1),
      recallIds: { type: 'array', items: { type: 'string' }, examples: [['7d2h6w9rk4mz3pqa-2s']] },
    }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE', 'TOO_LARGE'],
  access: { table: recall },
} as const satisfies Route;
