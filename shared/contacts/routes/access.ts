import { type Grant, grant } from '../../platform/api/route.ts';

export const findDataSource = grant(['GetItem'], 'DS#*');
export const findDataSources = grant(['BatchGetItem'], 'DS#*');
/** The query serves data sources with more than one directory page. */
export const countContacts = grant(['BatchGetItem', 'Query'], 'DS#*');
/** Counts the contacts that a task has when it ends. */
export const countHeldContacts = grant(['Query'], 'DS#*');
export const listDataSourceHeaders = grant(['GetItem', 'Query'], 'ROLL#dataSource');
export const numberDataSources = grant(['GetItem', 'UpdateItem'], 'ROLL#dataSource');
export const putDataSource = grant(['PutItem'], 'DS#*', 'ROLL#dataSource');
export const takeDataSourceName = grant(['PutItem'], 'NAME#dataSource#*');
export const freeDataSourceName = grant(['DeleteItem'], 'NAME#dataSource#*');
/** Brings the calls of all tasks of a data source forward when its contacts have changed. */
export const moveCallsOfSource = grant(['Query', 'GetItem', 'UpdateItem'], 'AGENDA#calls#*');

/** A task whose filter excluded contacts takes up those that match now. */
export const reconsiderContacts: readonly Grant[] = [
  grant(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], 'TASK#*'),
];

export const readContacts = grant(['BatchGetItem', 'Query'], 'DS#*');
export const exportContacts = grant(['GetItem', 'Query'], 'DS#*');
/** For the do-not-call list, whose contacts no task calls. */
export const excludeNumbers = grant(
  ['GetItem', 'BatchGetItem', 'Query', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
  'DS#*',
);
export const addContacts: readonly Grant[] = [
  excludeNumbers,
  // A contact that waited for others stops waiting.
  grant(['DeleteItem'], 'DS#*'),
  moveCallsOfSource,
];
/**
 * The calls that count for the limits on a number, and the records of those before they were
 * counted.
 */
export const seeNumberCalls: readonly Grant[] = [
  grant(['BatchGetItem'], 'CALLED#*', 'DS#*', 'TASK#*'),
  grant(['GetItem'], 'COUNTING'),
  grant(['Query'], 'NUMBER#*'),
];
/** Also finds who may have called, where calls are not counted yet. */
export const lookUpNumberCalls: readonly Grant[] = [
  ...seeNumberCalls,
  grant(['Query'], 'DAY#*', 'ROLL#task'),
];
export const countNumberCalls: readonly Grant[] = [...seeNumberCalls, grant(['PutItem'], 'CALLED#*')];
/** Calls are counted from now on, or for longer than before. */
export const keepCounting = grant(['PutItem'], 'COUNTING');

/** A contact that was called leaves a pointer from its number, and a call in progress notes it. */
export const pointFromNumbers = grant(['BatchWriteItem'], 'NUMBER#*');
const rememberNumbers: readonly Grant[] = [pointFromNumbers, grant(['GetItem', 'UpdateItem'], 'TASK#*')];
export const changeContacts: readonly Grant[] = [
  ...rememberNumbers,
  grant(['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], 'DS#*'),
  moveCallsOfSource,
  // A task that deferred the contact, or whose filter excluded it, considers it again.
  ...reconsiderContacts,
  ...seeNumberCalls,
  grant(['GetItem', 'PutItem', 'UpdateItem'], 'AGENDA#callbacks#*'),
];
export const deleteContacts: readonly Grant[] = [
  grant(['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'], 'DS#*'),
  ...rememberNumbers,
  moveCallsOfSource,
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
/** A task refers to a data source, which must exist at that moment. */
export const useDataSource = grant(['UpdateItem'], 'DS#*');
