import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { allRoutes } from '../../shared/app/all-routes.ts';
import * as declared from '../../shared/app/gateway-functions.ts';
import { onFirstEvent } from '../../shared/app/runtime/first-event.ts';
import type { Route } from '../../shared/platform/api/route.ts';
import {
  authenticate,
  mayUse,
  type Principal,
  tokenVerifier,
  type VerifyToken,
} from '../../shared/platform/http/tokens.ts';
import { describeError, log } from '../../shared/platform/observability/log.ts';
import { tokenRefused } from '../../shared/platform/observability/service-metrics.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { readEnvironment } from '../../shared/platform/settings/settings.ts';

type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** API Gateway answers 401 to exactly this message, and 500 to any other. */
const unauthorized = 'Unauthorized';

/** `arn:…:api-id/stage` of the request's `arn:…:api-id/stage/METHOD/path`. */
const stageArnOf = (methodArn: string) => methodArn.split('/').slice(0, 2).join('/');

const everyParameter = /\{[^}]+\}/g;
const nameOf = ({ method, path }: Route) => `${method}${path}`;

/** `GET/`, `GET/api/` and so on, up to the first parameter. */
const beginningsOf = (name: string): string[] => {
  const [fixed = ''] = name.split('{');
  return [...fixed.matchAll(/\//g)].map(({ index }) => fixed.slice(0, index + 1));
};

/** The shortest pattern that matches no forbidden route. In a pattern, `*` also matches `/`. */
const patternOf = (name: string, forbidden: readonly string[]): string => {
  const beginning = beginningsOf(name).find((each) => !forbidden.some((other) => other.startsWith(each)));
  return beginning === undefined ? name.replace(everyParameter, '*') : `${beginning}*`;
};

/**
 * Allows every route that the principal may call, not only this one, because API Gateway reuses the
 * policy for the others. A policy has at most 8 KB, so routes with a common beginning share a
 * pattern. The authorizer is asked for declared routes only, so a pattern allows no others.
 */
const policyFor = (
  principal: Principal,
  methodArn: string,
  routes: readonly Route[],
): APIGatewayAuthorizerResult => {
  const stageArn = stageArnOf(methodArn);
  const forbidden = routes.filter((route) => !mayUse(principal, route)).map(nameOf);
  const allowed = routes
    .filter((route) => mayUse(principal, route))
    .map((route) => `${stageArn}/${patternOf(nameOf(route), forbidden)}`);
  return {
    principalId: principal.clientId,
    policyDocument: {
      Version: '2012-10-17',
      // Never empty, because any valid token may call a route without a scope.
      Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: [...new Set(allowed)] }],
    },
    context: {
      caller: principal.name,
      scope: principal.scopes.join(' '),
      expires: principal.expires ?? 0,
    },
  };
};

export const authorizeRequest =
  (verify: VerifyToken, routes: readonly Route[] = allRoutes): Authorize =>
  async ({ authorizationToken, methodArn }) => {
    try {
      return policyFor(await authenticate(authorizationToken, verify), methodArn, routes);
    } catch (error) {
      if (error instanceof ServiceError) {
        log.warn(tokenRefused, { reason: error.message });
        throw new Error(unauthorized);
      }
      log.error('the token could not be checked', { error: describeError(error) });
      throw error;
    }
  };

const lambdaVerifier = (): VerifyToken => {
  const env = readEnvironment(declared.authorizeRequest.access);
  return tokenVerifier({
    issuer: env.TOKEN_ISSUER,
    audiences: env.TOKEN_AUDIENCES.split(','),
    ...(env.TOKEN_JWKS_URI === '' ? {} : { jwksUri: env.TOKEN_JWKS_URI }),
  });
};

export const handler = onFirstEvent(() => authorizeRequest(lambdaVerifier()));
