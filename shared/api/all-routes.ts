import type { Route } from './route.ts';
import * as routes from './routes.ts';

/** The whole table, for those who need every route: the router, the stack, the documentation. */
export const allRoutes: readonly Route[] = Object.values(routes);
