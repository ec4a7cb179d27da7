import { dialing, type Route, reading } from '../../platform/api/route.ts';
import {
  callId,
  contactId,
  customFields,
  dataSourceId,
  described,
  exactly,
  id,
  idParams,
  like,
  optionalTimestamp,
  paging,
  seconds,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { outcome } from '../../tasks/routes/tasks.ts';
import { callReasons } from '../../tasks/rules/task-settings.ts';
import { callDetails } from '../rules/call.ts';
import { annotateCalls, seeCall, seeCalls } from './access.ts';

export const callTag = 'Calls';

const optionalText = { type: ['string', 'null'], examples: [null] } as const;
const optionalData = {
  ...callDetails.data,
  title: 'OptionalCallData',
  type: ['object', 'null'],
  examples: [{ amount: 120, paysOn: '2026-05-08' }],
} as const;

export const callRecord = {
  callId,
  taskId: id,
  contactId,
  dataSourceId,
  phoneNumber: {
    ...like(optionalText, '13800138000'),
    description: 'As it was called; null if the person was erased',
  },
  callerNumber: like(optionalText, '+493012345678'),
  attempt: { type: 'integer', minimum: 1 },
  startTime: described(like(timestamp, '2026-05-01 10:00:05'), 'When dialing began'),
  endTime: described(like(timestamp, '2026-05-01 10:01:12'), 'When the result was reported'),
  duration: seconds,
  outcome,
  reason: { type: ['string', 'null'], enum: [...callReasons, null], examples: [null] },
  final: { type: 'boolean', description: 'Whether the contact needed no further call', examples: [true] },
  callbackTime: described(optionalTimestamp, 'When the person asked to be called'),
  doNotCall: { type: ['boolean', 'null'] },
  disposition: like(optionalText, 'promised'),
  data: optionalData,
  summary: like(optionalText, 'The customer promises to pay on 8 May.'),
  recordingUrl: like(optionalText, 'https://recordings.example.com/h7w2k9'),
  transcriptUrl: optionalText,
  providerCallId: like(optionalText, 'CA5ef8732a3c49700934481addd5ce1659'),
  reportedBy: { ...like(optionalText, 'dialer'), description: 'The client that reported the result' },
  updateTime: described(optionalTimestamp, 'Of the last annotation'),
} as const;

export const range = {
  from: described(timestamp, 'Calls that ended at this time or later'),
  to: described(timestamp, 'Calls that ended before this time'),
} as const;

export const taskCallList = {
  id: 'taskCallList',
  file: 'task/calls',
  ...reading,
  path: '/api/task/{id}/calls',
  tag: callTag,
  summary: 'List the calls of a task, the newest first',
  description:
    'Every call that was counted has a record from 0.4 on. Request the next page with nextPageToken until it is null. With a filter a page may hold fewer rows than pageSize, even none, since a request reads a bounded number of records.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      ...range,
      outcome,
      reason: { type: 'string', enum: callReasons, description: 'Only calls that ended for it' },
      disposition: { type: 'string', maxLength: 64, description: 'Only calls with this one' },
      phoneNumber: {
        type: 'string',
        maxLength: 100,
        description: 'Calls to numbers that contain these digits',
      },
      pageSize: paging.pageSize,
      pageToken: { type: 'string', maxLength: 200, description: 'nextPageToken of the previous page' },
    },
  },
  response: {
    data: exactly({
      rows: { type: 'array', items: titled('CallRecord', exactly(callRecord)) },
      nextPageToken: optionalText,
    }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  access: { table: seeCalls },
} as const satisfies Route;

export const callDetail = {
  id: 'callDetail',
  file: 'call/detail',
  ...reading,
  path: '/api/call/detail/{callId}',
  tag: callTag,
  summary: 'Get one call, with the fields of its contact',
  description: 'A call that has no result yet is not found, and neither is a call from before 0.4.',
  params: {
    type: 'object',
    properties: { callId },
    required: ['callId'],
  },
  response: {
    data: titled(
      'CallDetail',
      exactly({
        ...callRecord,
        fields: {
          ...customFields,
          title: 'FieldsOfCalled',
          type: ['object', 'null'],
          description: 'The fields of the contact as they are now; null if it was deleted',
        },
      }),
    ),
  },
  errors: ['CALL_NOT_FOUND'],
  access: { table: seeCall },
} as const satisfies Route;

const orNull = <const S extends { type: string }>(schema: S) =>
  ({ ...schema, type: [schema.type, 'null'] }) as unknown as Omit<S, 'type'> & {
    readonly type: readonly [S['type'], 'null'];
  };

export const annotateCall = {
  id: 'annotateCall',
  file: 'dialer/annotate',
  ...dialing,
  path: '/api/dialer/annotate',
  tag: callTag,
  summary: 'Add to a call what was found out after it ended',
  description:
    'Named inputs replace what is stored, null removes it, others stay. Outcome, attempts and retries do not change. Up to 30 days after the end of the call.',
  body: {
    type: 'object',
    properties: {
      callId,
      disposition: orNull(callDetails.disposition),
      data: optionalData,
      summary: orNull(callDetails.summary),
      recordingUrl: orNull(callDetails.recordingUrl),
      transcriptUrl: orNull(callDetails.transcriptUrl),
      providerCallId: orNull(callDetails.providerCallId),
      doNotCall: {
        type: ['boolean', 'null'],
        description: 'true: the number is put on the do-not-call list before the answer',
      },
    },
    required: ['callId'],
    examples: [{ disposition: 'promised', data: { paysOn: '2026-05-08' } }],
  },
  response: { data: exactly({ callId, updateTime: like(timestamp, '2026-05-01 10:05:00') }) },
  errors: ['INVALID', 'CALL_NOT_FOUND', 'CALL_NOT_REPORTED', 'CALL_TOO_OLD', 'CALL_ERASED', 'TASK_CLOSED'],
  access: { table: annotateCalls },
} as const satisfies Route;
