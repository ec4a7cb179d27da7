import { moveCallsOfSource, reconsiderContacts } from '../../contacts/routes/access.ts';
import { type BucketAccess, type Grant, grant, objectGrant } from '../../platform/api/route.ts';

const noteFailedImport = grant(['PutItem'], 'IMPORTS#FAILED');
/** Finds imports that have failed or are stuck, with the names of their data sources. */
export const seeTroubledImports: readonly Grant[] = [
  grant(['Query'], 'IMPORTS#FAILED', 'AGENDA#import'),
  grant(['BatchGetItem'], 'DS#*'),
];
export const registerImport: readonly Grant[] = [
  grant(['GetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'], 'DS#*'),
  grant(['PutItem'], 'AGENDA#import'),
];
export const runImport: readonly Grant[] = [
  grant(
    [
      'GetItem',
      'BatchGetItem',
      'Query',
      'ConditionCheckItem',
      'PutItem',
      'UpdateItem',
      'DeleteItem',
      'BatchWriteItem',
      'PartiQLInsert',
      'PartiQLUpdate',
    ],
    'DS#*',
  ),
  grant(['GetItem', 'UpdateItem', 'DeleteItem'], 'AGENDA#import'),
  noteFailedImport,
  moveCallsOfSource,
  // Tasks consider deferred contacts again if their time zones were corrected, and contacts that
  // match their filter now.
  grant(['PutItem'], 'AGENDA#deferred'),
  ...reconsiderContacts,
];
/** Removes the rows of an import, and ends it. */
export const rollImportBack: readonly Grant[] = [
  grant(['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'], 'DS#*'),
  grant(['UpdateItem', 'DeleteItem'], 'AGENDA#import'),
  noteFailedImport,
  moveCallsOfSource,
];
/** Finds the imports that are due. */
export const findDueImports: Grant = { ...grant(['Query'], 'DUE#import'), index: 'only' };
/** Reads the numbers of the page first, then its records. */
export const listImportRecords = grant(['GetItem', 'Query', 'BatchGetItem'], 'DS#*');
/** The reads are for the report of an import whose request is repeated after its end. */
export const keepUpload = objectGrant(['PutObject', 'GetObject', 'ListBucket'], 'uploads/');
export const presignImport = objectGrant(['PutObject'], 'imports/');
/** Reports of imports, of files from a form or from the bucket. Reports expire. */
export const readReports: readonly BucketAccess[] = [
  objectGrant(['GetObject', 'ListBucket'], 'imports/'),
  objectGrant(['GetObject', 'ListBucket'], 'uploads/'),
];
export const putReports: readonly BucketAccess[] = [
  objectGrant(['PutObject'], 'imports/'),
  objectGrant(['PutObject'], 'uploads/'),
];
export const readRejected = objectGrant(['GetObject', 'ListBucket'], 'uploads/');
export const importArrived = objectGrant(['GetObject', 'ListBucket', 'PutObject'], 'imports/');
/** The copy of the file, from which an interrupted import resumes. */
export const importKept = objectGrant(['GetObject', 'ListBucket', 'PutObject'], 'uploads/');
