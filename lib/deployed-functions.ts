import { checkFormat } from '../shared/api/access.ts';
import { allRoutes } from '../shared/api/all-routes.ts';
import { authorizeRequest } from '../shared/api/authorizer-function.ts';
import { consolePage } from '../shared/api/console-function.ts';
import { eventFunctions } from '../shared/api/event-functions.ts';
import type { Access, Resources } from '../shared/api/route.ts';
import type { StackSettings } from './settings/settings.ts';

/** What endpoints, event functions and the authorizer have in common. */
export type DeployedFunction = Resources & {
  readonly id: string;
  readonly file: string;
  readonly summary: string;
  readonly access: Access;
  readonly needsConnect?: true;
  /** The built console lies beside its code. */
  readonly carriesConsole?: true;
};

/** Who reads or writes the table looks first whether its data is of this version's format. */
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
];

export const deployedFunctions = declared.map(checkingFormat);

/** Those of a stack with or without Amazon Connect. */
export const functionsOf = ({ connect }: Pick<StackSettings, 'connect'>): readonly DeployedFunction[] =>
  deployedFunctions.filter(({ needsConnect }) => connect !== undefined || !needsConnect);
