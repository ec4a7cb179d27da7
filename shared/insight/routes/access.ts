import { findDataSource, lookUpNumberCalls } from '../../contacts/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';
import { findTask } from '../../tasks/routes/access.ts';

/** Reads tasks with their data sources, and counts their contacts and calls. */
const countTasks: readonly Grant[] = [
  grant(['BatchGetItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*'), index: 'also' },
  grant(['BatchGetItem', 'Query'], 'DS#*'),
  ...lookUpNumberCalls,
];
/** When the contacts of a task can be called. */
export const seeOutlook: readonly Grant[] = countTasks;
export const seeTasks: readonly Grant[] = [
  ...countTasks,
  grant(['GetItem'], 'ASKED'),
  { ...grant(['Query'], 'DUE#calls#*'), index: 'only' },
  grant(['Query'], 'PACE*'),
];
/** Finds the tasks for which no dialer asks. */
export const watchDialers: readonly Grant[] = [
  ...seeTasks,
  { ...grant(['Query'], 'DUE#callbacks'), index: 'only' },
];
export const seeTaskContacts: readonly Grant[] = [findTask, findDataSource, ...countTasks];
export const seeTimeline: readonly Grant[] = [grant(['Query'], 'TASK#*')];
/** Finds the tasks that called on a day, and counts their calls. */
export const seeDay: readonly Grant[] = [grant(['Query'], 'DAY#*', 'TASK#*')];

/**
 * Reads the contacts and exclusion lists of a task, and those of the running and paused tasks.
 * Stores how many are selected.
 */
export const checkAhead: readonly Grant[] = [
  grant(['Query'], 'ROLL#task'),
  grant(['GetItem', 'BatchGetItem', 'PutItem'], 'TASK#*'),
  grant(['GetItem', 'BatchGetItem', 'Query'], 'DS#*'),
  ...lookUpNumberCalls,
];
/** Lists the contacts of a task that are on its exclusion lists. */
export const listBlocked: readonly Grant[] = [
  grant(['GetItem'], 'TASK#*'),
  grant(['GetItem', 'BatchGetItem', 'Query'], 'DS#*'),
];
