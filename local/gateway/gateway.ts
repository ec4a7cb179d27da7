import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { type Route, usualBodyLimit } from '../../shared/platform/api/route.ts';
import { answerTo } from '../../shared/platform/http/endpoint.ts';
import { assertSize } from '../../shared/platform/http/request.ts';
import { authenticate, mayUse, type VerifyToken } from '../../shared/platform/http/tokens.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import type { ConsoleSite } from '../console/console-site.ts';
import type { SampleDoor } from '../console/sample.ts';
import { compressed } from './compression.ts';
import type { Documentation } from './documentation.ts';
import type { LocalFunctions } from './functions.ts';
import { gatewayEvent, match, readBody } from './request.ts';

type Answer = { statusCode: number; headers?: Record<string, unknown> | undefined; body: string | Buffer };
type Accepted = { route: Route; event: APIGatewayProxyEvent };

type Gateway = {
  /** @throws ServiceError for a request that a page of another site makes */
  assertOwn: (request: IncomingMessage) => void;
  functions: LocalFunctions;
  verify: VerifyToken;
  documentation: Documentation;
  console: ConsoleSite;
  sample: SampleDoor;
  /** Answers requests to upload addresses. */
  takeUpload: (request: IncomingMessage, url: URL) => Promise<Answer | undefined>;
};

/** Does the work of API Gateway: routing, authorization, the proxy event, its own errors. */
export const gateway = ({
  assertOwn,
  functions,
  verify,
  documentation,
  console,
  sample,
  takeUpload,
}: Gateway): RequestListener => {
  const accept = async (request: IncomingMessage, url: URL, requestId: string): Promise<Accepted> => {
    const found = match(request.method ?? 'GET', url.pathname);
    const { route } = found;
    const principal = await authenticate(request.headers.authorization, verify);
    if (!mayUse(principal, route)) {
      throw new ServiceError('FORBIDDEN', `the access token lacks the scope ${route.scope}`);
    }
    const limit = route.bodyLimit ?? usualBodyLimit;
    const body = await readBody(request, limit);
    assertSize(body?.length ?? limit + 1, limit);
    const event = gatewayEvent({ request, url, body: body as Buffer, match: found, principal, requestId });
    return { route, event };
  };

  const invoke = async (
    request: IncomingMessage,
    response: ServerResponse,
    { route, event }: Accepted,
  ): Promise<void> => {
    const context = { awsRequestId: event.requestContext.requestId } as Context;
    const toFile = functions.file.get(route.id);
    if (toFile !== undefined) {
      return toFile(event, response, { ...context, signal: goneSignal(response) });
    }
    const toJson = functions.json.get(route.id);
    if (toJson === undefined) throw new Error(`no function for ${route.id}`);
    await send(request, response, await toJson(event, context));
  };

  const partOfPage = async (request: IncomingMessage, { pathname }: URL) =>
    asksForPage(request) && console.owns(pathname)
      ? console.answerTo(pathname, request.headers['accept-encoding'])
      : undefined;

  /**
   * A browser that opens an unknown address outside the API gets the console, which says that the
   * page was not found.
   */
  const unknownPage = async (request: IncomingMessage, { pathname }: URL, error: unknown) => {
    const isUnknown = error instanceof ServiceError && error.code === 'notFound';
    const isOpened = asksForPage(request) && request.headers.accept?.includes('text/html');
    if (!isUnknown || !isOpened || pathname.startsWith('/api/')) return undefined;
    const page = await console.answerTo('/', request.headers['accept-encoding']);
    return page && { ...page, statusCode: 404 };
  };

  return async (request, response) => {
    const requestId = randomUUID();
    response.setHeader('x-request-id', requestId);
    const url = urlOf(request);
    try {
      assertOwn(request);
      const page = asksForPage(request) ? documentation.get(url.pathname) : undefined;
      if (page !== undefined) return await send(request, response, page);
      const local =
        (await partOfPage(request, url)) ??
        (await sample(request, url.pathname, requestId)) ??
        (await takeUpload(request, url));
      if (local !== undefined) return await send(request, response, local);
      await invoke(request, response, await accept(request, url, requestId));
    } catch (error) {
      // After the first byte of a file the status cannot change any more, so the client sees a
      // broken connection.
      if (response.headersSent) response.destroy();
      else
        await send(request, response, (await unknownPage(request, url, error)) ?? answerTo(error, requestId));
    }
    // The connection can be used again only when the rest of the request was read.
    request.resume();
  };
};

/** `HEAD` is answered like `GET`; Node omits the body. */
const asksForPage = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';

/** Aborts when the client disconnects before its answer is complete. */
const goneSignal = (response: ServerResponse): AbortSignal => {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
};

/** The request target may be a path, a whole URL (from a proxy) or an asterisk. */
const urlOf = ({ url = '/' }: IncomingMessage): URL => {
  const whole = url.startsWith('/') ? `http://localhost${url}` : url;
  return URL.canParse(whole) ? new URL(whole) : new URL('http://localhost/');
};

const send = async (request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> => {
  const { statusCode, headers, body } = await compressed(answer, request.headers['accept-encoding']);
  response.writeHead(statusCode, {
    ...(headers as Record<string, string>),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
};
