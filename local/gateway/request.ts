import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { allRoutes } from '../../shared/app/all-routes.ts';
import type { Route } from '../../shared/platform/api/route.ts';
import type { Principal } from '../../shared/platform/http/tokens.ts';
import { invalid, MethodNotAllowed, ServiceError } from '../../shared/platform/rules/errors.ts';

export type Match = { route: Route; params: Record<string, string> };

const isParameter = (segment: string) => segment.startsWith('{');
const nameOf = (segment: string) => segment.slice(1, -1);

const templates = allRoutes
  .map((route) => ({ route, segments: route.path.split('/') }))
  // As in API Gateway, a fixed segment takes precedence over a parameter.
  .sort((a, b) => a.segments.filter(isParameter).length - b.segments.filter(isParameter).length);

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw invalid('path', 'is not validly percent-encoded', 'BAD_FORMAT');
  }
};

const fits = (template: readonly string[], segments: readonly string[]) =>
  template.length === segments.length &&
  template.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i]));

/** @throws ServiceError notFound for an unknown path, MethodNotAllowed for an unknown method */
export const match = (method: string, path: string): Match => {
  const segments = path.split('/');
  const candidates = templates.filter(({ segments: template }) => fits(template, segments));
  if (candidates.length === 0) throw new ServiceError('PATH_NOT_FOUND', `${path} does not exist`);
  const found = candidates.find(({ route }) => route.method === method);
  if (found === undefined) {
    throw new MethodNotAllowed(method, [...new Set(candidates.map(({ route }) => route.method))].join(', '));
  }
  const params = found.segments.flatMap((part, i) =>
    isParameter(part) ? [[nameOf(part), decoded(segments[i] ?? '')]] : [],
  );
  return { route: found.route, params: Object.fromEntries(params) };
};

/**
 * Bytes that are read and dropped above the limit, because a client reads its answer only after it
 * has sent its body.
 */
const drainedBytes = 64 * 1024 * 1024;

/** A client that disconnects while it sends is not an error of the service. */
export async function* chunksOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* request as AsyncIterable<Buffer>;
  } catch {
    throw invalid('body', 'is incomplete', 'BAD_FORMAT');
  }
}

/** The body. @returns undefined if it is larger than the limit @throws ServiceError invalid */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
    if (size > limit + drainedBytes) break;
  }
  return size > limit ? undefined : Buffer.concat(chunks);
};

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

/** The request as API Gateway's REST proxy integration passes it to a function. */
export const gatewayEvent = ({ request, url, body, match, principal, requestId }: Arrived) => {
  const { route, params } = match;
  const headers = grouped(headerPairs(request.rawHeaders));
  const query = grouped(url.searchParams);
  // API Gateway replaces bytes that are not UTF-8 by U+FFFD. Here they are passed on, and refused
  // with 400.
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
