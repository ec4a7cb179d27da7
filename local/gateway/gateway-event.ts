import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Principal } from '../../shared/platform/http/index.ts';
import type { Match } from './router.ts';

/** API Gateway passes bodies of its binary media types on in base64. */
const isBinary = (contentType = '') => /^multipart\/form-data\b/i.test(contentType);

const grouped = (pairs: Iterable<readonly [string, string]>): Record<string, string[]> => {
  const groups = new Map<string, string[]>();
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value]);
  return Object.fromEntries(groups);
};

const lastOf = (groups: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(groups).map(([name, values]) => [name, values.at(-1) ?? '']));

const headerPairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as [string, string]] : []));

const orNull = <T extends object>(values: T): T | null => (Object.keys(values).length === 0 ? null : values);

type Arrived = {
  request: IncomingMessage;
  url: URL;
  body: Buffer;
  match: Match;
  principal: Principal;
  requestId: string;
};

/** The request as API Gateway's REST proxy integration hands it to a function. */
export const gatewayEvent = ({ request, url, body, match, principal, requestId }: Arrived) => {
  const { route, params } = match;
  const headers = grouped(headerPairs(request.rawHeaders));
  const query = grouped(url.searchParams);
  // API Gateway replaces bytes that are not UTF-8 by U+FFFD. Here they are passed on, and answered with 400.
  const isBase64Encoded = isBinary(request.headers['content-type']) || !isUtf8(body);
  const httpMethod = request.method ?? 'GET';
  return {
    resource: route.path,
    path: url.pathname,
    httpMethod,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(lastOf(query)),
    multiValueQueryStringParameters: orNull(query),
    pathParameters: orNull(params),
    stageVariables: null,
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      authorizer: {
        principalId: principal.clientId,
        caller: principal.name,
        scope: principal.scopes.join(' '),
      },
      protocol: `HTTP/${request.httpVersion}`,
      httpMethod,
      path: url.pathname,
      stage: 'local',
      requestId,
      requestTimeEpoch: Date.now(),
      resourceId: route.id,
      resourcePath: route.path,
      identity: {
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: request.headers['user-agent'] ?? null,
      },
    },
  } as unknown as APIGatewayProxyEvent;
};
