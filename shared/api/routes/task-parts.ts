import { count, exactly, id, name, rate, status, text, titled } from '../schemas.ts';

/** What the task routes share. */
export const taskResources = { memory: 512, timeout: 29 } as const;
export const taskTag = 'Tasks';

export const exampleTask = '4k9x2m7q8t3vbn5c';
export const exampleSource = '7d2h6w9rk4mz3pqa';

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

export const exampleCalls = {
  callCount: 350,
  successCount: 210,
  failCount: 40,
  noAnswerCount: 100,
  dialRate: 0.35,
  successRate: 0.6,
} as const;
