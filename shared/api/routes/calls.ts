import { callDetails } from '../../domain/calls/call-details.ts';
import { callReasons } from '../../domain/dialing/dialing.ts';
import { annotateCalls, findTask, renderExport, seeCall, seeCalls } from '../access.ts';
import { dialing, type Route, reading } from '../route.ts';
import {
  customFields,
  described,
  exactly,
  exporting,
  fileFormat,
  id,
  idParams,
  optionalTimestamp,
  outcome,
  paging,
  seconds,
  timestamp,
  titled,
  wordingOptions,
} from '../schemas.ts';
import { exampleCall, exampleContact, exampleSource, exampleTask } from './examples.ts';

const tag = 'Calls';

const optionalText = { type: ['string', 'null'] } as const;
const optionalData = {
  ...callDetails.data,
  title: 'OptionalCallData',
  type: ['object', 'null'],
} as const;

export const callRecord = {
  callId: { type: 'string' },
  taskId: id,
  contactId: id,
  dataSourceId: id,
  phoneNumber: { ...optionalText, description: 'As it was called; null if the person was erased' },
  callerNumber: optionalText,
  attempt: { type: 'integer', minimum: 1 },
  startTime: described(timestamp, 'When dialing began'),
  endTime: described(timestamp, 'When the result was reported'),
  duration: seconds,
  outcome,
  reason: { type: ['string', 'null'], enum: [...callReasons, null] },
  final: { type: 'boolean', description: 'Whether the contact needed no further call' },
  callbackTime: described(optionalTimestamp, 'When the person asked to be called'),
  doNotCall: { type: ['boolean', 'null'] },
  disposition: optionalText,
  data: optionalData,
  summary: optionalText,
  recordingUrl: optionalText,
  transcriptUrl: optionalText,
  providerCallId: optionalText,
  reportedBy: { ...optionalText, description: 'The client that reported the result' },
  updateTime: described(optionalTimestamp, 'Of the last annotation'),
} as const;

const exampleRecord = {
  callId: exampleCall,
  taskId: exampleTask,
  contactId: exampleContact,
  dataSourceId: exampleSource,
  phoneNumber: '13800138000',
  callerNumber: '+493012345678',
  attempt: 1,
  startTime: '2026-05-01 10:00:05',
  endTime: '2026-05-01 10:01:12',
  duration: 42,
  outcome: 'success',
  reason: null,
  final: true,
  callbackTime: null,
  doNotCall: null,
  disposition: 'promised',
  data: { amount: 120, paysOn: '2026-05-08' },
  summary: 'The customer promises to pay on 8 May.',
  recordingUrl: 'https://recordings.example.com/h7w2k9',
  transcriptUrl: null,
  providerCallId: 'CA5ef8732a3c49700934481addd5ce1659',
  reportedBy: 'dialer',
  updateTime: null,
};

const range = {
  from: described(timestamp, 'Calls that ended at this time or later'),
  to: described(timestamp, 'Calls that ended before this time'),
} as const;

export const taskCallList = {
  id: 'taskCallList',
  file: 'task/calls',
  ...reading,
  path: '/api/task/{id}/calls',
  tag,
  summary: 'List the calls of a task, the newest first',
  description:
    'Every call that was counted has a record from 0.4 on. Request the next page with nextPageToken until it is null. With a filter a page may hold fewer rows than pageSize, even none, since a request reads a bounded number of records.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      ...range,
      outcome,
      reason: { type: 'string', enum: callReasons },
      disposition: { type: 'string', maxLength: 64 },
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
  example: { data: { rows: [exampleRecord], nextPageToken: null } },
  access: { table: seeCalls },
} as const satisfies Route;

export const callDetail = {
  id: 'callDetail',
  file: 'call/detail',
  ...reading,
  path: '/api/call/detail/{callId}',
  tag,
  summary: 'Get one call, with the fields of its contact',
  description: 'A call that has no result yet is not found, and neither is a call from before 0.4.',
  params: {
    type: 'object',
    properties: { callId: { type: 'string' } },
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
  example: { data: { ...exampleRecord, fields: { customerName: 'Li Wei' } } },
  access: { table: seeCall },
} as const satisfies Route;

export const exportCalls = {
  id: 'exportCalls',
  file: 'task/export-calls',
  ...exporting,
  path: '/api/task/{id}/calls/export',
  tag,
  summary: 'Export the calls of a task, one row for each',
  description:
    'The oldest first. Each name of data has a column data.<name>, up to 200 names; further names share one column as JSON.',
  params: idParams,
  query: { type: 'object', properties: { format: fileFormat, ...range, ...wordingOptions } },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'FILE_TOO_LARGE'],
  access: { table: [findTask, ...seeCalls], bucket: [renderExport] },
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
  tag,
  summary: 'Add to a call what was found out after it ended',
  description:
    'Named inputs replace what is stored, null removes it, others stay. Outcome, attempts and retries do not change. Up to 30 days after the end of the call.',
  body: {
    type: 'object',
    properties: {
      callId: { type: 'string' },
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
    additionalProperties: false,
  },
  response: { data: exactly({ callId: { type: 'string' }, updateTime: timestamp }) },
  errors: ['INVALID', 'CALL_NOT_FOUND', 'CALL_NOT_REPORTED', 'CALL_TOO_OLD', 'CALL_ERASED', 'TASK_CLOSED'],
  example: {
    body: { callId: exampleCall, disposition: 'promised', data: { paysOn: '2026-05-08' } },
    data: { callId: exampleCall, updateTime: '2026-05-01 10:05:00' },
  },
  access: { table: annotateCalls },
} as const satisfies Route;
