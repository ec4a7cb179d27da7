import {
  countNumberCalls,
  excludeNumbers,
  keepCounting,
  lookUpNumberCalls,
  seeNumberCalls,
} from '../../contacts/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';
import {
  completeTask,
  findTask,
  moveCalls,
  putTask,
  scheduleCalls,
  scheduleCallsAgain,
  scheduleEnd,
} from '../../tasks/routes/access.ts';

/** A call that ends or goes on, under the limit of the service. */
const paceCall = grant(['UpdateItem'], 'PACE*');

export const lease: readonly Grant[] = [
  ...moveCalls,
  grant(['DeleteItem'], 'AGENDA#callbacks#*'),
  grant(['Query', 'PutItem'], 'PACE*'),
  paceCall,
  grant(['Query', 'BatchGetItem', 'ConditionCheckItem', 'UpdateItem', 'DeleteItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*', 'DUE#calls#*', 'DUE#callbacks'), index: 'only' },
  grant(['GetItem', 'BatchGetItem', 'UpdateItem'], 'DS#*'),
  grant(['PutItem'], 'ASKED'),
  ...lookUpNumberCalls,
  grant(['PutItem'], 'CALLED#*'),
  keepCounting,
  ...completeTask,
];
export const reportCalls: readonly Grant[] = [
  ...moveCalls,
  paceCall,
  grant(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], 'TASK#*'),
  grant(['PutItem'], 'DAY#*'),
  grant(['GetItem', 'UpdateItem'], 'DS#*'),
  ...countNumberCalls,
  keepCounting,
  // A task may pause itself.
  scheduleCalls,
  ...completeTask,
];
/** A number may go on the do-not-call list with its result. */
export const reportCallsAndExclude: readonly Grant[] = [...reportCalls, excludeNumbers];
export const release: readonly Grant[] = [
  ...moveCalls,
  paceCall,
  grant(['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], 'TASK#*'),
  grant(['GetItem', 'UpdateItem'], 'DS#*'),
  ...countNumberCalls,
];
export const extend: readonly Grant[] = [
  paceCall,
  grant(['BatchGetItem', 'PutItem', 'UpdateItem'], 'TASK#*'),
  grant(['UpdateItem'], 'DS#*'),
  grant(['PutItem'], 'ASKED'),
];
export const recall: readonly Grant[] = [
  findTask,
  putTask,
  scheduleEnd,
  ...scheduleCallsAgain,
  grant(['GetItem', 'UpdateItem'], 'AGENDA#calls#*'),
  grant(['Query', 'BatchGetItem', 'UpdateItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*'), index: 'also' },
  grant(['GetItem', 'BatchGetItem', 'Query'], 'DS#*'),
  ...seeNumberCalls,
];
