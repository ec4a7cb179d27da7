import { createHash } from 'node:crypto';
import { Duration, Fn } from 'aws-cdk-lib';
import { allRoutes } from '../../shared/app/all-routes.ts';
import { authorizeRequest, consolePage, refuseMethod } from '../../shared/app/gateway-functions.ts';
import {
  compressedFrom,
  type Resources,
  type Route,
  scopesOfGroups,
} from '../../shared/platform/api/route.ts';
import { isStreamed } from '../deployed-functions.ts';
import { functionArn } from '../service-function.ts';
import type { StackSettings } from '../settings/settings.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { unknownPath } from './unknown-paths.ts';

export type DefinitionParts = {
  settings: StackSettings;
  /** The ARN of the role with which API Gateway calls the function of this id. */
  invokerOf: (id: string) => string;
};

const jwtPart = '[A-Za-z0-9_-]+';

/** API Gateway itself refuses a token that does not look like a JWT. */
export const bearerPattern = `^[Bb][Ee][Aa][Rr][Ee][Rr] +${jwtPart}\\.${jwtPart}\\.${jwtPart} *$`;

/**
 * API Gateway keeps the authorizer's answers, which list the permitted routes, for five minutes. If
 * the routes or their scopes change, the authorizer is a new one, so that tokens in use reach new
 * routes at once.
 */
export const permissionsHash = (
  routes: readonly Pick<Route, 'method' | 'path' | 'scope'>[],
  groups: object,
): string => {
  const permissions = routes.map(({ method, path, scope }) => `${method} ${path} ${scope}`).sort();
  return createHash('sha256')
    .update(JSON.stringify([permissions, groups]))
    .digest('hex')
    .slice(0, 8);
};

const uriOf = (stage: string, id: string, call: string): string =>
  Fn.sub(
    `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/${call.replace('{}', functionArn(stage, id))}`,
  );

const buffered = '2015-03-31/functions/{}/invocations';
const streamed = '2021-11-15/functions/{}/response-streaming-invocations';

type Called = Resources & { id: string };

const integrationOf = (
  { settings, invokerOf }: DefinitionParts,
  { id, timeout }: Called,
  streams: boolean,
) => ({
  type: 'aws_proxy',
  httpMethod: 'POST',
  uri: uriOf(settings.stage, id, streams ? streamed : buffered),
  credentials: invokerOf(id),
  timeoutInMillis: Duration.seconds(timeout).toMilliseconds(),
  ...(streams ? { responseTransferMode: 'STREAM' } : {}),
});

/** Without a scheme, the operation needs no token. */
const operationOf = (
  parts: DefinitionParts,
  { path, streams, scheme, ...called }: Called & { path: string; streams: boolean; scheme?: string },
) => ({
  parameters: [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  })),
  // API Gateway passes on every answer of the function, whatever is declared here. OpenAPI demands
  // one answer.
  responses: { '200': { description: 'The answer of the function' } },
  ...(scheme === undefined ? {} : { security: [{ [scheme]: [] }] }),
  'x-amazon-apigateway-integration': integrationOf(parts, called, streams),
});

const anyMethod = 'x-amazon-apigateway-any-method';

/** The answers to all other methods of a path need no token. */
const otherMethods = (parts: DefinitionParts, path: string) => ({
  [anyMethod]: operationOf(parts, { ...refuseMethod, path, streams: false }),
});

const routePaths = (parts: DefinitionParts, scheme: string) =>
  [...new Set(allRoutes.map(({ path }) => path))].map((path) => {
    const operations = allRoutes
      .filter((route) => route.path === path)
      .map((route) => [
        route.method.toLowerCase(),
        operationOf(parts, { ...route, streams: isStreamed(route), scheme }),
      ]);
    return [path, { ...Object.fromEntries(operations), ...otherMethods(parts, path) }];
  });

/** The page loads without a token. Its requests to the routes need a token. */
const consolePaths = (parts: DefinitionParts) =>
  consolePage.paths.map((path) => [
    path,
    { get: operationOf(parts, { ...consolePage, path, streams: true }), ...otherMethods(parts, path) },
  ]);

const authorizerOf = ({ settings, invokerOf }: DefinitionParts) => ({
  type: 'apiKey',
  name: 'Authorization',
  in: 'header',
  'x-amazon-apigateway-authtype': 'custom',
  'x-amazon-apigateway-authorizer': {
    type: 'token',
    authorizerUri: uriOf(settings.stage, authorizeRequest.id, buffered),
    authorizerCredentials: invokerOf(authorizeRequest.id),
    identityValidationExpression: bearerPattern,
    authorizerResultTtlInSeconds: Duration.minutes(5).toSeconds(),
  },
});

export const apiName = ({ stage }: StackSettings) => `outbound-${stage}`;
export const apiDescription = 'Outbound-call tasks and their contacts';

/**
 * The whole API as OpenAPI 3.0 with the extensions of API Gateway, which does not import
 * docs/openapi.json: that is 3.1.
 *
 * A path that is only part of longer paths (`/api/task`) has no method: API Gateway's own answer
 * for it is a 404, as for the paths that are in no part of it.
 */
export const definitionOf = (parts: DefinitionParts) => {
  const { settings } = parts;
  const scheme = `Authorizer${permissionsHash(allRoutes, scopesOfGroups)}`;
  const unknown = { [anyMethod]: unknownPath(settings.corsOrigin) };
  return {
    openapi: '3.0.1',
    info: { title: apiName(settings), description: apiDescription, version: '1' },
    paths: {
      ...Object.fromEntries([...routePaths(parts, scheme), ...consolePaths(parts)]),
      '/': unknown,
      '/{proxy+}': unknown,
    },
    components: { securitySchemes: { [scheme]: authorizerOf(parts) } },
    // Uploads must arrive byte for byte; everything else is text.
    'x-amazon-apigateway-binary-media-types': ['multipart/form-data'],
    'x-amazon-apigateway-minimum-compression-size': compressedFrom,
    // If we have a domain, the default address is closed when no caller uses it any more, because
    // it bypasses what protects the domain.
    'x-amazon-apigateway-endpoint-configuration': {
      disableExecuteApiEndpoint: settings.domain?.keepsGateway === false,
    },
    'x-amazon-apigateway-gateway-responses': gatewayResponses(settings.corsOrigin),
  };
};
