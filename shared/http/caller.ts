import type { EndpointEvent } from './endpoint.ts';

/** The name that the authorizer read in the token. */
export const callerOf = ({ requestContext: { authorizer } }: EndpointEvent): string =>
  String(authorizer?.caller ?? authorizer?.principalId ?? 'unknown');
