import { count, exactly, id, name, rate, status, text, titled } from '../schemas.ts';

/** What the task routes share. */
export const taskTag = 'Tasks';

/** The answer to an operation that changes a task's state. */
export const taskMoved = titled('TaskChange', exactly({ id, status }));

export const taskSummary = {
  id,
  taskName: name,
  taskDesc: text,
  status,
  dataSourceId: id,
  contactCount: count,
} as const;

export const taskCalls = {
  callCount: count,
  successCount: count,
  failCount: count,
  noAnswerCount: count,
  dialRate: rate,
  successRate: rate,
} as const;
