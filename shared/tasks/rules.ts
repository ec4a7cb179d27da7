export * from './rules/limits.ts';
export {
  assertExcludable,
  assertSourcesKnown,
  brakeBase,
  changeTask,
  closeTask,
  createTask,
  endCause,
  endTask,
  isAmongContacts,
  isOfLaterImport,
  mayTaskCall,
  pauseTask,
  publishTask,
  recallTask,
  resumeTask,
  sourcesOf,
  type Task,
  type TaskDecision,
  type TaskInput,
} from './rules/task.ts';
export { adjustTask, assertNotChangedSince, historyRow } from './rules/task-changes.ts';
export * from './rules/task-settings.ts';
export * from './rules/task-states.ts';
export * from './rules/task-views.ts';
