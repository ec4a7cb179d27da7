import { type Route, reading } from '../../platform/api/route.ts';
import { count, exactly, id, like, optionalStatus, titled } from '../../platform/api/schemas.ts';
import { taskSettings } from '../../tasks/rules/task-settings.ts';
import { seeDay } from './access.ts';

const limit = (description: string, example: number) =>
  ({ type: ['integer', 'null'], minimum: 1, description, examples: [example] }) as const;
const text = (description: string, example: string) =>
  ({ type: ['string', 'null'], description, examples: [example] }) as const;

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
        version: { type: 'string', examples: ['0.5.0'] },
        timeZone: {
          type: 'string',
          description: 'IANA name of the zone of timestamps and of the day',
          examples: ['Asia/Shanghai'],
        },
        timeZoneData: {
          type: 'string',
          description: 'Version of the IANA time zone data that all times follow',
          examples: ['2026f'],
        },
        country: text('ISO 3166 code of the country of numbers without +', 'CN'),
        callingHours: text(
          'HH:MM-HH:MM: no task calls outside, by the clock of the zone of the contact',
          '08:00-21:00',
        ),
        maxConcurrentCalls: limit('Most calls of all tasks at the same time', 200),
        maxCallsPerNumberPerDay: limit('Most calls to one number a day, over all tasks', 3),
        callLimits: {
          ...taskSettings.callLimits,
          description: 'Most calls to one number in any so many minutes, over all tasks',
        },
        restAfterSuccess: {
          ...count,
          description: 'Hours without a call to a number after a call that reached it',
          examples: [24],
        },
        importMaxRows: { ...count, description: 'Most rows of an uploaded file', examples: [10_000] },
        batchImportMaxRows: {
          ...count,
          description: 'Most rows of a file that is sent as a form',
          examples: [10_000],
        },
      }),
    ),
  },
  errors: [],
  access: {},
} as const satisfies Route;

const byOutcome = {
  total: like(count, 350),
  success: like(count, 210),
  failed: like(count, 40),
  noAnswer: like(count, 100),
} as const;
const callsOfDay = titled(
  'CallsOfDay',
  exactly({
    ...byOutcome,
    talkDuration: { type: 'number', description: 'Seconds of the calls with success', examples: [9450] },
  }),
);
export const dayOfService = titled(
  'ServiceDay',
  exactly({
    date: { type: 'string', examples: ['2026-05-01'] },
    calls: callsOfDay,
    hours: {
      type: 'array',
      description: 'Every hour of the day: 23 or 25 of them where the clock changes',
      items: exactly({ hour: { type: 'integer', minimum: 0, maximum: 23, examples: [9] }, ...byOutcome }),
    },
    tasks: {
      type: 'array',
      description:
        'The tasks that called, the task with the most calls first. `status` is null where the task was deleted.',
      items: exactly({
        taskId: id,
        taskName: { type: 'string', examples: ['Renewal reminders'] },
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
  access: { table: seeDay },
} as const satisfies Route;
