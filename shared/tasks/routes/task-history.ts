import {
  createTime,
  exactly,
  idParams,
  like,
  optionalStatus,
  pageOf,
  paging,
  type Route,
  reading,
  status,
  titled,
} from '../../platform/api/index.ts';
import { findTask, readHistory } from '../access.ts';
import { adjustable } from '../rules/task-settings.ts';
import { operations } from '../rules/task-states.ts';
import { cause, taskTag } from './task-parts.ts';

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
