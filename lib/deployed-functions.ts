import { allRoutes } from '../shared/app/all-routes.ts';
import { eventFunctions } from '../shared/app/event-functions.ts';
import { authorizeRequest, consolePage, refuseMethod } from '../shared/app/gateway-functions.ts';
import { type Access, checkFormat, type Resources, type Route } from '../shared/platform/api/route.ts';
import type { RouteClass } from './settings/settings.ts';

/** What endpoints, event functions and the functions in front of the endpoints have in common. */
export type DeployedFunction = Resources & {
  readonly id: string;
  readonly file: string;
  readonly summary: string;
  readonly access: Access;
  readonly needsConnect?: true;
  /** The built console is deployed together with the code. */
  readonly carriesConsole?: true;
};

/**
 * Adds the read of the data format. A function that uses the table first checks that the format is
 * that of this version.
 */
export const checkingFormat = (deployed: DeployedFunction): DeployedFunction => {
  const { access } = deployed;
  if (access.table === undefined) return deployed;
  return { ...deployed, access: { ...access, table: [...access.table, ...checkFormat] } };
};

const declared: readonly DeployedFunction[] = [
  ...allRoutes,
  ...eventFunctions,
  authorizeRequest,
  consolePage,
  refuseMethod,
];

export const deployedFunctions = declared.map(checkingFormat);

export const isStreamed = ({ response }: Route) => 'file' in response;

/** A request for an upload counts as an import, because the uploaded file starts one. */
export const classOf = (route: Route): RouteClass => {
  if (isStreamed(route)) return 'export';
  if (route.tag === 'Contact files' && route.method === 'POST') return 'import';
  return route.scope === 'outbound/dial' ? 'dial' : 'general';
};
