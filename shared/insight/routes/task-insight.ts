import { buckets } from '../../calls/rules/timeline.ts';
import { countContacts } from '../../contacts/routes/access.ts';
import { standing } from '../../dialing/routes/contact-standing.ts';
import { standingNames } from '../../dialing/rules/task-contact-views.ts';
import { waitReasons } from '../../dialing/rules/waits.ts';
import { seeTroubledImports } from '../../imports/routes/access.ts';
import { runningImports, troubledImports } from '../../imports/routes/import-fields.ts';
import { type Route, reading } from '../../platform/api/route.ts';
import {
  contactId,
  count,
  createTime,
  customFields,
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
  paging,
  phone,
  seconds,
  status,
  timestamp,
  titled,
  withoutDefaults,
} from '../../platform/api/schemas.ts';
import { priority } from '../../platform/rules/names.ts';
import { countCalls, findTask, listTaskHeaders } from '../../tasks/routes/access.ts';
import { cause, taskCalls, taskTag } from '../../tasks/routes/tasks.ts';
import { callReasons, taskSettings } from '../../tasks/rules/task-settings.ts';
import { statusNames } from '../../tasks/rules/task-states.ts';
import { attentionAtMost } from '../../tasks/rules/task-views.ts';
import {
  boardAtMost,
  dialingLimits,
  idleReasons,
  namedAhead,
  overviewsAtMost,
} from '../rules/task-overview.ts';
import { seeDay, seeTaskContacts, seeTasks, seeTimeline } from './access.ts';
import { date, dayOfService } from './service.ts';

const read = { ...reading, tag: taskTag } as const;

const counts = <const N extends string>(names: readonly N[]) =>
  exactly(Object.fromEntries(names.map((each) => [each, count])) as Record<N, typeof count>);

