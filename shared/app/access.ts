import { pointFromNumbers } from '../contacts/routes.ts';
import type { BucketAccess } from '../platform/api/index.ts';
import { type Grant, grant, objectGrant } from '../platform/api/index.ts';

export const removeRemains: readonly Grant[] = [
  { ...grant(['Query'], 'DUE#removal'), index: 'only' },
  grant(['UpdateItem', 'DeleteItem'], 'AGENDA#removal'),
  grant(['Query', 'DeleteItem'], 'AGENDA#import'),
  grant(['Query', 'BatchWriteItem'], 'AGENDA#callbacks#*'),
  grant(['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'], 'DS#*'),
  pointFromNumbers,
  grant(['Query', 'UpdateItem', 'BatchWriteItem'], 'TASK#*'),
];
/** Removes records of calls that are too old, in all tasks. */
export const removeOldCalls: readonly Grant[] = [
  { ...grant(['Query'], 'DUE#oldCalls'), index: 'only' },
  grant(['GetItem', 'PutItem', 'UpdateItem'], 'AGENDA#oldCalls'),
  grant(['Query'], 'ROLL#task'),
];
export const removeObjects: readonly BucketAccess[] = [
  objectGrant(['ListBucket', 'DeleteObject'], 'imports/'),
  objectGrant(['ListBucket', 'DeleteObject'], 'uploads/'),
];
