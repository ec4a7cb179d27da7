import { accessOf } from './access.ts';
import type { Route } from './route.ts';
import * as routes from './routes.ts';

/**
 * The whole table, for those who need every route: the router, the stack, the documentation. Sorted,
 * because bundlers and loaders disagree on the order of a module's exports.
 */
export const allRoutes: readonly Route[] = Object.values<Route>(routes)
  .map((route) => ({ ...route, access: accessOf(route) }))
  .sort((a, b) => (a.id < b.id ? -1 : 1));
