import type { Access, BucketAccess, Route, TableAccess } from './route.ts';

/**
 * The grants, named after what a function does with them. The store's keys.ts declares the key prefixes. The
 * tests run every function under a role made from its grants.
 */
type Grant = TableAccess;

/** Every function that uses the table checks the format before its first call. The rolls show whether the table is new. */
export const checkFormat = [
  { actions: ['GetItem', 'PutItem'], keys: ['FORMAT'] },
  { actions: ['GetItem'], keys: ['ROLL#dataSource', 'ROLL#task'] },
] as const satisfies readonly Grant[];

export const findTask = { actions: ['GetItem'], keys: ['TASK#*'] } as const satisfies Grant;
export const findDataSource = { actions: ['GetItem'], keys: ['DS#*'] } as const satisfies Grant;
export const findDataSources = { actions: ['BatchGetItem'], keys: ['DS#*'] } as const satisfies Grant;
/** The query serves data sources with more than one directory page. */
export const countContacts = { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] } as const satisfies Grant;
/** Reads tasks with their data sources, and counts their contacts and calls. */
const countTasks = [
  { actions: ['BatchGetItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*'], index: 'also' },
  { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];
export const seeTasks = [
  ...countTasks,
  { actions: ['GetItem'], keys: ['ROSTER'] },
  { actions: ['Query'], keys: ['ROSTER#*'], index: 'only' },
  { actions: ['Query'], keys: ['PACE'] },
] as const satisfies readonly Grant[];
export const seeTaskContacts = [findTask, findDataSource, ...countTasks] as const satisfies readonly Grant[];
export const seeTimeline = [{ actions: ['Query'], keys: ['TASK#*'] }] as const satisfies readonly Grant[];
export const readHistory = { actions: ['Query'], keys: ['TASK#*'] } as const satisfies Grant;
export const countCalls = { actions: ['Query'], keys: ['TASK#*'] } as const satisfies Grant;
export const listTaskHeaders = {
  actions: ['GetItem', 'Query'],
  keys: ['ROLL#task'],
} as const satisfies Grant;
export const listDataSourceHeaders = {
  actions: ['GetItem', 'Query'],
  keys: ['ROLL#dataSource'],
} as const satisfies Grant;

/** Reads the contacts and exclusion lists of a task, and those of the running and paused tasks. */
export const foresee = [
  { actions: ['Query'], keys: ['ROLL#task'] },
  { actions: ['GetItem', 'BatchGetItem'], keys: ['TASK#*'] },
  { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];
/** Lists the contacts of a task that are on its exclusion lists. */
export const listBlocked = [
  { actions: ['GetItem'], keys: ['TASK#*'] },
  { actions: ['GetItem', 'BatchGetItem', 'Query'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];

/** Takes the next free number of the list. */
export const numberTasks = {
  actions: ['GetItem', 'UpdateItem'],
  keys: ['ROLL#task'],
} as const satisfies Grant;
export const numberDataSources = {
  actions: ['GetItem', 'UpdateItem'],
  keys: ['ROLL#dataSource'],
} as const satisfies Grant;

/** The task and its header. */
export const putTask = { actions: ['PutItem'], keys: ['TASK#*', 'ROLL#task'] } as const satisfies Grant;
/** As `putTask`, of a task that keeps its name and its state. */
export const putAdjustedTask = { actions: ['PutItem'], keys: ['TASK#*'] } as const satisfies Grant;
export const putDataSource = {
  actions: ['PutItem'],
  keys: ['DS#*', 'ROLL#dataSource'],
} as const satisfies Grant;
export const takeTaskName = { actions: ['PutItem'], keys: ['NAME#task#*'] } as const satisfies Grant;
export const freeTaskName = { actions: ['DeleteItem'], keys: ['NAME#task#*'] } as const satisfies Grant;
export const takeDataSourceName = {
  actions: ['PutItem'],
  keys: ['NAME#dataSource#*'],
} as const satisfies Grant;
export const freeDataSourceName = {
  actions: ['DeleteItem'],
  keys: ['NAME#dataSource#*'],
} as const satisfies Grant;
/** A task's entry in the roster of running tasks. */
export const enterRoster = { actions: ['PutItem'], keys: ['RUNNING#*'] } as const satisfies Grant;
export const leaveRoster = { actions: ['DeleteItem'], keys: ['RUNNING#*'] } as const satisfies Grant;
/** Moves a task forward in the roster when one of its contacts comes due earlier than expected. */
const callSooner = { actions: ['GetItem', 'PutItem'], keys: ['RUNNING#*'] } as const satisfies Grant;
/** Moves the running tasks of a data source forward when its contacts have changed. */
const wakeTasks = { actions: ['Query', 'GetItem', 'PutItem'], keys: ['RUNNING#*'] } as const satisfies Grant;

export const readContacts = { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] } as const satisfies Grant;
export const exportContacts = { actions: ['GetItem', 'Query'], keys: ['DS#*'] } as const satisfies Grant;
export const addContacts = [
  {
    actions: ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
    keys: ['DS#*'],
  },
  wakeTasks,
] as const satisfies readonly Grant[];
export const changeContacts = [
  { actions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], keys: ['DS#*'] },
  wakeTasks,
  // A task that deferred the contact considers it again.
  { actions: ['GetItem', 'BatchGetItem', 'PutItem'], keys: ['TASK#*'] },
] as const satisfies readonly Grant[];
export const deleteContacts = [
  { actions: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'], keys: ['DS#*'] },
  wakeTasks,
] as const satisfies readonly Grant[];

/** Looks a number up in every data source, and its contacts in the tasks that call them. */
export const findPersons = [
  { actions: ['Query'], keys: ['ROLL#dataSource', 'ROLL#task'] },
  { actions: ['BatchGetItem'], keys: ['DS#*', 'TASK#*'] },
] as const satisfies readonly Grant[];

/** Deletes contacts, and removes their calls from the tasks that called them. */
export const finishErasing = [
  { actions: ['Query', 'DeleteItem'], keys: ['ERASURES'] },
  { actions: ['Query'], keys: ['ROLL#task'] },
  { actions: ['BatchGetItem', 'PutItem'], keys: ['TASK#*'] },
  { actions: ['BatchGetItem', 'PutItem', 'DeleteItem'], keys: ['DS#*'] },
  wakeTasks,
] as const satisfies readonly Grant[];
/** Also finds the contacts of a number, its calls of the day, and its fields on the do-not-call list. */
export const erasePersons = [
  ...finishErasing,
  { actions: ['PutItem'], keys: ['ERASURES'] },
  { actions: ['Query'], keys: ['ROLL#dataSource'] },
  { actions: ['GetItem', 'Query', 'UpdateItem'], keys: ['DS#*'] },
  { actions: ['Query', 'DeleteItem'], keys: ['CALLED#*'] },
] as const satisfies readonly Grant[];

export const registerImport = [
  { actions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'], keys: ['DS#*'] },
  { actions: ['PutItem'], keys: ['IMPORTS'] },
] as const satisfies readonly Grant[];
export const runImport = [
  {
    actions: [
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
    keys: ['DS#*'],
  },
  { actions: ['PutItem', 'DeleteItem'], keys: ['IMPORTS'] },
  wakeTasks,
] as const satisfies readonly Grant[];
/** Removes the rows of an import, and ends it. */
export const rollImportBack = [
  {
    actions: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    keys: ['DS#*'],
  },
  { actions: ['PutItem', 'DeleteItem'], keys: ['IMPORTS'] },
  wakeTasks,
] as const satisfies readonly Grant[];
/** Reads the page's numbers first, then its records. */
export const listImportRecords = {
  actions: ['GetItem', 'Query', 'BatchGetItem'],
  keys: ['DS#*'],
} as const satisfies Grant;
export const listPendingImports = { actions: ['Query'], keys: ['IMPORTS'] } as const satisfies Grant;

/** A task with a `callUntil` is listed by it from its start on. */
export const listEnd = { actions: ['PutItem'], keys: ['ENDING'] } as const satisfies Grant;
/** Stops tasks whose `callUntil` has come. */
export const stopOverdue = [
  { actions: ['Query', 'DeleteItem'], keys: ['ENDING'] },
  { actions: ['BatchGetItem'], keys: ['TASK#*'] },
  findTask,
  putTask,
  leaveRoster,
  countContacts,
] as const satisfies readonly Grant[];

/** The outcome of its last contact completes a task. */
const completeTask = [
  findTask,
  putTask,
  leaveRoster,
  countContacts,
  { actions: ['ConditionCheckItem'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];

/** A call that ends, or goes on, under the limit of the service. */
const paceCall = { actions: ['UpdateItem'], keys: ['PACE'] } as const satisfies Grant;

export const lease = [
  callSooner,
  { actions: ['Query', 'PutItem'], keys: ['PACE'] },
  paceCall,
  { actions: ['Query', 'BatchGetItem', 'UpdateItem', 'DeleteItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*', 'ROSTER#*'], index: 'only' },
  { actions: ['GetItem', 'BatchGetItem', 'UpdateItem'], keys: ['DS#*'] },
  { actions: ['PutItem'], keys: ['ROSTER'] },
  { actions: ['BatchGetItem', 'UpdateItem'], keys: ['CALLED#*'] },
  ...completeTask,
] as const satisfies readonly Grant[];
export const report = [
  callSooner,
  paceCall,
  { actions: ['BatchGetItem', 'Query', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['GetItem', 'UpdateItem'], keys: ['DS#*'] },
  ...completeTask,
] as const satisfies readonly Grant[];
/** A number may go on the do-not-call list with its result. */
export const reportAndExclude = [...report, ...addContacts] as const satisfies readonly Grant[];
export const release = [
  callSooner,
  paceCall,
  { actions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['GetItem', 'UpdateItem'], keys: ['DS#*'] },
  { actions: ['UpdateItem'], keys: ['CALLED#*'] },
] as const satisfies readonly Grant[];
export const extend = [
  paceCall,
  { actions: ['BatchGetItem', 'PutItem', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['UpdateItem'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];
export const recall = [
  findTask,
  putTask,
  listEnd,
  callSooner,
  { actions: ['Query', 'BatchGetItem', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*'], index: 'also' },
  { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];

/** Counts the calls in progress, and closes the counters with the task. */
export const close = [
  findTask,
  putTask,
  { actions: ['BatchGetItem', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*'], index: 'also' },
] as const satisfies readonly Grant[];

/** The record, its name and its entry in the list are gone at once; the background learns what to remove. */
export const deleteTask = [
  findTask,
  { actions: ['DeleteItem'], keys: ['TASK#*'] },
  freeTaskName,
  { actions: ['GetItem', 'UpdateItem', 'DeleteItem'], keys: ['ROLL#task'] },
  { actions: ['PutItem'], keys: ['REMOVALS'] },
] as const satisfies readonly Grant[];
/** Also looks for tasks that use the data source, and ends its imports. */
export const deleteDataSource = [
  findDataSource,
  { actions: ['Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem', 'DeleteItem'], keys: ['DS#*'] },
  { actions: ['BatchWriteItem'], keys: ['DS#*'] },
  freeDataSourceName,
  { actions: ['GetItem', 'UpdateItem', 'DeleteItem'], keys: ['ROLL#dataSource'] },
  { actions: ['Query'], keys: ['ROLL#task'] },
  { actions: ['BatchGetItem'], keys: ['TASK#*'] },
  { actions: ['Query', 'DeleteItem'], keys: ['IMPORTS'] },
  { actions: ['PutItem'], keys: ['REMOVALS'] },
] as const satisfies readonly Grant[];
export const removeRemains = [
  { actions: ['Query', 'UpdateItem', 'DeleteItem'], keys: ['REMOVALS'] },
  { actions: ['Query', 'DeleteItem'], keys: ['IMPORTS'] },
  {
    actions: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    keys: ['DS#*'],
  },
  { actions: ['Query', 'BatchWriteItem'], keys: ['TASK#*'] },
] as const satisfies readonly Grant[];
/** A task comes to name a data source, which must exist at that moment. */
export const useDataSource = { actions: ['UpdateItem'], keys: ['DS#*'] } as const satisfies Grant;

export const endConnectCall = { actions: ['DeleteItem'], keys: ['CONNECT'] } as const satisfies Grant;
/** Leases calls, stores the calls that Connect is making and the turn to start them, and reports refused calls. */
export const pumpLines = [
  ...lease,
  ...report,
  { actions: ['Query', 'PutItem', 'DeleteItem'], keys: ['CONNECT'] },
  { actions: ['PutItem', 'DeleteItem'], keys: ['CONNECT#TURN'] },
] as const satisfies readonly Grant[];
export const findConnectContact = ['DescribeContact', 'GetContactAttributes'] as const;

/** Stored answers and effect records of requests with an Idempotency-Key. */
const storeAnswers = {
  actions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  keys: ['ONCE#*'],
} as const satisfies Grant;

/** All that a route's function may do: the access it declares. A POST also stores its answers. */
export const accessOf = ({ method, access }: Pick<Route, 'method' | 'access'>): Access =>
  method === 'POST' ? { ...access, table: [...(access.table ?? []), storeAnswers] } : access;

/** Uploads a rendered file, and removes the parts of an upload that broke off. */
export const renderExport = {
  actions: ['PutObject', 'GetObject', 'AbortMultipartUpload'],
  prefix: 'exports/',
} as const satisfies BucketAccess;
/** The reads are for the report of an import whose request is repeated after its end. */
export const keepUpload = {
  actions: ['PutObject', 'GetObject', 'ListBucket'],
  prefix: 'uploads/',
} as const satisfies BucketAccess;
export const presignImport = { actions: ['PutObject'], prefix: 'imports/' } as const satisfies BucketAccess;
/** Reports of imports, whether the file came in a form or was uploaded to the bucket. Reports expire. */
export const readReports = [
  { actions: ['GetObject', 'ListBucket'], prefix: 'imports/' },
  { actions: ['GetObject', 'ListBucket'], prefix: 'uploads/' },
] as const satisfies readonly BucketAccess[];
export const putReports = [
  { actions: ['PutObject'], prefix: 'imports/' },
  { actions: ['PutObject'], prefix: 'uploads/' },
] as const satisfies readonly BucketAccess[];
export const readRejected = {
  actions: ['GetObject', 'ListBucket'],
  prefix: 'uploads/',
} as const satisfies BucketAccess;
export const importArrived = {
  actions: ['GetObject', 'ListBucket', 'PutObject'],
  prefix: 'imports/',
} as const satisfies BucketAccess;
export const removeObjects = [
  { actions: ['ListBucket', 'DeleteObject'], prefix: 'imports/' },
  { actions: ['ListBucket', 'DeleteObject'], prefix: 'uploads/' },
] as const satisfies readonly BucketAccess[];
/** The copy of the file, from which an interrupted import resumes. */
export const importKept = {
  actions: ['GetObject', 'ListBucket', 'PutObject'],
  prefix: 'uploads/',
} as const satisfies BucketAccess;
