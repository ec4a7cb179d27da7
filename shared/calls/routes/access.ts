import { countNumberCalls, excludeNumbers, keepCounting } from '../../contacts/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';
import { findTask } from '../../tasks/routes/access.ts';

/** Reads the records of a task's calls. */
export const seeCalls: readonly Grant[] = [findTask, grant(['Query'], 'TASK#*')];
/** A call is found through its task contact. */
export const findCalls = grant(['BatchGetItem'], 'TASK#*');
/** Its contact is read too. */
export const seeCall: readonly Grant[] = [findCalls, grant(['BatchGetItem'], 'DS#*')];
/**
 * Changes the record of a call, and the disposition under which it is counted. Its number may go on
 * the do-not-call list.
 */
export const annotateCalls: readonly Grant[] = [
  grant(['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], 'TASK#*'),
  excludeNumbers,
  // The number may have to rest, and then its contact waits longer.
  ...countNumberCalls,
  keepCounting,
  grant(['GetItem'], 'DS#*', 'AGENDA#calls#*'),
  grant(['UpdateItem'], 'AGENDA#calls#*', 'AGENDA#callbacks#*'),
  grant(['GetItem', 'PutItem'], 'AGENDA#callbacks#*'),
];
