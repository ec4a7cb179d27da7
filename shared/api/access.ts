import type { Access, BucketAccess, BucketAction, Route, TableAccess, TableAction } from './route.ts';

/**
 * The grants, named after what a function does with them. The store's keys.ts declares the key prefixes. The
 * tests run every function under a role made from its grants.
 */
type Grant = TableAccess;

const grant = (actions: readonly TableAction[], ...keys: readonly string[]): Grant => ({ actions, keys });
const objectGrant = (actions: readonly BucketAction[], prefix: string): BucketAccess => ({ actions, prefix });

/** Every function that uses the table checks the format before its first call. The rolls show whether the table is new. */
export const checkFormat: readonly Grant[] = [
  grant(['GetItem'], 'FORMAT'),
  grant(['GetItem'], 'ROLL#dataSource', 'ROLL#task'),
];
/**
 * A function that declares this records the format of a new table. A wrong format stops the service, so only two functions do:
 * a scheduled function, which runs soon after the first deployment, and addDataSource, which adds the first data.
 */
export const setUpTable = grant(['PutItem'], 'FORMAT');

export const findTask = grant(['GetItem'], 'TASK#*');
export const findDataSource = grant(['GetItem'], 'DS#*');
export const findDataSources = grant(['BatchGetItem'], 'DS#*');
/** The query serves data sources with more than one directory page. */
export const countContacts = grant(['BatchGetItem', 'Query'], 'DS#*');
/** Reads tasks with their data sources, and counts their contacts and calls. */
const countTasks: readonly Grant[] = [
  grant(['BatchGetItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*'), index: 'also' },
  grant(['BatchGetItem', 'Query'], 'DS#*'),
];
export const seeTasks: readonly Grant[] = [
  ...countTasks,
  grant(['GetItem'], 'ASKED'),
  { ...grant(['Query'], 'DUE#calls#*'), index: 'only' },
  grant(['Query'], 'PACE*'),
];
export const seeTaskContacts: readonly Grant[] = [findTask, findDataSource, ...countTasks];
export const seeTimeline: readonly Grant[] = [grant(['Query'], 'TASK#*')];
/** Finds the tasks that called on a day, and counts their calls. */
export const seeDay: readonly Grant[] = [grant(['Query'], 'DAY#*', 'TASK#*')];
export const readHistory = grant(['Query'], 'TASK#*');
export const countCalls = grant(['Query'], 'TASK#*');
export const listTaskHeaders = grant(['GetItem', 'Query'], 'ROLL#task');
export const listDataSourceHeaders = grant(['GetItem', 'Query'], 'ROLL#dataSource');

/** Reads the contacts and exclusion lists of a task, and those of the running and paused tasks. */
export const checkAhead: readonly Grant[] = [
  grant(['Query'], 'ROLL#task'),
  grant(['GetItem', 'BatchGetItem'], 'TASK#*'),
  grant(['BatchGetItem', 'Query'], 'DS#*'),
];
/** Lists the contacts of a task that are on its exclusion lists. */
export const listBlocked: readonly Grant[] = [
  grant(['GetItem'], 'TASK#*'),
  grant(['GetItem', 'BatchGetItem', 'Query'], 'DS#*'),
];

/** Takes the next free number of the list. */
export const numberTasks = grant(['GetItem', 'UpdateItem'], 'ROLL#task');
export const numberDataSources = grant(['GetItem', 'UpdateItem'], 'ROLL#dataSource');

/** The task and its header. */
export const putTask = grant(['PutItem'], 'TASK#*', 'ROLL#task');
export const putDataSource = grant(['PutItem'], 'DS#*', 'ROLL#dataSource');
export const takeTaskName = grant(['PutItem'], 'NAME#task#*');
export const freeTaskName = grant(['DeleteItem'], 'NAME#task#*');
export const takeDataSourceName = grant(['PutItem'], 'NAME#dataSource#*');
export const freeDataSourceName = grant(['DeleteItem'], 'NAME#dataSource#*');
/** The calls of a task are due, or parked. */
export const scheduleCalls = grant(['PutItem'], 'AGENDA#calls#*');
/** The calls of a task that runs again are due, and so are its callbacks. */
export const scheduleCallsAgain: readonly Grant[] = [
  scheduleCalls,
  grant(['GetItem', 'PutItem'], 'AGENDA#callbacks#*'),
];
/** The task has ended: its calls leave the agenda, and so does its end. */
export const endCalls = grant(['DeleteItem'], 'AGENDA#calls#*', 'AGENDA#end');
/** Brings the calls of a task forward, or postpones them. */
const moveCalls: readonly Grant[] = [
  grant(['GetItem', 'UpdateItem'], 'AGENDA#calls#*'),
  grant(['GetItem', 'PutItem', 'UpdateItem'], 'AGENDA#callbacks#*'),
];
/** Brings the calls of all tasks of a data source forward when its contacts have changed. */
const moveCallsOfSource = grant(['Query', 'GetItem', 'UpdateItem'], 'AGENDA#calls#*');

