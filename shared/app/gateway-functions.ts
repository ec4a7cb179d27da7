import type { Access, Resources } from '../platform/api/route.ts';

/** A function of the API that is no endpoint. */
type GatewayFunction = Resources & { id: string; file: string; summary: string; access: Access };

/** The function in front of every endpoint. It reads the access token and uses no table. */
export const authorizeRequest = {
  id: 'authorizeRequest',
  file: 'authorizer/authorize',
  summary: 'Checks access tokens and decides which endpoints each token may call',
  access: { tokens: true },
  memory: 512,
  timeout: 10,
} as const satisfies GatewayFunction;

/** Serves the console. The page contains no data and needs no token, but its requests do. */
export const consolePage = {
  id: 'consolePage',
  file: 'console/page',
  summary: "Serves the operators' console from its own bundle",
  paths: ['/console', '/console/{proxy+}'],
  /** The bundle contains the built page. */
  carriesConsole: true,
  access: { page: true },
  memory: 512,
  timeout: 10,
} as const satisfies GatewayFunction & { paths: readonly string[]; carriesConsole: true };

/** Answers requests without a token: wrong methods of known paths, and browsers' preflights. */
export const refuseMethod = {
  id: 'refuseMethod',
  file: 'refusal/refuse',
  summary: "Refuses methods that a path does not have, and answers browsers' preflights",
  access: {},
  memory: 512,
  timeout: 10,
} as const satisfies GatewayFunction;
