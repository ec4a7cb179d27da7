import { invalid } from './errors.ts';
import { normaliseName } from './names.ts';
import type { TaskStatus } from './task-states.ts';
import { hasEnded, status } from './task-states.ts';
import { type Instant, minutesOf } from './time.ts';

export type Task = {
  id: string;
  taskName: string;
  taskDesc: string;
  status: TaskStatus;
  dataSourceId: string;
  /** 1-5; 1 is dialed first. */
  priority: number;
  maxDialCount: number;
  /** Least number of seconds between two calls to the same contact. */
  callInterval: number;
  /** `HH:MM`, 00:00-24:00, in the service's time zone. */
  dailyStartTime: string;
  dailyEndTime: string;
  createTime: Instant;
  startTime: Instant | null;
  endTime: Instant | null;
  updateTime: Instant | null;
  /** Frozen when the task ends; until then the count is the data source's. */
  contactCount: number | null;
  /** Why it was stopped or failed. */
  reason: string | null;
};

export type TaskSettings = {
  taskName: string;
  taskDesc?: string;
  priority?: number;
  maxDialCount?: number;
  callInterval?: number;
  dailyStartTime?: string;
  dailyEndTime?: string;
};

const checkWindow = (start: string, end: string) => {
  if (minutesOf(start) >= minutesOf(end)) {
    throw invalid(
      'dailyStartTime',
      `must be before dailyEndTime (${start} is not before ${end})`,
      'OUT_OF_ORDER',
    );
  }
};

export const createTask = (
  input: TaskSettings & { dataSourceId: string },
  id: string,
  now: Instant,
): Task => {
  const { dailyStartTime = '00:00', dailyEndTime = '24:00' } = input;
  checkWindow(dailyStartTime, dailyEndTime);
  return {
    id,
    taskName: normaliseName('taskName', input.taskName),
    taskDesc: input.taskDesc ?? '',
    status: status.draft,
    dataSourceId: input.dataSourceId,
    priority: input.priority ?? 3,
    maxDialCount: input.maxDialCount ?? 3,
    callInterval: input.callInterval ?? 60,
    dailyStartTime,
    dailyEndTime,
    createTime: now,
    startTime: null,
    endTime: null,
    updateTime: null,
    contactCount: null,
    reason: null,
  };
};

/** The task with the settings that were supplied; the window that results is checked as a whole. */
export const changeTask = (task: Task, changes: Partial<TaskSettings>, now: Instant): Task => {
  const { taskName = task.taskName, taskDesc = task.taskDesc, priority = task.priority } = changes;
  const { maxDialCount = task.maxDialCount, callInterval = task.callInterval } = changes;
  const { dailyStartTime = task.dailyStartTime, dailyEndTime = task.dailyEndTime } = changes;
  checkWindow(dailyStartTime, dailyEndTime);
  return {
    ...task,
    taskName: normaliseName('taskName', taskName),
    taskDesc,
    priority,
    maxDialCount,
    callInterval,
    dailyStartTime,
    dailyEndTime,
    updateTime: now,
  };
};

/** What every end of a task has in common, whatever state it ends in. */
export const endTask = (task: Task, contactCount: number, now: Instant, reason?: string): Task => ({
  ...task,
  endTime: now,
  updateTime: now,
  contactCount,
  reason: reason ?? null,
});

/** A task that has ended is open again; one that has not goes on as it is. */
export const recallTask = (task: Task, now: Instant): Task => ({
  ...task,
  ...(hasEnded(task.status) ? { endTime: null, contactCount: null, reason: null } : {}),
  updateTime: now,
});
