import type { Access, BucketAccess, Route, TableAccess } from './route.ts';

/**
 * The grants, named after what a function does with them. Key prefixes stand in store/keys.ts. The tests
 * run every function under the role made from these.
 */
type Grant = TableAccess;

/** Of every function that uses the table, before its first call. The lists tell whether a table is new. */
export const checkFormat = [
  { actions: ['GetItem', 'PutItem'], keys: ['FORMAT'] },
  { actions: ['GetItem'], keys: ['ROLL#dataSource', 'ROLL#task'] },
] as const satisfies readonly Grant[];

export const findTask = { actions: ['GetItem'], keys: ['TASK#*'] } as const satisfies Grant;
export const findDataSource = { actions: ['GetItem'], keys: ['DS#*'] } as const satisfies Grant;
export const findDataSources = { actions: ['BatchGetItem'], keys: ['DS#*'] } as const satisfies Grant;
/** The query is for data sources of more than one directory page. */
export const countContacts = { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] } as const satisfies Grant;
/** Tasks with their data sources, contacts and calls counted. */
const countTasks = [
  { actions: ['BatchGetItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*'], index: 'also' },
  { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];
export const seeTasks = [
  ...countTasks,
  { actions: ['GetItem'], keys: ['ROSTER'] },
] as const satisfies readonly Grant[];
export const seeTaskContacts = [findTask, ...countTasks] as const satisfies readonly Grant[];
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

/** The next free number of the list. */
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
/** A task's place among the running ones. */
export const enterRoster = { actions: ['PutItem'], keys: ['RUNNING#*'] } as const satisfies Grant;
export const leaveRoster = { actions: ['DeleteItem'], keys: ['RUNNING#*'] } as const satisfies Grant;
/** Brings a task forward that has somebody to call sooner than it seemed. */
const callSooner = { actions: ['GetItem', 'PutItem'], keys: ['RUNNING#*'] } as const satisfies Grant;
/** The tasks of a data source whose contacts have changed. */
const wakeTasks = { actions: ['Query', 'GetItem', 'PutItem'], keys: ['RUNNING#*'] } as const satisfies Grant;

export const readContacts = { actions: ['BatchGetItem', 'Query'], keys: ['DS#*'] } as const satisfies Grant;
export const exportContacts = { actions: ['GetItem', 'Query'], keys: ['DS#*'] } as const satisfies Grant;
export const addContacts = [
  { actions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], keys: ['DS#*'] },
  wakeTasks,
] as const satisfies readonly Grant[];
export const changeContacts = [
  { actions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], keys: ['DS#*'] },
  wakeTasks,
] as const satisfies readonly Grant[];
export const deleteContacts = [
  { actions: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'], keys: ['DS#*'] },
  wakeTasks,
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
/** The page's numbers, then its records. */
export const listImportRecords = {
  actions: ['GetItem', 'Query', 'BatchGetItem'],
  keys: ['DS#*'],
} as const satisfies Grant;
export const listPendingImports = { actions: ['Query'], keys: ['IMPORTS'] } as const satisfies Grant;

/** The last contact's outcome ends the task. */
const completeTask = [
  findTask,
  putTask,
  leaveRoster,
  countContacts,
  { actions: ['ConditionCheckItem'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];

export const lease = [
  callSooner,
  { actions: ['Query', 'BatchGetItem', 'UpdateItem', 'DeleteItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*', 'ROSTER#*'], index: 'only' },
  { actions: ['GetItem', 'BatchGetItem', 'UpdateItem'], keys: ['DS#*'] },
  { actions: ['PutItem'], keys: ['ROSTER'] },
  { actions: ['GetItem', 'UpdateItem'], keys: ['CALLED#*'] },
  ...completeTask,
] as const satisfies readonly Grant[];
export const report = [
  callSooner,
  { actions: ['BatchGetItem', 'Query', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['GetItem', 'UpdateItem'], keys: ['DS#*'] },
  ...completeTask,
] as const satisfies readonly Grant[];
export const recall = [
  findTask,
  putTask,
  callSooner,
  { actions: ['Query', 'BatchGetItem', 'UpdateItem'], keys: ['TASK#*'] },
  { actions: ['Query'], keys: ['TASK#*'], index: 'also' },
  { actions: ['BatchGetItem'], keys: ['DS#*'] },
] as const satisfies readonly Grant[];

export const endConnectCall = { actions: ['DeleteItem'], keys: ['CONNECT'] } as const satisfies Grant;
/** Leases calls, keeps those under way in Connect and its turn, and reports what Connect refuses. */
export const pumpLines = [
  ...lease,
  ...report,
  { actions: ['Query', 'PutItem', 'DeleteItem'], keys: ['CONNECT'] },
  { actions: ['PutItem', 'DeleteItem'], keys: ['CONNECT#TURN'] },
] as const satisfies readonly Grant[];
export const findConnectContact = ['DescribeContact', 'GetContactAttributes'] as const;

/** What was answered to requests that may be sent again, and the traces of their effects. */
const keepAnswers = {
  actions: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  keys: ['ONCE#*'],
} as const satisfies Grant;

/** All that a route's function may do: what it declares and, of a POST, keeping its answers. */
export const accessOf = ({ method, access }: Pick<Route, 'method' | 'access'>): Access =>
  method === 'POST' ? { ...access, table: [...access.table, keepAnswers] } : access;

/** A finished upload is put, one broken off is taken back. */
export const renderExport = {
  actions: ['PutObject', 'GetObject', 'AbortMultipartUpload'],
  prefix: 'exports/',
} as const satisfies BucketAccess;
/** With the report of an import that was sent again after its end. */
export const keepUpload = {
  actions: ['PutObject', 'GetObject', 'ListBucket'],
  prefix: 'uploads/',
} as const satisfies BucketAccess;
export const presignImport = { actions: ['PutObject'], prefix: 'imports/' } as const satisfies BucketAccess;
/** Reports of files of either road; gone when they have expired. */
export const readReports = [
  { actions: ['GetObject', 'ListBucket'], prefix: 'imports/' },
  { actions: ['GetObject', 'ListBucket'], prefix: 'uploads/' },
] as const satisfies readonly BucketAccess[];
export const readRejected = {
  actions: ['GetObject', 'ListBucket'],
  prefix: 'uploads/',
} as const satisfies BucketAccess;
export const importArrived = {
  actions: ['GetObject', 'ListBucket', 'PutObject'],
  prefix: 'imports/',
} as const satisfies BucketAccess;
/** The copy that an import goes on with should it be cut off. */
export const importKept = {
  actions: ['GetObject', 'ListBucket', 'PutObject'],
  prefix: 'uploads/',
} as const satisfies BucketAccess;
