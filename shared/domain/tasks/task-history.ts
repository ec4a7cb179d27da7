import type { FormatTime, Instant } from '../time.ts';
import type { Task } from './task.ts';
import { describeChanges } from './task-adjustments.ts';
import type { Operation, TaskStatus } from './task-states.ts';

/** The author of what the service does by itself: completing a task after its last contact. */
export const theService = 'service';

/** One operation on a task. */
export type HistoryEntry = {
  time: Instant;
  operation: 'add' | Operation;
  from: TaskStatus | null;
  to: TaskStatus;
  /** Who did it, by the name in their token. */
  by: string;
  /** Why the task was stopped or failed, or paused itself; what an adjust has changed. */
  reason: string | null;
};

const withReason: ReadonlySet<string> = new Set<Operation>(['stop', 'fail']);

const reasonOf = (operation: Operation, before: Task, after: Task): string | null => {
  if (operation === 'adjust') return describeChanges(before, after);
  return withReason.has(operation) ? after.reason : null;
};

export const entryOfAdd = (task: Task, by: string): HistoryEntry => ({
  time: task.createTime,
  operation: 'add',
  from: null,
  to: task.status,
  by,
  reason: null,
});

/** `note`: why, where the task itself does not say it. */
export const entryOfMove = (
  operation: Operation,
  before: Task,
  after: Task,
  by: string,
  note: string | null = null,
): HistoryEntry => ({
  time: after.updateTime ?? after.createTime,
  operation,
  from: before.status,
  to: after.status,
  by,
  reason: note ?? reasonOf(operation, before, after),
});

export const historyRow = (entry: HistoryEntry, format: FormatTime) => ({
  ...entry,
  time: format(entry.time),
});
