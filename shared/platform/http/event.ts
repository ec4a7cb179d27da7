import type { APIGatewayProxyEvent } from 'aws-lambda';

export type EndpointEvent = APIGatewayProxyEvent;

/** The name that the authorizer read in the token. */
export const callerOf = ({ requestContext: { authorizer } }: EndpointEvent): string =>
  String(authorizer?.caller ?? authorizer?.principalId ?? 'unknown');

/** `name` is in lower case; clients send header names in any case. */
export const headerOf = ({ headers }: { headers: Record<string, string | undefined> }, name: string) =>
  Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
