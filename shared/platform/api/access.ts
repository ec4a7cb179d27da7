import type { Access, BucketAccess, BucketAction, Route, TableAccess, TableAction } from './route.ts';

/**
 * The grants, named after what a function does with them. The store's keys.ts declares the key prefixes. The
 * tests run every function under a role made from its grants.
 */
export type Grant = TableAccess;

export const grant = (actions: readonly TableAction[], ...keys: readonly string[]): Grant => ({
  actions,
  keys,
});
export const objectGrant = (actions: readonly BucketAction[], prefix: string): BucketAccess => ({
  actions,
  prefix,
});

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

/** Stored answers and effect records of requests with an Idempotency-Key. */
const storeAnswers = grant(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'], 'ONCE#*');

/** All that a route's function may do: the access it declares. A POST also stores its answers. */
export const accessOf = ({ method, access }: Pick<Route, 'method' | 'access'>): Access =>
  method === 'POST' ? { ...access, table: [...(access.table ?? []), storeAnswers] } : access;

/** Uploads a rendered file, and removes the parts of an upload that broke off. */
export const renderExport = objectGrant(['PutObject', 'GetObject', 'AbortMultipartUpload'], 'exports/');
