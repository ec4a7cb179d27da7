import { lookUpNumberCalls, moveCallsOfSource } from '../../contacts/routes/access.ts';
import { type Grant, grant } from '../../platform/api/route.ts';

/** Looks a number up in every data source, and its contacts in the tasks that call them. */
export const findPersons: readonly Grant[] = [
  grant(['Query'], 'ROLL#dataSource', 'ROLL#task', 'NUMBER#*'),
  grant(['BatchGetItem'], 'DS#*', 'TASK#*'),
  // A task whose filter may have excluded the contact, and an exclusion list of several directory
  // pages.
  grant(['Query'], 'TASK#*', 'DS#*'),
  ...lookUpNumberCalls,
];

/** Deletes contacts, and removes their calls from the tasks that called them. */
export const finishErasing: readonly Grant[] = [
  { ...grant(['Query'], 'DUE#erasure'), index: 'only' },
  grant(['UpdateItem', 'DeleteItem'], 'AGENDA#erasure'),
  grant(['Query'], 'ROLL#task'),
  grant(['BatchGetItem', 'PutItem'], 'TASK#*'),
  grant(['BatchGetItem', 'PutItem', 'DeleteItem'], 'DS#*'),
  moveCallsOfSource,
];
/**
 * Also finds the contacts of a number, those that wait to be added, the calls that count for
 * limits, and its fields on the do-not-call list.
 */
export const erasePersons: readonly Grant[] = [
  ...finishErasing,
  grant(['GetItem', 'PutItem'], 'AGENDA#erasure'),
  grant(['Query'], 'ROLL#dataSource'),
  grant(['GetItem', 'Query', 'UpdateItem'], 'DS#*'),
  grant(['Query', 'DeleteItem'], 'CALLED#*'),
  grant(['Query', 'BatchWriteItem'], 'NUMBER#*'),
];
