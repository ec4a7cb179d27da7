import { countContacts, findDataSources, useDataSource } from '../../contacts/routes/access.ts';
import { type Route, reading, writing } from '../../platform/api/route.ts';
import {
  count,
  createTime,
  dataSourceId,
  described,
  exactly,
  id,
  idParams,
  like,
  name,
  optionalTimestamp,
  pageOf,
  paging,
  rate,
  seconds,
  status,
  timestamp,
  titled,
  withoutDefaults,
} from '../../platform/api/schemas.ts';
import { priority, text } from '../../platform/rules/names.ts';
import { reasonCodes } from '../rules/limits.ts';
import { adjustable, outcomes, taskSettings } from '../rules/task-settings.ts';
import {
  changeEnd,
  completeTask,
  countCalls,
  findTask,
  freeTaskName,
  listTaskHeaders,
  numberTasks,
  putTask,
  reconsiderDeferred,
  scheduleCallsAgain,
  takeTaskName,
} from './access.ts';

/** Used by all routes of tasks. */
export const taskTag = 'Tasks';

export const outcome = {
  title: 'Outcome',
  type: 'string',
  enum: outcomes,
  description:
    'success: a person answered. noAnswer: nobody did. failed: the call could not be made, or was refused',
} as const;

/** The answer to an operation that changes a task's state. */
export const taskMoved = (to: number) => titled('TaskChange', exactly({ id, status: like(status, to) }));

/** Added to the text of a reason. */
export const cause = {
  reasonCode: {
    type: ['string', 'null'],
    enum: [...reasonCodes, null],
    description:
      'Why the service itself paused the task (TOO_MANY_FAILED, by pauseWhen) or stopped it (CALL_UNTIL_PASSED)',
    examples: [null],
  },
  figures: {
    type: ['object', 'null'],
    additionalProperties: { type: ['string', 'number'] },
    description:
      'With reasonCode: failed, calls and failedPercent of TOO_MANY_FAILED, callUntil and timeZone of CALL_UNTIL_PASSED',
    examples: [null],
  },
} as const;

export const taskSummary = {
  id,
  taskName: name,
  taskDesc: like(text, 'Customers whose plan ends in June'),
  status,
  dataSourceId,
  contactCount: like(count, 1000),
} as const;

export const taskCalls = {
  callCount: like(count, 350),
  successCount: like(count, 210),
  failCount: like(count, 40),
  noAnswerCount: like(count, 100),
  dialRate: like(rate, 0.35),
  successRate: like(rate, 0.6),
} as const;

/** An update changes only the fields in its body, so it has no defaults. */
const changes = withoutDefaults(taskSettings);
const adjustments = Object.fromEntries(adjustable.map((each) => [each, changes[each]])) as Pick<
  typeof changes,
  (typeof adjustable)[number]
>;

const ifUpdateTime = described(
  optionalTimestamp,
  'Change nothing unless this is still the updateTime of the task; null: it was never changed',
);

export const listTasks = {
  id: 'listTasks',
  file: 'task/list',
  ...reading,
  path: '/api/task/list',
  tag: taskTag,
  summary: 'List tasks, newest first',
  description: 'Counts are exact.',
  query: {
    type: 'object',
    properties: {
      ...paging,
      taskName: { type: 'string', description: 'Only tasks whose name contains this text' },
      status,
    },
  },
  ignoresUnknownNames: true,
  response: {
    data: pageOf(
      titled(
        'Task',
        exactly({
          ...taskSummary,
          callCount: taskCalls.callCount,
          successCount: taskCalls.successCount,
          createTime,
          startTime: like(optionalTimestamp, '2026-05-01 10:00:00'),
          endTime: optionalTimestamp,
        }),
      ),
    ),
  },
  errors: ['INVALID'],
  access: {
    table: [listTaskHeaders, { actions: ['BatchGetItem'], keys: ['TASK#*'] }, countContacts, countCalls],
  },
} as const satisfies Route;

