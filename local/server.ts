import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Context } from 'aws-lambda';
import { usualBodyLimit } from '../shared/api/route.ts';
import { ServiceError } from '../shared/domain/errors.ts';
import { answerTo } from '../shared/http/endpoint.ts';
import { failure, responseOf } from '../shared/http/envelope.ts';
import { assertSize } from '../shared/http/json-body.ts';
import { authenticate, mayCall, type VerifyToken } from '../shared/http/tokens.ts';
import type { Documentation } from './documentation.ts';
import type { LocalFunction } from './functions.ts';
import { gatewayEvent } from './gateway-event.ts';
import { readBody } from './request-body.ts';
import { match } from './router.ts';

type Answer = { statusCode: number; headers?: Record<string, unknown> | undefined; body: string };

const challenge = { 'www-authenticate': 'Bearer' };

/** What API Gateway does around the functions: routing, the authorizer, the proxy event, its own errors. */
export const createGateway = (
  functions: ReadonlyMap<string, LocalFunction>,
  verify: VerifyToken,
  documentation: Documentation,
): Server => {
  const invoke = async (request: IncomingMessage, url: URL, requestId: string): Promise<Answer> => {
    const found = match(request.method ?? 'GET', url.pathname);
    const principal = await authenticate(request.headers.authorization, verify);
    if (!mayCall(principal, found.route)) {
      throw new ServiceError('forbidden', `the access token lacks the scope ${found.route.scope}`);
    }
    const limit = found.route.bodyLimit ?? usualBodyLimit;
    const body = await readBody(request, limit);
    assertSize(body?.length ?? limit + 1, limit);
    const event = gatewayEvent({ request, url, body: body as Buffer, match: found, principal, requestId });
    return (functions.get(found.route.id) as LocalFunction)(event, { awsRequestId: requestId } as Context);
  };

  const answer = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    const url = urlOf(request);
    const page = request.method === 'GET' ? documentation.get(url.pathname) : undefined;
    if (page !== undefined) return page;
    try {
      return await invoke(request, url, requestId);
    } catch (error) {
      const answer = answerTo(error, requestId);
      const unauthorized = error instanceof ServiceError && error.code === 'unauthorized';
      return unauthorized ? { ...answer, headers: { ...answer.headers, ...challenge } } : answer;
    }
  };

  const server = createServer({ requestTimeout: 120_000 }, async (request, response) => {
    send(response, await answer(request, randomUUID()));
    // What the client still sends is read to its end, or the connection could not be used again.
    request.resume();
  });
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return;
    const { statusCode, headers, body } = responseOf(
      failure(new ServiceError('invalid', 'the request is not valid HTTP')),
      randomUUID(),
      { connection: 'close' },
    );
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${statusCode} Bad Request\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  });
  return server;
};

const urlOf = (request: IncomingMessage): URL => {
  const path = request.url?.startsWith('/') ? request.url : '/';
  return new URL(`http://localhost${path}`);
};

const send = (response: ServerResponse, { statusCode, headers, body }: Answer) => {
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
};
