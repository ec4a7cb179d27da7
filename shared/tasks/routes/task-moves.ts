import { countHeldContacts } from '../../contacts/routes/access.ts';
import { type Route, reading, writing } from '../../platform/api/route.ts';
import {
  createTime,
  exactly,
  id,
  idParams,
  like,
  nothing,
  optionalStatus,
  pageOf,
  paging,
  status,
  taskReference,
  timestamp,
  titled,
} from '../../platform/api/schemas.ts';
import { text } from '../../platform/rules/names.ts';
import { adjustable } from '../rules/task-settings.ts';
import { operations } from '../rules/task-states.ts';
import {
  close,
  countCalls,
  deleteTask as deleteTaskItems,
  endCalls,
  findTask,
  putTask,
  readHistory,
  scheduleCalls,
  scheduleCallsAgain,
  scheduleEnd,
} from './access.ts';
import { cause, taskMoved, taskTag } from './tasks.ts';

const move = {
  ...writing,
  tag: taskTag,
  errors: ['INVALID', 'TASK_NOT_FOUND', 'TASK_STATE'],
} as const;
const moved = (to: number) => ({ data: taskMoved(to) });

export const publishTask = {
  id: 'publishTask',
  file: 'task/publish',
  path: '/api/task/publish',
  summary: 'Publish a draft; dialing starts',
  description: 'Allowed in DRAFT. A task with an empty data source waits for contacts.',
  body: taskReference,
  ignoresUnknownNames: true,
  response: { data: exactly({ id, status, startTime: timestamp }) },
  access: { table: [findTask, putTask, scheduleCalls, scheduleEnd] },
  ...move,
} as const satisfies Route;

export const pauseTask = {
  id: 'pauseTask',
  file: 'task/pause',
  path: '/api/task/pause',
  summary: 'Pause a running task; calls in progress finish',
  description: 'Allowed in RUNNING. Results of calls in progress still count.',
  body: taskReference,
  ignoresUnknownNames: true,
  response: moved(2),
  access: { table: [findTask, putTask, scheduleCalls] },
  ...move,
} as const satisfies Route;

export const resumeTask = {
  id: 'resumeTask',
  file: 'task/resume',
  path: '/api/task/resume',
  summary: 'Resume a paused task',
  description: 'Allowed in PAUSED.',
  body: taskReference,
  ignoresUnknownNames: true,
  response: moved(1),
  access: { table: [findTask, putTask, ...scheduleCallsAgain, countCalls] },
  ...move,
} as const satisfies Route;

export const stopTask = {
  id: 'stopTask',
  file: 'task/stop',
  path: '/api/task/stop',
  summary: 'Stop a task; calls in progress finish',
  description: 'A stopped task does not run again.',
  body: {
    type: 'object',
    properties: { id, reason: { ...text, description: 'For people: shown with the task' } },
    required: ['id'],
    examples: [{ reason: 'campaign withdrawn' }],
  },
  ignoresUnknownNames: true,
  response: moved(3),
  access: { table: [findTask, putTask, endCalls, countHeldContacts] },
  ...move,
} as const satisfies Route;

export const deleteTask = {
  id: 'deleteTask',
  file: 'task/delete',
  path: '/api/task/delete',
  summary: 'Delete a draft or a closed task for good',
  description:
    'Allowed in DRAFT and CLOSED. The task leaves the list and its name is free at once. Its items are removed in the background.',
  body: idParams,
  response: { data: nothing },
  access: { table: deleteTaskItems },
  ...move,
} as const satisfies Route;

export const closeTask = {
  id: 'closeTask',
  file: 'task/close',
  path: '/api/task/close',
  summary: 'Close an ended task for good; reading and export stay possible',
  description:
    'Allowed in STOPPED, COMPLETED and FAILED, while no call is in progress. No figure changes any more, and a result that arrives later is a conflict.',
  body: idParams,
  response: moved(6),
  access: { table: close },
  ...move,
  errors: [...move.errors, 'CALLS_IN_PROGRESS'],
} as const satisfies Route;

const optionalText = { type: ['string', 'null'], examples: [null] } as const;
export const taskHistory = {
  id: 'taskHistory',
  file: 'task/history',
  ...reading,
  path: '/api/task/{id}/history',
  tag: taskTag,
  summary: 'List what was done to a task, newest first',
  description:
    '`by` is the name in the access token, or `service` where the service acted by itself: it completes a task with its last result, stops it at callUntil and pauses it by pauseWhen. `reason`: why the task was stopped, failed or paused itself, or what an adjust changed.',
  params: idParams,
  query: { type: 'object', properties: paging },
  response: {
    data: pageOf(
      titled(
        'TaskHistoryEntry',
        exactly({
          time: createTime,
          operation: { type: 'string', enum: ['add', ...operations] },
          from: like(optionalStatus, null),
          to: like(status, 0),
          by: { type: 'string', examples: ['ann'] },
          reason: optionalText,
          ...cause,
          changes: {
            type: 'array',
            items: exactly({ name: { type: 'string', enum: adjustable }, from: {}, to: {} }),
            description: 'What an adjust changed. Entries of version 0.3 have only the text',
            examples: [[]],
          },
        }),
      ),
    ),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  access: { table: [findTask, readHistory] },
} as const satisfies Route;
