import { countCalls, countContacts, exportContacts, findTask, recall, renderExport } from '../access.ts';
import { type Route, reading, writing } from '../route.ts';
import {
  count,
  exactly,
  exporting,
  fileFormat,
  id,
  idParams,
  name,
  priority,
  seconds,
  status,
  timestamp,
  titled,
  wordingOptions,
} from '../schemas.ts';
import { exampleCalls, exampleContact, exampleTask } from './examples.ts';
import { taskCalls, taskTag } from './task-parts.ts';

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
      contactIds: { type: 'array', items: { type: 'string' }, maxItems: 20_000 },
      priority: { ...priority, default: 5 },
    },
    // Without contactIds all failed contacts are called, so a misspelt name must not pass.
    additionalProperties: false,
  },
  /** Room for 20,000 contact ids, which are queued well within the timeout. */
  bodyLimit: 1024 * 1024,
  response: {
    data: exactly({ recallCount: count, recallIds: { type: 'array', items: { type: 'string' } } }),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE', 'TOO_LARGE'],
  example: {
    body: { contactIds: [exampleContact], priority: 1 },
    data: { recallCount: 1, recallIds: [exampleContact] },
  },
  access: { table: recall },
} as const satisfies Route;

export const exportTask = {
  id: 'exportTask',
  file: 'task/export',
  ...exporting,
  path: '/api/task/{id}/export',
  tag: taskTag,
  summary: 'Export the contacts of a task with their outcomes',
  description: 'Once the task has ended, the file lists the contacts that the task had.',
  params: idParams,
  query: {
    type: 'object',
    properties: {
      format: fileFormat,
      status: {
        type: 'integer',
        minimum: 0,
        maximum: 3,
        default: 0,
        description: '0 all, 1 success, 2 failed or no answer, 3 not dialed',
      },
      ...wordingOptions,
      calls: {
        type: 'boolean',
        default: false,
        description: 'true: a second sheet lists the last 20 calls of each contact. Not with the format csv',
      },
    },
  },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TOO_MANY_CONTACTS', 'FILE_TOO_LARGE'],
  access: { table: [findTask, countCalls, exportContacts], bucket: [renderExport] },
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
  response: {
    data: titled(
      'TaskStatistics',
      exactly({
        taskId: id,
        taskName: name,
        status,
        totalContacts: count,
        ...taskCalls,
        totalDuration: seconds,
        avgDuration: seconds,
        lastUpdateTime: timestamp,
      }),
    ),
  },
  errors: ['TASK_NOT_FOUND'],
  example: {
    data: {
      taskId: exampleTask,
      taskName: 'Renewal reminders',
      status: 1,
      totalContacts: 1000,
      ...exampleCalls,
      totalDuration: 15_750,
      avgDuration: 45,
      lastUpdateTime: '2026-05-01 11:12:13',
    },
  },
  access: { table: [findTask, countContacts, countCalls] },
} as const satisfies Route;
