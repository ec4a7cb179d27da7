import { adjustable } from '../../domain/tasks/task-settings.ts';
import { operations } from '../../domain/tasks/task-states.ts';
import { findTask, readHistory } from '../access.ts';
import { type Route, reading } from '../route.ts';
import { exactly, idParams, optionalStatus, pageOf, paging, status, timestamp, titled } from '../schemas.ts';
import { cause, taskTag } from './task-parts.ts';

const optionalText = { type: ['string', 'null'] } as const;
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
          time: timestamp,
          operation: { type: 'string', enum: ['add', ...operations] },
          from: optionalStatus,
          to: status,
          by: { type: 'string' },
          reason: optionalText,
          ...cause,
          changes: {
            type: 'array',
            items: exactly({ name: { type: 'string', enum: adjustable }, from: {}, to: {} }),
            description: 'What an adjust changed. Entries of version 0.3 have only the text',
          },
        }),
      ),
    ),
  },
  errors: ['INVALID', 'TASK_NOT_FOUND'],
  example: {
    data: {
      total: 2,
      rows: [
        {
          time: '2026-05-01 10:00:00',
          operation: 'publish',
          from: 0,
          to: 1,
          by: 'ann',
          reason: null,
          reasonCode: null,
          figures: null,
          changes: [],
        },
        {
          time: '2026-05-01 09:00:00',
          operation: 'add',
          from: null,
          to: 0,
          by: 'ann',
          reason: null,
          reasonCode: null,
          figures: null,
          changes: [],
        },
      ],
    },
  },
  access: { table: [findTask, readHistory] },
} as const satisfies Route;