/** A task whose filter left contacts out takes up those that match now. */
const reconsiderContacts: readonly Grant[] = [
  grant(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], 'TASK#*'),
];

export const readContacts = grant(['BatchGetItem', 'Query'], 'DS#*');
export const exportContacts = grant(['GetItem', 'Query'], 'DS#*');
/** Of the do-not-call list: no task calls its contacts. */
const excludeNumbers = grant(
  ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  'DS#*',
);
export const addContacts: readonly Grant[] = [excludeNumbers, moveCallsOfSource];
/** A contact that was called leaves its number, and a call in progress learns it. */
const pointFromNumbers = grant(['BatchWriteItem'], 'NUMBER#*');
const rememberNumbers: readonly Grant[] = [pointFromNumbers, grant(['GetItem', 'UpdateItem'], 'TASK#*')];
export const changeContacts: readonly Grant[] = [
  ...rememberNumbers,
  grant(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], 'DS#*'),
  moveCallsOfSource,
  // A task that deferred the contact, or whose filter left it out, considers it again.
  ...reconsiderContacts,
  grant(['GetItem', 'PutItem', 'UpdateItem'], 'AGENDA#callbacks#*'),
];
export const deleteContacts: readonly Grant[] = [
  grant(['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'], 'DS#*'),
  ...rememberNumbers,
  moveCallsOfSource,
];

