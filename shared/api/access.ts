import type { TableAccess } from './route.ts';

/** The usual grants, named after what a function does with them. Key prefixes stand in store/keys.ts. */
export const findTask = { actions: ['GetItem'], keys: ['TASK#*'] } as const satisfies TableAccess;
export const findDataSource = { actions: ['GetItem'], keys: ['DS#*'] } as const satisfies TableAccess;
export const countContacts = {
  actions: ['BatchGetItem', 'Query'],
  keys: ['DS#*'],
} as const satisfies TableAccess;
export const countCalls = { actions: ['Query'], keys: ['TASK#*'] } as const satisfies TableAccess;
export const listTaskHeaders = {
  actions: ['GetItem', 'Query'],
  keys: ['ROLL#task'],
} as const satisfies TableAccess;
export const listDataSourceHeaders = {
  actions: ['GetItem', 'Query'],
  keys: ['ROLL#dataSource'],
} as const satisfies TableAccess;
/** A state move: the task, its header, its place among the running ones. */
export const moveTask = {
  actions: ['PutItem', 'DeleteItem'],
  keys: ['TASK#*', 'ROLL#task', 'RUNNING'],
} as const satisfies TableAccess;
export const readContacts = {
  actions: ['GetItem', 'BatchGetItem', 'Query'],
  keys: ['DS#*'],
} as const satisfies TableAccess;
export const writeContacts = {
  actions: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  keys: ['DS#*'],
} as const satisfies TableAccess;
