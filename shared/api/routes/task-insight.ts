import { callReasons } from '../../domain/dialing/dialing.ts';
import { standingNames } from '../../domain/dialing/task-contact-views.ts';
import {
  attentionAtMost,
  boardAtMost,
  idleReasons,
  namedAhead,
  overviewsAtMost,
} from '../../domain/tasks/task-overview.ts';
import { taskSettings } from '../../domain/tasks/task-settings.ts';
import { statusNames } from '../../domain/tasks/task-states.ts';
import { buckets } from '../../domain/tasks/timeline.ts';
import {
  findTask,
  listTaskHeaders,
  seeDay,
  seeTaskContacts,
  seeTasks,
  seeTimeline,
  seeTroubledImports,
} from '../access.ts';
import { type Route, reading } from '../route.ts';
import {
  count,
  customFields,
  described,
  exactly,
  id,
  idParams,
  name,
  optionalTimestamp,
  pageOf,
  paging,
  priority,
  seconds,
  status,
  timestamp,
  titled,
  withoutDefaults,
} from '../schemas.ts';
import { troubledImports } from './contact-files.ts';
import { standing } from './contact-standing.ts';
import { exampleOverview, exampleTask, exampleTaskContact } from './examples.ts';
import { date, dayOfService } from './service.ts';
import { cause, taskTag } from './task-parts.ts';

const read = { ...reading, tag: taskTag } as const;

const counts = <const N extends string>(names: readonly N[]) =>
  exactly(Object.fromEntries(names.map((each) => [each, count])) as Record<N, typeof count>);

const overview = titled(
  'TaskOverview',
  exactly({
    id,
    taskName: name,
    status,
    dataSourceId: id,
    dataSourceName: name,
    ...withoutDefaults(taskSettings),
    contacts: counts([
      'total',
      'notDialed',
      'inCall',
      'waiting',
      'callbacks',
      'reached',
      'failed',
      'noAnswer',
      'blocked',
      'notSelected',
    ]),
    calls: exactly({
      total: count,
      success: count,
      failed: count,
      noAnswer: count,
      byReason: counts(callReasons),
      byDisposition: {
        type: 'object',
        additionalProperties: count,
        description: 'By declared code; other: calls with any other disposition',
      },
      duration: seconds,
      talkDuration: { ...seconds, description: 'Of duration, the seconds of successful calls' },
    }),
    dialing: exactly({
      active: { type: 'boolean', description: 'Whether calls go out' },
      reason: {
        type: ['string', 'null'],
        enum: [...idleReasons, null],
        description:
          'Why no calls go out; null while they do. NO_DIALER: no dialer asked for calls in the last minute. ' +
          'BEHIND_OTHERS: dialers serve tasks of a smaller priority number first',
      },
      nextTime: described(optionalTimestamp, 'When calls may go out next, if known'),
      firstDueTime: described(
        optionalTimestamp,
        'When the first waiting contact is due, which may be in the past; null if none waits',
      ),
      lastLeaseTime: described(optionalTimestamp, 'When a dialer last asked for calls'),
      behind: {
        type: 'array',
        items: exactly({ taskId: id, taskName: name, priority }),
        maxItems: namedAhead,
        description: 'With BEHIND_OTHERS: tasks that are served first, the most urgent first',
      },
    }),
    createTime: timestamp,
    startTime: optionalTimestamp,
    endTime: optionalTimestamp,
    updateTime: optionalTimestamp,
    reason: { type: ['string', 'null'], description: 'Why the task was stopped or failed' },
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
  example: { data: exampleOverview },
  access: { table: seeTasks },
  ...read,
} as const satisfies Route;

const page = pageOf(overview);
const withDay = { ...page, properties: { ...page.properties, day: dayOfService } } as const;

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
      day: { ...date, description: 'YYYY-MM-DD: also all calls of that day, as describeDay answers them' },
      calls: {
        ...count,
        description:
          'The calls of these tasks that the client knows of: without a further one, day is absent',
      },
    },
    required: ['ids'],
  },
  response: { data: withDay },
  errors: ['INVALID', 'TOO_MANY_CHANGES'],
  example: { data: { total: 1, rows: [exampleOverview] } },
  access: { table: [...seeTasks, ...seeDay] },
  ...read,
} as const satisfies Route;

const timelineRow = titled(
  'TimelineRow',
  exactly({
    time: described(timestamp, 'Start of the hour or minute'),
    total: count,
    success: count,
    failed: count,
    noAnswer: count,
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
          'true: also the imports of all data sources that need attention: the latest 100 that failed within a day, except cancelled ones, and up to 100 unfinished ones that are stuck',
      },
    },
  },
  response: {
    data: exactly({
      total: count,
      rows: { type: 'array', items: overview },
      byStatus: {
        ...titled('TasksByStatus', counts(statusNames)),
        description: 'Tasks whose name contains taskName, by state',
      },
      attention: { type: 'array', items: overview, description: 'Empty unless it was asked for' },
      imports: {
        ...troubledImports,
        description:
          'Newest first; since: when the import failed, or should have gone on. Empty unless it was asked for',
      },
      minutes: {
        type: 'object',
        additionalProperties: { type: 'array', items: timelineRow },
        description: 'By task id: the calls of the last minutes of each row whose calls go out',
      },
    }),
  },
  errors: ['INVALID'],
  example: {
    data: {
      total: 1,
      rows: [exampleOverview],
      byStatus: { draft: 2, running: 1, paused: 0, stopped: 0, completed: 4, failed: 0, closed: 1 },
      attention: [],
      imports: [],
      minutes: {
        [exampleTask]: [{ time: '2026-05-01 10:31:00', total: 5, success: 3, failed: 1, noAnswer: 1 }],
      },
    },
  },
  access: { table: [listTaskHeaders, ...seeTasks, ...seeTimeline, ...seeTroubledImports] },
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
  query: { type: 'object', properties: { bucket: { type: 'string', enum: buckets, default: 'hour' } } },
  response: {
    data: exactly({
      bucket: { type: 'string', enum: buckets },
      rows: {
        type: 'array',
        items: timelineRow,
      },
    }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  example: {
    data: {
      bucket: 'hour',
      rows: [{ time: '2026-05-01 10:00:00', total: 350, success: 210, failed: 40, noAnswer: 100 }],
    },
  },
  access: { table: [findTask, ...seeTimeline] },
  ...read,
} as const satisfies Route;

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
      outcome: { type: 'string', enum: ['all', ...standingNames], default: 'all' },
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
      total: count,
      rows: {
        type: 'array',
        items: titled(
          'TaskContact',
          exactly({
            contactId: id,
            phoneNumber: { type: 'string' },
            fields: customFields,
            ...standing,
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
  example: { data: { total: 1, rows: [exampleTaskContact], nextPageToken: null } },
  access: { table: seeTaskContacts },
  ...read,
} as const satisfies Route;
