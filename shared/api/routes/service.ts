import { seeDay } from '../access.ts';
import { type Route, reading } from '../route.ts';
import { count, exactly, id, optionalStatus, titled } from '../schemas.ts';
import { exampleTask } from './examples.ts';

const limit = (description: string) => ({ type: ['integer', 'null'], minimum: 1, description }) as const;
const text = (description: string) => ({ type: ['string', 'null'], description }) as const;

export const describeService = {
  ...reading,
  id: 'describeService',
  file: 'service/describe',
  path: '/api/service',
  scope: null,
  tag: 'Service',
  summary: 'Get the version of the service and the rules that hold for all its tasks',
  description: 'With any valid token. A rule that the service does not have is `null`.',
  response: {
    data: titled(
      'Service',
      exactly({
        version: { type: 'string' },
        timeZone: { type: 'string', description: 'IANA name of the zone of timestamps and of the day' },
        country: text('ISO 3166 code of the country of numbers without +'),
        callingHours: text('HH:MM-HH:MM: no task calls outside, by the clock of the zone of the contact'),
        maxConcurrentCalls: limit('Most calls of all tasks at the same time'),
        maxCallsPerNumberPerDay: limit('Most calls to one number a day, over all tasks'),
        importMaxRows: { ...count, description: 'Most rows of an uploaded file' },
        batchImportMaxRows: { ...count, description: 'Most rows of a file that is sent as a form' },
      }),
    ),
  },
  errors: [],
  example: {
    data: {
      version: '0.4.0',
      timeZone: 'Asia/Shanghai',
      country: 'CN',
      callingHours: '08:00-21:00',
      maxConcurrentCalls: 200,
      maxCallsPerNumberPerDay: 3,
      importMaxRows: 10_000,
      batchImportMaxRows: 10_000,
    },
  },
  access: {},
} as const satisfies Route;

const byOutcome = { total: count, success: count, failed: count, noAnswer: count } as const;
const callsOfDay = titled(
  'CallsOfDay',
  exactly({
    ...byOutcome,
    talkDuration: { type: 'number', description: 'Seconds of the calls with success' },
  }),
);
const exampleCalls = { total: 350, success: 210, failed: 40, noAnswer: 100, talkDuration: 9450 } as const;

export const dayOfService = titled(
  'ServiceDay',
  exactly({
    date: { type: 'string' },
    calls: callsOfDay,
    hours: {
      type: 'array',
      description: 'Every hour of the day: 23 or 25 of them where the clock changes',
      items: exactly({ hour: { type: 'integer', minimum: 0, maximum: 23 }, ...byOutcome }),
    },
    tasks: {
      type: 'array',
      description:
        'The tasks that called, the task with the most calls first. `status` is null where the task was deleted.',
      items: exactly({
        taskId: id,
        taskName: { type: 'string' },
        status: optionalStatus,
        calls: callsOfDay,
      }),
    },
  }),
);
/** YYYY-MM-DD. */
export const date = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } as const;

export const describeDay = {
  ...reading,
  id: 'describeDay',
  file: 'service/day',
  path: '/api/service/day',
  tag: 'Service',
  summary: 'Get all calls of a day, by outcome, by hour and by task',
  description:
    'Day and hours are those of the clock of the service. A call belongs to the moment its result was counted. Tasks that were paused, ended or deleted since are included.',
  query: {
    type: 'object',
    properties: {
      date: { ...date, description: 'YYYY-MM-DD; today if absent' },
    },
  },
  response: {
    data: dayOfService,
  },
  errors: ['INVALID', 'TOO_MANY_CHANGES'],
  example: {
    data: {
      date: '2026-05-01',
      calls: exampleCalls,
      hours: [{ hour: 9, total: 350, success: 210, failed: 40, noAnswer: 100 }],
      tasks: [{ taskId: exampleTask, taskName: 'Spring campaign', status: 1, calls: exampleCalls }],
    },
  },
  access: { table: seeDay },
} as const satisfies Route;
