import {
  countCalls,
  countContacts,
  enterRoster,
  exportContacts,
  findDataSource,
  findTask,
  freeTaskName,
  leaveRoster,
  listTaskHeaders,
  numberTasks,
  putTask,
  recall,
  renderExport,
  takeTaskName,
} from '../access.ts';
import type { Route } from '../route.ts';
import {
  clock,
  count,
  exactly,
  fileFormat,
  fileTypes,
  id,
  idParams,
  name,
  optionalTimestamp,
  pageOf,
  paging,
  priority,
  rate,
  seconds,
  status,
  text,
  timestamp,
} from '../schemas.ts';

const resources = { memory: 512, timeout: 29 } as const;
const tag = 'Tasks';

const settings = {
  taskDesc: text,
  priority,
  maxDialCount: { type: 'integer', minimum: 1, maximum: 10 },
  callInterval: { type: 'integer', minimum: 0, maximum: 86_400, description: 'seconds' },
  dailyStartTime: clock,
  dailyEndTime: clock,
} as const;

const exampleId = '4k9x2m7q8t3vbn5c';
const exampleSource = '7d2h6w9rk4mz3pqa';

const summary = {
  id,
  taskName: name,
  taskDesc: text,
  status,
  dataSourceId: id,
  contactCount: count,
} as const;

export const listTasks = {
  id: 'listTasks',
  file: 'task/list',
  method: 'GET',
  path: '/api/task/list',
  scope: 'outbound/read',
  tag,
  summary: 'List tasks, newest first',
  query: {
    type: 'object',
    properties: { ...paging, taskName: { type: 'string', description: 'fuzzy match' }, status },
  },
  response: {
    data: pageOf(
      exactly({
        ...summary,
        callCount: count,
        successCount: count,
        createTime: timestamp,
        startTime: optionalTimestamp,
        endTime: optionalTimestamp,
      }),
    ),
  },
  errors: ['invalid'],
  example: {
    data: {
      total: 1,
      rows: [
        {
          id: exampleId,
          taskName: 'Renewal reminders',
          taskDesc: 'Customers whose plan ends in June',
          status: 1,
          dataSourceId: exampleSource,
          contactCount: 1000,
          callCount: 350,
          successCount: 210,
          createTime: '2026-05-01 09:00:00',
          startTime: '2026-05-01 10:00:00',
          endTime: null,
        },
      ],
    },
  },
  access: {
    table: [listTaskHeaders, { actions: ['BatchGetItem'], keys: ['TASK#*'] }, countContacts, countCalls],
  },
  ...resources,
} as const satisfies Route;

const calls = {
  callCount: count,
  successCount: count,
  failCount: count,
  noAnswerCount: count,
  dialRate: rate,
  successRate: rate,
} as const;
const exampleCalls = {
  callCount: 350,
  successCount: 210,
  failCount: 40,
  noAnswerCount: 100,
  dialRate: 0.35,
  successRate: 0.6,
} as const;

export const taskDetail = {
  id: 'taskDetail',
  file: 'task/detail',
  method: 'GET',
  path: '/api/task/detail/{id}',
  scope: 'outbound/read',
  tag,
  summary: 'One task with its counts and rates',
  params: idParams,
  response: {
    data: exactly({
      ...summary,
      ...calls,
      callDuration: seconds,
      avgCallDuration: seconds,
      priority,
      maxDialCount: settings.maxDialCount,
      createTime: timestamp,
      startTime: optionalTimestamp,
      updateTime: optionalTimestamp,
    }),
  },
  errors: ['notFound'],
  example: {
    data: {
      id: exampleId,
      taskName: 'Renewal reminders',
      taskDesc: 'Customers whose plan ends in June',
      status: 1,
      dataSourceId: exampleSource,
      contactCount: 1000,
      ...exampleCalls,
      callDuration: 15_750,
      avgCallDuration: 45,
      priority: 2,
      maxDialCount: 3,
      createTime: '2026-05-01 09:00:00',
      startTime: '2026-05-01 10:00:00',
      updateTime: '2026-05-01 10:00:00',
    },
  },
  access: { table: [findTask, countContacts, countCalls] },
  ...resources,
} as const satisfies Route;

