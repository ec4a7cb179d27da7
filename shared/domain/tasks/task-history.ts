import type { FormatTime, Instant } from '../time.ts';
import { type Cause, causeView } from './cause.ts';
import type { Task } from './task.ts';
import { changesBetween, describeChanges, type SettingChange } from './task-adjustments.ts';
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
  /** What an adjust has changed, as data. Entries of version 0.3 have neither this nor a cause. */
  changes?: readonly SettingChange[];
} & Partial<Cause>;

const withReason: ReadonlySet<string> = new Set<Operation>(['stop', 'fail']);
const withCause: ReadonlySet<string> = new Set<Operation>(['stop', 'pause']);

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
): HistoryEntry => {
  const changes = operation === 'adjust' ? changesBetween(before, after) : [];
  const reason = withReason.has(operation) ? after.reason : describeChanges(changes);
  return {
    time: after.updateTime ?? after.createTime,
    operation,
    from: before.status,
    to: after.status,
    by,
    reason: note ?? reason,
    ...(withCause.has(operation) && after.cause),
    ...(changes.length > 0 && { changes }),
  };
};

export const historyRow = (
  { reasonCode, figures, changes = [], ...entry }: HistoryEntry,
  format: FormatTime,
) => ({
  ...entry,
  time: format(entry.time),
  ...causeView(reasonCode && figures && { reasonCode, figures }),
  changes,
});
