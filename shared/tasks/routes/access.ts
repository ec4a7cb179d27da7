import {
  countContacts,
  keepCounting,
  lookUpNumberCalls,
  seeNumberCalls,
} from '../../contacts/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';

export const findTask = grant(['GetItem'], 'TASK#*');
export const readHistory = grant(['Query'], 'TASK#*');
export const countCalls = grant(['Query'], 'TASK#*');
export const listTaskHeaders = grant(['GetItem', 'Query'], 'ROLL#task');

/** Takes the next free number of the list. */
export const numberTasks = grant(['GetItem', 'UpdateItem'], 'ROLL#task');

/** The task and its header. */
export const putTask = grant(['PutItem'], 'TASK#*', 'ROLL#task');
export const takeTaskName = grant(['PutItem'], 'NAME#task#*');
export const freeTaskName = grant(['DeleteItem'], 'NAME#task#*');
/** The calls of a task become due, or are parked. */
export const scheduleCalls = grant(['PutItem'], 'AGENDA#calls#*');
/** The calls of a task that runs again become due, and so do its callbacks. */
export const scheduleCallsAgain: readonly Grant[] = [
  scheduleCalls,
  grant(['GetItem', 'PutItem'], 'AGENDA#callbacks#*'),
];
/** The task has ended. Its calls and its end leave the agenda. */
export const endCalls = grant(['DeleteItem'], 'AGENDA#calls#*', 'AGENDA#end');
/** Brings the calls of a task forward, or postpones them. */
export const moveCalls: readonly Grant[] = [
  grant(['GetItem', 'UpdateItem'], 'AGENDA#calls#*'),
  grant(['GetItem', 'PutItem', 'UpdateItem'], 'AGENDA#callbacks#*'),
];

/** The end of a task with a `callUntil` is on the agenda from the start of the task on. */
export const scheduleEnd = grant(['PutItem'], 'AGENDA#end');
export const changeEnd = grant(['PutItem', 'DeleteItem'], 'AGENDA#end');
/** Stops tasks whose `callUntil` has come. */
export const stopOverdue: readonly Grant[] = [
  { ...grant(['Query'], 'DUE#end'), index: 'only' },
  grant(['UpdateItem', 'DeleteItem'], 'AGENDA#end'),
  grant(['BatchGetItem'], 'TASK#*'),
  findTask,
  putTask,
  endCalls,
  countContacts,
];

/** Places contacts again whose place in line depends on hours that were adjusted. */
const reconsiderSome: readonly Grant[] = [
  { actions: ['Query'], keys: ['TASK#*'], index: 'only' },
  { actions: ['GetItem', 'BatchGetItem', 'PutItem'], keys: ['TASK#*'] },
  { actions: ['GetItem', 'BatchGetItem'], keys: ['DS#*'] },
  ...seeNumberCalls,
  ...moveCalls,
  { actions: ['UpdateItem', 'DeleteItem'], keys: ['AGENDA#deferred'] },
];
export const reconsiderDeferred: readonly Grant[] = [
  ...reconsiderSome,
  // Limits that are adjusted count the calls before, too.
  ...lookUpNumberCalls,
  keepCounting,
  { actions: ['GetItem', 'PutItem'], keys: ['AGENDA#deferred'] },
];
export const reconsiderAll: readonly Grant[] = [
  ...reconsiderSome,
  { actions: ['Query'], keys: ['DUE#deferred'], index: 'only' },
];

/** The outcome of its last contact completes a task. */
export const completeTask: readonly Grant[] = [
  findTask,
  putTask,
  endCalls,
  countContacts,
  grant(['ConditionCheckItem'], 'DS#*'),
];

/** Counts the calls in progress, and closes the counters with the task. */
export const close: readonly Grant[] = [
  findTask,
  putTask,
  grant(['BatchGetItem', 'UpdateItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*'), index: 'also' },
];

/** The record, its name and its list entry are removed at once, the rest in the background. */
export const deleteTask: readonly Grant[] = [
  findTask,
  grant(['DeleteItem'], 'TASK#*'),
  freeTaskName,
  grant(['GetItem', 'UpdateItem', 'DeleteItem'], 'ROLL#task'),
  grant(['PutItem'], 'AGENDA#removal'),
];