export const addTask = {
  id: 'addTask',
  file: 'task/add',
  method: 'POST',
  path: '/api/task/add',
  scope: 'outbound/write',
  tag,
  summary: 'Add a task as a draft',
  body: {
    type: 'object',
    properties: {
      taskName: name,
      dataSourceId: { type: 'string', description: 'an existing data source' },
      ...settings,
      priority: { ...priority, default: 3 },
      maxDialCount: { ...settings.maxDialCount, default: 3 },
      callInterval: { ...settings.callInterval, default: 60 },
    },
    required: ['taskName', 'dataSourceId'],
  },
  response: { data: exactly({ ...summary, createTime: timestamp }) },
  errors: ['invalid', 'conflict'],
  example: {
    body: {
      taskName: 'Renewal reminders',
      taskDesc: 'Customers whose plan ends in June',
      dataSourceId: exampleSource,
      priority: 2,
      maxDialCount: 3,
      callInterval: 3600,
      dailyStartTime: '09:00',
      dailyEndTime: '18:00',
    },
    data: {
      id: exampleId,
      taskName: 'Renewal reminders',
      taskDesc: 'Customers whose plan ends in June',
      status: 0,
      dataSourceId: exampleSource,
      contactCount: 1000,
      createTime: '2026-05-01 09:00:00',
    },
  },
  access: { table: [findDataSource, countContacts, numberTasks, putTask, takeTaskName] },
  ...resources,
} as const satisfies Route;

export const updateTask = {
  id: 'updateTask',
  file: 'task/update',
  method: 'POST',
  path: '/api/task/update',
  scope: 'outbound/write',
  tag,
  summary: 'Change a draft; only the fields supplied',
  body: {
    type: 'object',
    properties: { id, taskName: name, ...settings },
    required: ['id'],
  },
  response: { data: exactly({ id, taskName: name, updateTime: timestamp }) },
  errors: ['invalid', 'notFound', 'notAllowed', 'conflict'],
  example: {
    body: { id: exampleId, taskName: 'Renewal reminders, June' },
    data: { id: exampleId, taskName: 'Renewal reminders, June', updateTime: '2026-05-01 09:30:00' },
  },
  access: { table: [findTask, putTask, takeTaskName, freeTaskName] },
  ...resources,
} as const satisfies Route;

export const publishTask = {
  id: 'publishTask',
  file: 'task/publish',
  method: 'POST',
  path: '/api/task/publish',
  scope: 'outbound/write',
  tag,
  summary: 'Publish a draft: dialing begins',
  body: idParams,
  response: { data: exactly({ id, status, startTime: timestamp }) },
  errors: ['invalid', 'notFound', 'notAllowed'],
  example: {
    body: { id: exampleId },
    data: { id: exampleId, status: 1, startTime: '2026-05-01 10:00:00' },
  },
  access: { table: [findTask, putTask, enterRoster] },
  ...resources,
} as const satisfies Route;

const moved = { data: exactly({ id, status }) };

export const pauseTask = {
  id: 'pauseTask',
  file: 'task/pause',
  method: 'POST',
  path: '/api/task/pause',
  scope: 'outbound/write',
  tag,
  summary: 'Pause a running task; calls in progress finish',
  body: idParams,
  response: moved,
  errors: ['invalid', 'notFound', 'notAllowed'],
  example: { body: { id: exampleId }, data: { id: exampleId, status: 2 } },
  access: { table: [findTask, putTask, leaveRoster] },
  ...resources,
} as const satisfies Route;

