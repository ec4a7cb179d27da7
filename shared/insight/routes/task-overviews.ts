import { waitReasons } from '../../dialing/rules/waits.ts';
import { type Route, reading } from '../../platform/api/route.ts';
import {
  count,
  createTime,
  dataSourceId,
  dataSourceName,
  described,
  exactly,
  id,
  idParams,
  like,
  name,
  optionalTimestamp,
  pageOf,
  seconds,
  status,
  titled,
  withoutDefaults,
} from '../../platform/api/schemas.ts';
import { priority } from '../../platform/rules/names.ts';
import { cause, taskCalls, taskTag } from '../../tasks/routes/tasks.ts';
import { callReasons, taskSettings } from '../../tasks/rules/task-settings.ts';
import { dialingLimits, idleReasons, namedAhead, overviewsAtMost } from '../rules/task-overview.ts';
import { seeDay, seeTasks } from './access.ts';
import { date, dayOfService } from './service.ts';

export const read = { ...reading, tag: taskTag } as const;

export const counts = <const N extends string>(names: readonly N[]) =>
  exactly(Object.fromEntries(names.map((each) => [each, count])) as Record<N, typeof count>);

export const overview = titled(
  'TaskOverview',
  exactly({
    id,
    taskName: name,
    status,
    dataSourceId,
    dataSourceName,
    ...withoutDefaults(taskSettings),
    contacts: exactly({
      total: like(count, 1000),
      selected: {
        ...exactly({
          count: like(count, 640),
          estimated: {
            type: 'boolean',
            description:
              'Whether not all contacts were looked at, and no pre-flight knows them as they are now',
          },
        }),
        description:
          'Contacts that the contactFilter selects, all of them without one: what the last pre-flight of the task found. Without a pre-flight, the share that was selected so far is taken for the whole list',
      },
      notDialed: { ...like(count, 580), description: 'Selected contacts that the task has never called' },
      inCall: like(count, 4),
      waiting: {
        ...like(count, 60),
        description: 'Contacts that were called, or that a recall named, and will be called again',
      },
      callable: {
        ...like(count, 572),
        description:
          'Of notDialed and waiting, how many could be called at this moment; of a PAUSED task, if it were RUNNING',
      },
      callbacks: like(count, 4),
      callbacksMoved: {
        ...like(count, 1),
        description: 'Of callbacks, how many hours or a limit have moved past the time that was agreed',
      },
      reached: like(count, 210),
      failed: like(count, 10),
      noAnswer: like(count, 30),
      blocked: like(count, 6),
      notSelected: like(count, 100),
    }),
    waits: {
      type: 'array',
      description:
        'Everybody who waits, called before or not, by the reason that ends last. callable, inCall and the counts here add up to what is left to do. Exact up to 20,000 places in line: above that the last entry has the reason null and those that were not looked at',
      items: exactly({
        reason: { type: ['string', 'null'], enum: [...waitReasons, null], examples: ['RETRY'] },
        count: like(count, 68),
        from: described(
          like(optionalTimestamp, '2026-05-01 18:04:10'),
          'When the first of them can be called; null where no such moment is known',
        ),
        to: described(like(optionalTimestamp, '2026-05-04 10:30:00'), 'When the last of them can be called'),
      }),
    },
    calls: exactly({
      total: taskCalls.callCount,
      success: taskCalls.successCount,
      failed: taskCalls.failCount,
      noAnswer: taskCalls.noAnswerCount,
      contacts: {
        ...like(count, 310),
        description: 'Contacts that had a call. Calls of versions before 0.5 count as one contact each',
      },
      byReason: like(counts(callReasons), { busy: 30, rejected: 10, noAnswer: 80, voicemail: 20 }),
      byDisposition: {
        type: 'object',
        additionalProperties: count,
        description: 'By declared code; other: calls with any other disposition',
        examples: [{ promised: 120, other: 0 }],
      },
      duration: like(seconds, 15_750),
      talkDuration: { ...like(seconds, 15_300), description: 'Of duration, the seconds of successful calls' },
      lastCallTime: described(
        like(optionalTimestamp, '2026-05-01 17:59:41'),
        'When the last call ended; null before the first',
      ),
    }),
    dialing: exactly({
      active: { type: 'boolean', description: 'Whether calls go out' },
      reason: {
        type: ['string', 'null'],
        enum: [...idleReasons, null],
        examples: ['OUTSIDE_HOURS'],
        description:
          'Why no calls go out; null while they do. NO_DIALER: no dialer asked for calls in the last minute. ' +
          'BEHIND_OTHERS: dialers serve tasks of a smaller priority number first',
      },
      limit: {
        type: ['string', 'null'],
        enum: [...dialingLimits, null],
        examples: [null],
        description:
          'With AT_LIMIT: the limit that holds calls back, of the task or of the service. CALL_LIMITS, REST and DAILY_LIMIT: those on the calls to each number',
      },
      nextTime: described(
        like(optionalTimestamp, '2026-05-04 09:00:00'),
        'When calls may go out next, if known',
      ),
      lastLeaseTime: described(
        like(optionalTimestamp, '2026-05-01 17:59:58'),
        'When a dialer last asked for calls of this task since its publish, by its id or among others, or extended a call that it got by its id',
      ),
      behind: {
        type: 'array',
        items: exactly({ taskId: id, taskName: name, priority }),
        maxItems: namedAhead,
        description: 'With BEHIND_OTHERS: tasks that are served first, the most urgent first',
        examples: [[]],
      },
    }),
    createTime,
    startTime: like(optionalTimestamp, '2026-05-01 10:00:00'),
    endTime: optionalTimestamp,
    updateTime: like(optionalTimestamp, '2026-05-01 10:00:00'),
    reason: {
      type: ['string', 'null'],
      description: 'Why the task was stopped or failed',
      examples: [null],
    },
    ...cause,
  }),
);

export const taskOverview = {
  id: 'taskOverview',
  file: 'task/overview',
  path: '/api/task/{id}/overview',
  summary: 'Get the overview of a task: settings, contacts, calls, and why no calls go out',
  description: 'May lag by a second.',
  params: idParams,
  response: { data: overview },
  errors: ['TASK_NOT_FOUND'],
  access: { table: seeTasks },
  ...read,
} as const satisfies Route;

/** An answer that may bring the calls of a day too. */
export const withDay = <const S extends { properties: object }>(schema: S) =>
  ({ ...schema, properties: { ...schema.properties, day: dayOfService } }) as const;
export const day = {
  ...date,
  description: 'YYYY-MM-DD: also all calls of that day, as describeDay answers them',
} as const;

export const taskOverviews = {
  id: 'taskOverviews',
  file: 'task/overviews',
  path: '/api/task/overviews',
  summary: 'Get the overviews of several tasks, in the order of the ids',
  description: 'May lag by a second.',
  query: {
    type: 'object',
    properties: {
      ids: {
        type: 'string',
        description: `At most ${overviewsAtMost} task ids, separated by commas; unknown ids are ignored`,
      },
      day,
      calls: {
        ...count,
        description:
          'The calls of these tasks that the client knows of: without a further one, day is absent',
      },
    },
    required: ['ids'],
  },
  response: { data: withDay(pageOf(overview)) },
  errors: ['INVALID', 'TOO_MANY_CHANGES'],
  access: { table: [...seeTasks, ...seeDay] },
  ...read,
} as const satisfies Route;
