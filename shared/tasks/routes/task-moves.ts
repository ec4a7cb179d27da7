import { countHeldContacts } from '../../contacts/routes.ts';
import {
  exactly,
  id,
  idParams,
  nothing,
  type Route,
  status,
  taskReference,
  timestamp,
  writing,
} from '../../platform/api/index.ts';
import { text } from '../../platform/rules/index.ts';
import {
  close,
  countCalls,
  deleteTask as deleteTaskItems,
  endCalls,
  findTask,
  putTask,
  scheduleCalls,
  scheduleCallsAgain,
  scheduleEnd,
} from '../access.ts';
import { taskMoved, taskTag } from './task-parts.ts';

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
    properties: { id, reason: text },
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
