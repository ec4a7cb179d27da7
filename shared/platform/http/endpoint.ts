import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Answer, Unknown } from '../api/answers.ts';
import { type Route, usualBodyLimit, type Validators } from '../api/route.ts';
import { describeError, log } from '../observability/log.ts';
import type { RequestKey } from '../requests/effects.ts';
import { notFound, ServiceError } from '../rules/errors.ts';
import { isBuiltIn, isId } from '../rules/names.ts';
import { secondMs } from '../time/time.ts';
import {
  type Answered,
  type Envelope,
  failure,
  internalFailure,
  responseOf,
  type WithHeaders,
} from './envelope.ts';
import { answerRepeatable, type EndpointContext, replayedHeader } from './repeatable.ts';
import { callerOf, type EndpointEvent, jsonBody } from './request.ts';
import { assertBody, assertQueryNames } from './unknown-names.ts';
import { assertValid, coerced } from './validation.ts';

type InputPart<R, P extends string> = R extends { readonly [K in P]: infer S extends JSONSchema }
  ? FromSchema<S>
  : Record<string, never>;

export type Input<R> = {
  params: InputPart<R, 'params'>;
  query: InputPart<R, 'query'>;
  body: InputPart<R, 'body'>;
};

type AnswerTo<R> = R extends { readonly response: { readonly data: infer S } } ? Answer<S> : never;

/** A name that the answer has and its schema lacks is an error where the route is given. */
type Has<R, A> = [Unknown<A, AnswerTo<R>>] extends [never]
  ? unknown
  : { answerHasNo: Unknown<A, AnswerTo<R>> };

/** What a handler gets: the checked request, who sent it, and its key if it has one. */
export type EndpointRequest<R> = Input<R> & { caller: string; requestKey: RequestKey | undefined };

/**
 * An id that cannot exist is not found, and must not reach a key of the table. Ids of contacts and
 * calls have a pattern of their own. Only checked parts of them reach a key.
 * @throws ServiceError notFound
 */
const assertIds = (
  { path }: Route,
  { contactId: _, callId: __, ...params }: Record<string, string | undefined>,
) => {
  const [, , resource = ''] = path.split('/');
  const owner = resource === 'task' || resource === 'webhook' ? resource : 'data source';
  for (const [name, id = ''] of Object.entries(params)) {
    if (!isId(id) && !isBuiltIn(id)) throw notFound(name === 'importId' ? 'import' : owner);
  }
};

/**
 * The checked parts of a request, with defaults filled in.
 * @throws ServiceError invalid, tooLarge, notFound
 */
export const inputOf = async <R extends Route>(
  route: R,
  checks: Validators,
  event: EndpointEvent,
): Promise<Input<R>> => {
  const params = event.pathParameters ?? {};
  const query = coerced(
    route.query as { properties?: Record<string, unknown> } | undefined,
    event.queryStringParameters ?? {},
  );
  const body = route.body === undefined ? {} : await jsonBody(event, route.bodyLimit ?? usualBodyLimit);
  assertValid(checks.params, params, 'path');
  assertQueryNames(route, event);
  assertValid(checks.query, query, 'query');
  assertBody(route, checks.body, body);
  assertIds(route, params);
  return { params, query, body } as Input<R>;
};

/** The answer to a failure. A failure of the service is logged in full. */
export const envelopeOf = (error: unknown, requestId: string): Envelope => {
  if (error instanceof ServiceError) return failure(error);
  log.error('request failed', { requestId, error: describeError(error) });
  return internalFailure(requestId);
};

export const answerTo = (error: unknown, requestId: string) =>
  responseOf(envelopeOf(error, requestId), requestId);

export type Timed = { begun: number };
type Middleware = middy.MiddlewareObj<EndpointEvent, APIGatewayProxyResult, Error, Context, Timed>;
type Request = middy.Request<EndpointEvent, APIGatewayProxyResult, Error, Context, Timed>;

/** Writes one log line for each request: client, route, status, and nothing of what was sent. */
export const logged = (route: Route): Middleware => {
  const line = ({ event, response, internal }: Request) =>
    log.info('request', {
      route: route.id,
      requestId: event.requestContext.requestId,
      client: event.requestContext.authorizer?.principalId,
      caller: callerOf(event),
      source: event.requestContext.identity?.sourceIp,
      status: response?.statusCode,
      milliseconds: Math.round(performance.now() - internal.begun),
    });
  return {
    before: ({ internal }) => {
      internal.begun = performance.now();
    },
    after: line,
    onError: line,
  };
};

export const answered = {
  after: (request) => {
    const { envelope, replayed } = request.response as unknown as Answered;
    const { requestId } = request.event.requestContext;
    request.response = responseOf(envelope, requestId, replayed ? replayedHeader : {});
  },
  onError: (request) => {
    request.response = answerTo(request.error, request.event.requestContext.requestId);
  },
} satisfies Middleware;

/**
 * Refuses an expired token. API Gateway caches the authorizer's answer for five minutes, so the
 * token may have expired since.
 */
export const live = {
  before: ({ event }) => {
    const expires = Number(event.requestContext.authorizer?.expires ?? 0);
    if (expires > 0 && expires * secondMs <= Date.now())
      throw new ServiceError('UNAUTHENTICATED', 'the access token has expired');
  },
} satisfies Middleware;

/**
 * A JSON endpoint: checks the request against its route, puts the answer in the envelope, maps
 * errors to a status.
 */
export const endpoint = <R extends Route, A extends AnswerTo<R>>(
  route: R & Has<R, A>,
  checks: Validators,
  handle: (request: EndpointRequest<R>, event: EndpointEvent) => Promise<A | WithHeaders<A>>,
) =>
  middy<EndpointEvent, APIGatewayProxyResult, Error, EndpointContext, Timed>()
    .use(logged(route))
    .use(answered)
    .use(live)
    .handler(((event: EndpointEvent, context: EndpointContext) =>
      answerRepeatable(route, event, context, async (requestKey) => {
        const input = await inputOf(route, checks, event);
        return handle({ ...input, caller: callerOf(event), requestKey }, event);
      })) as never);