/** Looks a number up in every data source, and its contacts in the tasks that call them. */
export const findPersons: readonly Grant[] = [
  grant(['Query'], 'ROLL#dataSource', 'ROLL#task', 'NUMBER#*'),
  grant(['BatchGetItem'], 'DS#*', 'TASK#*'),
  // A task whose filter may have left the contact out.
  grant(['Query'], 'TASK#*'),
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
/** Also finds the contacts of a number, its calls of the day, and its fields on the do-not-call list. */
export const erasePersons: readonly Grant[] = [
  ...finishErasing,
  grant(['GetItem', 'PutItem'], 'AGENDA#erasure'),
  grant(['Query'], 'ROLL#dataSource'),
  grant(['GetItem', 'Query', 'UpdateItem'], 'DS#*'),
  grant(['Query', 'DeleteItem'], 'CALLED#*'),
  grant(['Query', 'BatchWriteItem'], 'NUMBER#*'),
];

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
  // Tasks consider deferred contacts again whose time zones were corrected, and contacts that match their filter now.
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
/** Reads the page's numbers first, then its records. */
export const listImportRecords = grant(['GetItem', 'Query', 'BatchGetItem'], 'DS#*');

/** The end of a task with a `callUntil` is on the agenda from its start on. */
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

/** Considers the contacts again that a task deferred before its hours were adjusted. */
const reconsiderSome = [
  { actions: ['Query'], keys: ['TASK#*'], index: 'only' },
  { actions: ['GetItem', 'BatchGetItem', 'PutItem'], keys: ['TASK#*'] },
  ...moveCalls,
  { actions: ['UpdateItem', 'DeleteItem'], keys: ['AGENDA#deferred'] },
] as const satisfies readonly Grant[];
export const reconsiderDeferred = [
  ...reconsiderSome,
  { actions: ['GetItem', 'PutItem'], keys: ['AGENDA#deferred'] },
] as const satisfies readonly Grant[];
export const reconsiderAll = [
  ...reconsiderSome,
  { actions: ['Query'], keys: ['DUE#deferred'], index: 'only' },
] as const satisfies readonly Grant[];

/** Puts tasks on the agenda that functions of the release before have started. */
export const adoptTasks = grant(['PutItem'], 'AGENDA#calls#*', 'AGENDA#end');

/** Reads the records of a task's calls. */
export const seeCalls: readonly Grant[] = [findTask, grant(['Query'], 'TASK#*')];
/** A call is found through its task contact. */
export const findCalls = grant(['BatchGetItem'], 'TASK#*');
/** Its contact is read too. */
export const seeCall: readonly Grant[] = [findCalls, grant(['BatchGetItem'], 'DS#*')];

/** The outcome of its last contact completes a task. */
export const completeTask: readonly Grant[] = [
  findTask,
  putTask,
  endCalls,
  countContacts,
  grant(['ConditionCheckItem'], 'DS#*'),
];

/** A call that ends, or goes on, under the limit of the service. */
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
  grant(['BatchGetItem', 'UpdateItem'], 'CALLED#*'),
  ...completeTask,
];
export const reportCalls: readonly Grant[] = [
  ...moveCalls,
  paceCall,
  grant(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], 'TASK#*'),
  grant(['PutItem'], 'DAY#*'),
  grant(['GetItem', 'UpdateItem'], 'DS#*'),
  // A task may pause itself.
  scheduleCalls,
  ...completeTask,
];
/** A number may go on the do-not-call list with its result. */
export const reportCallsAndExclude: readonly Grant[] = [...reportCalls, excludeNumbers];
/** Changes the record of a call, and what it is counted under. Its number may go on the do-not-call list. */
export const annotateCalls: readonly Grant[] = [
  grant(['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'], 'TASK#*'),
  excludeNumbers,
];
export const release: readonly Grant[] = [
  ...moveCalls,
  paceCall,
  grant(['BatchGetItem', 'PutItem', 'UpdateItem'], 'TASK#*'),
  grant(['GetItem', 'UpdateItem'], 'DS#*'),
  grant(['UpdateItem'], 'CALLED#*'),
];
export const extend: readonly Grant[] = [
  paceCall,
  grant(['BatchGetItem', 'PutItem', 'UpdateItem'], 'TASK#*'),
  grant(['UpdateItem'], 'DS#*'),
];
export const recall: readonly Grant[] = [
  findTask,
  putTask,
  scheduleEnd,
  ...scheduleCallsAgain,
  grant(['GetItem', 'UpdateItem'], 'AGENDA#calls#*'),
  grant(['Query', 'BatchGetItem', 'UpdateItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*'), index: 'also' },
  grant(['BatchGetItem', 'Query'], 'DS#*'),
];

/** Counts the calls in progress, and closes the counters with the task. */
export const close: readonly Grant[] = [
  findTask,
  putTask,
  grant(['BatchGetItem', 'UpdateItem'], 'TASK#*'),
  { ...grant(['Query'], 'TASK#*'), index: 'also' },
];

/** The record, its name and its entry in the list are gone at once; the background learns what to remove. */
export const deleteTask: readonly Grant[] = [
  findTask,
  grant(['DeleteItem'], 'TASK#*'),
  freeTaskName,
  grant(['GetItem', 'UpdateItem', 'DeleteItem'], 'ROLL#task'),
  grant(['PutItem'], 'AGENDA#removal'),
];
/** Also looks for tasks that use the data source, and ends its imports. */
export const deleteDataSource: readonly Grant[] = [
  findDataSource,
  grant(['Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem', 'DeleteItem'], 'DS#*'),
  grant(['BatchWriteItem'], 'DS#*'),
  freeDataSourceName,
  grant(['GetItem', 'UpdateItem', 'DeleteItem'], 'ROLL#dataSource'),
  grant(['Query'], 'ROLL#task'),
  grant(['BatchGetItem'], 'TASK#*'),
  grant(['Query', 'DeleteItem'], 'AGENDA#import'),
  grant(['PutItem'], 'AGENDA#removal'),
];
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
/** A task comes to name a data source, which must exist at that moment. */
export const useDataSource = grant(['UpdateItem'], 'DS#*');

export const readEvents = grant(['Query', 'GetItem'], 'EVENTS');
/** Reads the last page, and puts the next one. */
export const appendEvents: readonly Grant[] = [
  grant(['Query', 'PutItem'], 'EVENTS'),
  grant(['GetItem', 'PutItem'], 'EVENTS#START'),
];

