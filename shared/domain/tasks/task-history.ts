import type { FormatTime, Instant } from '../time.ts';
import type { Task } from './task.ts';
import type { Operation, TaskStatus } from './task-states.ts';

/** Whoever acts when nobody asked for it: the dialing that ends a task with its last contact. */
export const theService = 'service';

/** One thing that was done to a task. */
export type HistoryEntry = {
  time: Instant;
  operation: 'add' | Operation;
  from: TaskStatus | null;
  to: TaskStatus;
  /** Who did it, by the name in their token. */
  by: string;
  /** Why it was stopped or failed. */
  reason: string | null;
};

const withReason: ReadonlySet<string> = new Set<Operation>(['stop', 'fail']);

export const entryOfAdd = (task: Task, by: string): HistoryEntry => ({
  time: task.createTime,
  operation: 'add',
  from: null,
  to: task.status,
  by,
  reason: null,
});

export const entryOfMove = (operation: Operation, before: Task, after: Task, by: string): HistoryEntry => ({
  time: after.updateTime ?? after.createTime,
  operation,
  from: before.status,
  to: after.status,
  by,
  reason: withReason.has(operation) ? after.reason : null,
});

export const historyRow = (entry: HistoryEntry, format: FormatTime) => ({
  ...entry,
  time: format(entry.time),
});
