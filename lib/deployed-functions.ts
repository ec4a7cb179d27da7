import { allRoutes } from '../shared/api/all-routes.ts';
import { authorizeRequest } from '../shared/api/authorizer-function.ts';
import { eventFunctions } from '../shared/api/event-functions.ts';
import type { Access, Resources } from '../shared/api/route.ts';

/** What endpoints, event functions and the authorizer have in common. */
export type DeployedFunction = Resources & {
  readonly id: string;
  readonly file: string;
  readonly summary: string;
  readonly access: Access;
};

export const deployedFunctions: readonly DeployedFunction[] = [
  ...allRoutes,
  ...eventFunctions,
  authorizeRequest,
];