const overview = titled(
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
          'With AT_LIMIT: the limit that holds calls back, of the task or of the service. DAILY_LIMIT: the calls of a day to each number',
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
const withDay = <const S extends { properties: object }>(schema: S) =>
  ({ ...schema, properties: { ...schema.properties, day: dayOfService } }) as const;
const day = {
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

const timelineRow = titled(
  'TimelineRow',
  exactly({
    time: described(timestamp, 'Start of the hour or minute'),
    total: like(count, 350),
    success: like(count, 210),
    failed: like(count, 40),
    noAnswer: like(count, 100),
  }),
);

export const taskBoard = {
  id: 'taskBoard',
  file: 'task/board',
  path: '/api/task/board',
  summary: 'Get a page of overviews, with the number of tasks in each state',
  description:
    'The newest task first. All that a screen of tasks shows, in one request. May lag by a second.',
  query: {
    type: 'object',
    properties: {
      pageNum: paging.pageNum,
      pageSize: { ...paging.pageSize, maximum: boardAtMost },
      taskName: { type: 'string', description: 'Only tasks whose name contains this text' },
      status,
      attention: {
        type: 'boolean',
        default: false,
        description: `true: also the newest ${attentionAtMost} tasks of each of the states PAUSED, STOPPED and FAILED`,
      },
      imports: {
        type: 'boolean',
        default: false,
        description:
          'true: also the imports of all data sources that need attention (the latest 100 that failed within a day, except cancelled ones, and unfinished ones that are stuck), and the others that have not ended; up to 100 unfinished ones',
      },
      day,
    },
  },
  response: {
    data: withDay(
      exactly({
        total: like(count, 1),
        rows: { type: 'array', items: overview },
        byStatus: {
          ...like(titled('TasksByStatus', counts(statusNames)), {
            draft: 2,
            running: 1,
            completed: 4,
            closed: 1,
          }),
          description: 'Tasks whose name contains taskName, by state',
        },
        attention: {
          type: 'array',
          items: overview,
          description: 'Empty unless it was asked for',
          examples: [[]],
        },
        imports: {
          ...like(troubledImports, []),
          description:
            'Newest first; since: when the import failed, or should have gone on. Empty unless it was asked for',
        },
        runningImports: {
          ...like(runningImports, []),
          description:
            'Newest first: imports that wait for their file or are running, except stuck ones and dry runs. Empty unless imports were asked for',
        },
        minutes: {
          type: 'object',
          additionalProperties: { type: 'array', items: timelineRow },
          description:
            'By task id: the calls of the last ten minutes and of the running one, of each RUNNING row that has called',
          examples: [
            {
              '4k9x2m7q8t3vbn5c': [
                { time: '2026-05-01 10:31:00', total: 5, success: 3, failed: 1, noAnswer: 1 },
              ],
            },
          ],
        },
      }),
    ),
  },
  errors: ['INVALID'],
  access: { table: [listTaskHeaders, ...seeTasks, ...seeTimeline, ...seeDay, ...seeTroubledImports] },
  ...read,
} as const satisfies Route;

export const taskTimeline = {
  id: 'taskTimeline',
  file: 'task/timeline',
  path: '/api/task/{id}/timeline',
  summary: 'Get the calls of a task over time, by outcome',
  description:
    "Hours of the task's last 30 days, or minutes of its last 3 hours, oldest first. Hours and minutes without calls are omitted.",
  params: idParams,
  query: {
    type: 'object',
    properties: {
      bucket: {
        type: 'string',
        enum: buckets,
        default: 'hour',
        description: 'What a row counts the calls of',
      },
    },
  },
  response: {
    data: exactly({
      bucket: { type: 'string', enum: buckets, examples: ['hour'] },
      rows: {
        type: 'array',
        items: timelineRow,
      },
    }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  access: { table: [findTask, ...seeTimeline] },
  ...read,
} as const satisfies Route;

/** Only `find` shows everything that holds a contact back. */
const { holds: _, ...standingRow } = standing;

export const taskContacts = {
  id: 'taskContacts',
  file: 'task/contacts',
  path: '/api/task/{id}/contacts',
  summary: 'List the contacts of a task by outcome or phone number, with their calls',
  description:
    'Request the next page with nextPageToken until it is null. A page before the last may hold fewer rows than pageSize, even none.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      outcome: {
        type: 'string',
        enum: ['all', ...standingNames],
        default: 'all',
        description: 'Only contacts that stand so',
      },
      phoneNumber: {
        type: 'string',
        maxLength: 100,
        description:
          'Contacts whose number contains these digits, in the order they were added; not together with an outcome',
      },
      pageSize: paging.pageSize,
      pageToken: { type: 'string', maxLength: 200, description: 'nextPageToken of the previous page' },
    },
  },
  response: {
    data: exactly({
      total: like(count, 1),
      rows: {
        type: 'array',
        items: titled(
          'TaskContact',
          exactly({
            contactId,
            phoneNumber: phone,
            fields: customFields,
            ...standingRow,
            callbackTime: described(
              optionalTimestamp,
              'The time that was agreed for the next call; null without one. nextCallTime may be later: hours or a limit have moved the call',
            ),
            deferTime: described(
              optionalTimestamp,
              'When its call was put off to nextCallTime, for its hours or for the calls of a day; null otherwise',
            ),
            callbacks: { ...count, description: 'Callbacks that were agreed so far' },
          }),
        ),
      },
      nextPageToken: { type: ['string', 'null'] },
    }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  access: { table: seeTaskContacts },
  ...read,
} as const satisfies Route;

export const taskStat = {
  id: 'taskStat',
  file: 'task/stat',
  ...reading,
  path: '/api/task/{id}/stat',
  tag: taskTag,
  summary: 'Get the statistics of a task',
  description: 'Counts and durations of all calls, exact under concurrent results.',
  params: idParams,
  ignoresUnknownNames: true,
  response: {
    data: titled(
      'TaskStatistics',
      exactly({
        taskId: id,
        taskName: name,
        status,
        totalContacts: like(count, 1000),
        ...taskCalls,
        totalDuration: like(seconds, 15_750),
        avgDuration: like(seconds, 45),
        lastUpdateTime: like(timestamp, '2026-05-01 11:12:13'),
      }),
    ),
  },
  errors: ['TASK_NOT_FOUND'],
  access: { table: [findTask, countContacts, countCalls] },
} as const satisfies Route;