export const taskDetail = {
  id: 'taskDetail',
  file: 'task/detail',
  ...reading,
  path: '/api/task/detail/{id}',
  tag: taskTag,
  summary: 'Get a task with its counts and rates',
  description: 'Rates are fractions; 0 where nothing was called.',
  params: idParams,
  ignoresUnknownNames: true,
  response: {
    data: titled(
      'TaskDetail',
      exactly({
        ...taskSummary,
        ...taskCalls,
        callDuration: like(seconds, 15_750),
        avgCallDuration: like(seconds, 45),
        priority,
        maxDialCount: changes.maxDialCount,
        createTime,
        startTime: like(optionalTimestamp, '2026-05-01 10:00:00'),
        updateTime: like(optionalTimestamp, '2026-05-01 10:00:00'),
      }),
    ),
  },
  errors: ['TASK_NOT_FOUND'],
  access: { table: [findTask, countContacts, countCalls] },
} as const satisfies Route;

export const addTask = {
  id: 'addTask',
  file: 'task/add',
  ...writing,
  path: '/api/task/add',
  tag: taskTag,
  summary: 'Add a task as a draft',
  description: 'The data source must exist. Publish the task to start dialing.',
  body: {
    type: 'object',
    properties: {
      taskName: name,
      dataSourceId: described(dataSourceId, 'Id of an existing data source'),
      ...taskSettings,
    },
    required: ['taskName', 'dataSourceId'],
    examples: [
      {
        taskDesc: 'Customers whose plan ends in June',
        priority: 2,
        maxDialCount: 3,
        callInterval: 3600,
        dailyStartTime: '09:00',
        dailyEndTime: '18:00',
      },
    ],
  },
  ignoresUnknownNames: true,
  response: { data: exactly({ ...taskSummary, status: like(status, 0), createTime }) },
  errors: ['INVALID', 'NAME_TAKEN'],
  access: { table: [findDataSources, useDataSource, countContacts, numberTasks, putTask, takeTaskName] },
} as const satisfies Route;

export const updateTask = {
  id: 'updateTask',
  file: 'task/update',
  ...writing,
  path: '/api/task/update',
  tag: taskTag,
  summary: 'Change a draft',
  description: 'Only the fields in the body change.',
  body: {
    type: 'object',
    properties: { id, taskName: name, ...changes, ifUpdateTime },
    required: ['id'],
    examples: [{ taskName: 'Renewal reminders, June' }],
  },
  ignoresUnknownNames: true,
  response: { data: exactly({ id, taskName: like(name, 'Renewal reminders, June'), updateTime: timestamp }) },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE', 'NAME_TAKEN', 'CHANGED_SINCE'],
  access: { table: [findTask, findDataSources, useDataSource, putTask, takeTaskName, freeTaskName] },
} as const satisfies Route;

export const adjustTask = {
  id: 'adjustTask',
  file: 'task/adjust',
  ...writing,
  path: '/api/task/adjust',
  tag: taskTag,
  summary: 'Adjust a task, also while it runs or is paused',
  description:
    'Allowed in DRAFT, RUNNING and PAUSED. Only the fields in the body change. Other settings of a task are frozen when it is published; naming one is an error. The history says what was changed. A contact in line follows the new rules at its next turn. Contacts that the old hours deferred are considered again. A task that only waited for further contacts completes when it is not kept open any more; status is still 1 in this answer.',
  body: {
    type: 'object',
    properties: { id, ...adjustments, ifUpdateTime },
    required: ['id'],
    examples: [{ callUntil: '2026-05-30 18:00', maxConcurrentCalls: 30 }],
  },
  response: { data: exactly({ id, status, updateTime: optionalTimestamp }) },
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE', 'CHANGED_SINCE'],
  access: {
    table: [
      findTask,
      findDataSources,
      useDataSource,
      ...scheduleCallsAgain,
      changeEnd,
      countCalls,
      ...reconsiderDeferred,
      ...completeTask,
    ],
  },
} as const satisfies Route;