export const resumeTask = {
  id: 'resumeTask',
  file: 'task/resume',
  method: 'POST',
  path: '/api/task/resume',
  scope: 'outbound/write',
  tag,
  summary: 'Resume a paused task',
  body: idParams,
  response: moved,
  errors: ['invalid', 'notFound', 'notAllowed'],
  example: { body: { id: exampleId }, data: { id: exampleId, status: 1 } },
  access: { table: [findTask, putTask, enterRoster] },
  ...resources,
} as const satisfies Route;

export const stopTask = {
  id: 'stopTask',
  file: 'task/stop',
  method: 'POST',
  path: '/api/task/stop',
  scope: 'outbound/write',
  tag,
  summary: 'Stop a task for good; calls in progress finish',
  body: { type: 'object', properties: { id, reason: text }, required: ['id'] },
  response: moved,
  errors: ['invalid', 'notFound', 'notAllowed'],
  example: {
    body: { id: exampleId, reason: 'campaign withdrawn' },
    data: { id: exampleId, status: 3 },
  },
  access: { table: [findTask, putTask, leaveRoster, countContacts] },
  ...resources,
} as const satisfies Route;

export const closeTask = {
  id: 'closeTask',
  file: 'task/close',
  method: 'POST',
  path: '/api/task/close',
  scope: 'outbound/write',
  tag,
  summary: 'Close an ended task; reading and export stay possible',
  body: idParams,
  response: moved,
  errors: ['invalid', 'notFound', 'notAllowed'],
  example: { body: { id: exampleId }, data: { id: exampleId, status: 6 } },
  access: { table: [findTask, putTask] },
  ...resources,
} as const satisfies Route;

export const recallTask = {
  id: 'recallTask',
  file: 'task/recall',
  method: 'POST',
  path: '/api/task/{id}/recall',
  scope: 'outbound/write',
  tag,
  summary: 'Queue contacts for another round of calls',
  description:
    'Without contactIds every contact whose final outcome is failed or no answer. A completed or failed task runs again.',
  params: idParams,
  body: {
    type: 'object',
    properties: {
      contactIds: { type: 'array', items: { type: 'string' } },
      priority: { ...priority, default: 5 },
    },
  },
  /** 100,000 contact ids and more. */
  bodyLimit: 4 * 1024 * 1024,
  response: {
    data: exactly({ recallCount: count, recallIds: { type: 'array', items: { type: 'string' } } }),
  },
  errors: ['invalid', 'notFound', 'notAllowed', 'tooLarge'],
  example: {
    body: { contactIds: [`${exampleSource}-2s`], priority: 1 },
    data: { recallCount: 1, recallIds: [`${exampleSource}-2s`] },
  },
  access: { table: recall },
  ...resources,
} as const satisfies Route;

export const exportTask = {
  id: 'exportTask',
  file: 'task/export',
  method: 'GET',
  path: '/api/task/{id}/export',
  scope: 'outbound/read',
  tag,
  summary: "A task's contacts with their outcomes as a file",
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
        description: '0 all, 1 success, 2 failure (failed or no answer), 3 not dialed',
      },
    },
  },
  response: { file: fileTypes },
  errors: ['invalid', 'notFound'],
  example: {},
  access: { table: [findTask, countCalls, exportContacts], bucket: [renderExport] },
  memory: 1024,
  timeout: 900,
} as const satisfies Route;

export const taskStat = {
  id: 'taskStat',
  file: 'task/stat',
  method: 'GET',
  path: '/api/task/{id}/stat',
  scope: 'outbound/read',
  tag,
  summary: 'Statistics of a task',
  params: idParams,
  response: {
    data: exactly({
      taskId: id,
      taskName: name,
      status,
      totalContacts: count,
      ...calls,
      totalDuration: seconds,
      avgDuration: seconds,
      lastUpdateTime: timestamp,
    }),
  },
  errors: ['notFound'],
  example: {
    data: {
      taskId: exampleId,
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
  ...resources,
} as const satisfies Route;
