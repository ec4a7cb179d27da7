import { buckets } from '../../calls/rules/timeline.ts';
import { countContacts } from '../../contacts/routes/access.ts';
import { standing } from '../../dialing/routes/contact-standing.ts';
import { standingNames } from '../../dialing/rules/task-contact-views.ts';
import { seeTroubledImports } from '../../imports/routes/access.ts';
import { runningImports, troubledImports } from '../../imports/routes/import-fields.ts';
import { type Route, reading } from '../../platform/api/route.ts';
import {
  contactId,
  count,
  customFields,
  described,
  exactly,
  id,
  idParams,
  like,
  name,
  optionalTimestamp,
  paging,
  phone,
  seconds,
  status,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { countCalls, findTask, listTaskHeaders } from '../../tasks/routes/access.ts';
import { taskCalls, taskTag } from '../../tasks/routes/tasks.ts';
import { statusNames } from '../../tasks/rules/task-states.ts';
import { attentionAtMost } from '../../tasks/rules/task-views.ts';
import { boardAtMost } from '../rules/task-overview.ts';
import { seeDay, seeTaskContacts, seeTasks, seeTimeline } from './access.ts';
import { counts, day, overview, read, withDay } from './task-overviews.ts';

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