export const findWebhooks = grant(['Query'], 'WEBHOOK');
/** Webhooks and the progress of their deliveries. */
const seeWebhooks: readonly Grant[] = [grant(['Query'], 'WEBHOOK', 'WEBHOOK#TURN'), readEvents];
export const addWebhooks: readonly Grant[] = [
  grant(['GetItem', 'PutItem'], 'WEBHOOK'),
  grant(['PutItem'], 'WEBHOOK#TURN'),
  grant(['GetItem', 'PutItem'], 'WEBHOOK#COUNT'),
  grant(['BatchGetItem'], 'TASK#*'),
  grant(['Query'], 'EVENTS'),
];
export const changeWebhooks: readonly Grant[] = [
  grant(['GetItem', 'PutItem'], 'WEBHOOK'),
  grant(['BatchGetItem'], 'TASK#*'),
];
export const deleteWebhooks: readonly Grant[] = [
  grant(['GetItem', 'DeleteItem'], 'WEBHOOK'),
  grant(['DeleteItem'], 'WEBHOOK#TURN'),
  grant(['GetItem', 'PutItem'], 'WEBHOOK#COUNT'),
];
export const listWebhooks: readonly Grant[] = [...seeWebhooks, grant(['Query'], 'AGENDA#delivery#*')];
export const readDeliveries: readonly Grant[] = [
  grant(['GetItem'], 'WEBHOOK', 'WEBHOOK#TURN'),
  grant(['Query'], 'WEBHOOK#*'),
];
export const askForDeliveries: readonly Grant[] = [
  grant(['GetItem'], 'WEBHOOK'),
  grant(['Query'], 'WEBHOOK#*'),
  readEvents,
  grant(['PutItem'], 'AGENDA#delivery#*', 'AGENDA#stretch#*'),
];
/** Looks which webhooks have something to do. */
export const watchDeliveries: readonly Grant[] = [
  ...seeWebhooks,
  { ...grant(['Query'], 'DUE#delivery#*'), index: 'only' },
  grant(['Query'], 'AGENDA#stretch#*'),
];
/** Takes turns, keeps the attempts that wait and a row of each attempt, and reads the calls that events name. */
export const deliver: readonly Grant[] = [
  readEvents,
  grant(['GetItem', 'PutItem'], 'WEBHOOK', 'WEBHOOK#TURN'),
  grant(['BatchWriteItem'], 'WEBHOOK#*'),
  { ...grant(['Query'], 'DUE#delivery#*'), index: 'only' },
  grant(['BatchGetItem', 'PutItem', 'DeleteItem'], 'AGENDA#delivery#*'),
  grant(['Query', 'PutItem', 'DeleteItem'], 'AGENDA#stretch#*'),
  findCalls,
];

export const endConnectCall = grant(['DeleteItem'], 'CONNECT');
/** Leases calls, stores the calls that Connect is making and the turn to start them, and reports refused calls. */
export const pumpLines: readonly Grant[] = [
  ...lease,
  ...reportCalls,
  grant(['Query', 'PutItem', 'DeleteItem'], 'CONNECT'),
  grant(['PutItem', 'DeleteItem'], 'CONNECT#TURN'),
];
export const findConnectContact = ['DescribeContact', 'GetContactAttributes'] as const;

/** Stored answers and effect records of requests with an Idempotency-Key. */
const storeAnswers = grant(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], 'ONCE#*');

/** All that a route's function may do: the access it declares. A POST also stores its answers. */
export const accessOf = ({ method, access }: Pick<Route, 'method' | 'access'>): Access =>
  method === 'POST' ? { ...access, table: [...(access.table ?? []), storeAnswers] } : access;

/** Uploads a rendered file, and removes the parts of an upload that broke off. */
export const renderExport = objectGrant(['PutObject', 'GetObject', 'AbortMultipartUpload'], 'exports/');
/** The reads are for the report of an import whose request is repeated after its end. */
export const keepUpload = objectGrant(['PutObject', 'GetObject', 'ListBucket'], 'uploads/');
export const presignImport = objectGrant(['PutObject'], 'imports/');
/** Reports of imports, whether the file came in a form or was uploaded to the bucket. Reports expire. */
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
export const removeObjects: readonly BucketAccess[] = [
  objectGrant(['ListBucket', 'DeleteObject'], 'imports/'),
  objectGrant(['ListBucket', 'DeleteObject'], 'uploads/'),
];
/** The copy of the file, from which an interrupted import resumes. */
export const importKept = objectGrant(['GetObject', 'ListBucket', 'PutObject'], 'uploads/');
