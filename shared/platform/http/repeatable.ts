import { createHash, randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { type Route, usualResources } from '../api/index.ts';
import type { RequestKey, StoredAnswers } from '../requests/index.ts';
import { idFrom, invalid, ServiceError, saysLater } from '../rules/index.ts';
import { type Answered, type Envelope, failure, success } from './envelope.ts';
import { callerOf, type EndpointEvent, headerOf } from './event.ts';
import { bodyBytes } from './json-body.ts';

export const keyHeader = 'Idempotency-Key';
export const replayedHeader = { 'idempotent-replayed': 'true' };
const longestKey = 255;
const visible = /^[\x21-\x7e]+$/;
const storedSeconds = 24 * 60 * 60;

/** What the host gives an endpoint beside the event. */
export type EndpointContext = Context & { storedAnswers?: StoredAnswers };

/** An endpoint as its host calls it: with the stored answers in its context. */
export const withStoredAnswers = <F extends (...args: never[]) => unknown>(
  endpoint: F,
  storedAnswers: StoredAnswers,
): F =>
  ((event: unknown, context: object) =>
    (endpoint as unknown as (...args: unknown[]) => unknown)(event, {
      ...context,
      storedAnswers,
    })) as never as F;

/** The Idempotency-Key; only a POST has one. @throws ServiceError invalid */
const keyOf = (event: EndpointEvent): string | undefined => {
  const key = headerOf(event, keyHeader.toLowerCase());
  if (key === undefined || event.httpMethod !== 'POST') return undefined;
  if (key.length > longestKey)
    throw invalid(keyHeader, `must have at most ${longestKey} characters`, 'TOO_LONG');
  if (!visible.test(key)) throw invalid(keyHeader, 'must be 1 to 255 visible ASCII characters', 'BAD_FORMAT');
  return key;
};

/** One id for the same key of the same caller at the same path. */
const idOf = (route: Route, event: EndpointEvent, key: string) => {
  const { requestContext, pathParameters } = event;
  const caller = [requestContext.authorizer?.principalId, callerOf(event)];
  const path = [
    route.path,
    ...Object.entries(pathParameters ?? {})
      .sort()
      .flat(),
  ];
  return idFrom(
    createHash('sha256')
      .update(JSON.stringify([caller, path, key]))
      .digest(),
  );
};

const boundaryOf = (contentType: string) => /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);

/** The body between the delimiters of a form, as the parser of forms finds them. */
const partsOf = (body: Buffer, boundary: string): Buffer[] => {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const first = delimiter.subarray(2);
  const parts: Buffer[] = [];
  let from = body.subarray(0, first.length).equals(first) ? first.length : 0;
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, from)) {
    parts.push(body.subarray(from, at));
    from = at + delimiter.length;
  }
  return [...parts, body.subarray(from)];
};

/** The same for the same body. The boundary of a form is excluded: clients make up a new one for each request. */
const bodyHash = (event: EndpointEvent): string => {
  const bytes = bodyBytes(event);
  const hash = createHash('sha256');
  const [, quoted, plain] = boundaryOf(headerOf(event, 'content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return hash.update(bytes).digest('base64url');
  // The lengths tell where each part ends.
  for (const part of partsOf(bytes, boundary)) hash.update(`${part.length}\n`).update(part);
  return hash.digest('base64url');
};

/** An error that is thrown on is not stored. */
const answerOf = async (handle: () => Promise<unknown>): Promise<Envelope> => {
  try {
    return success(await handle());
  } catch (error) {
    if (!(error instanceof ServiceError) || saysLater(error.word)) throw error;
    return failure(error);
  }
};

const remainingMs = ({ timeout = usualResources.timeout }: Route, context: EndpointContext) =>
  context.getRemainingTimeInMillis?.() ?? timeout * 1000;

/**
 * Answers a request. With a key it is carried out once, however often it is sent.
 * @throws ServiceError invalid; conflict while the first request runs; unprocessable when the key was used for another body
 */
export const answerRepeatable = async (
  route: Route,
  event: EndpointEvent,
  context: EndpointContext,
  handle: (requestKey: RequestKey | undefined) => Promise<unknown>,
): Promise<Answered> => {
  const key = keyOf(event);
  if (key === undefined) return { envelope: success(await handle(undefined)), replayed: false };
  const { storedAnswers } = context;
  if (storedAnswers === undefined) throw new Error('the host stores no answers');
  const id = idOf(route, event, key);
  const now = Math.ceil(Date.now() / 1000);
  const expires = now + storedSeconds;
  // Loaded on demand: most requests have no key, and the library is as large as an endpoint's own code.
  const { answerOnce } = await import('./answer-once.ts');
  const answered = await answerOnce(
    storedAnswers,
    { id, body: bodyHash(event), owner: `${storedAnswers.process}${randomUUID()}` },
    { storedSeconds, remainingMs: remainingMs(route, context) },
    (isDone) => answerOf(() => handle({ id, now, expires, isDone })),
    ({ code, isPassing }) => !isPassing && (code !== 0 || route.isAnsweredAnew !== true),
  );
  if (answered === 'running') {
    throw new ServiceError(
      'STILL_RUNNING',
      `the first request under this ${keyHeader} is still running; retry later`,
    );
  }
  if (answered === 'anotherBody') {
    throw new ServiceError('KEY_REUSED', `the ${keyHeader} was used for another request body`);
  }
  return answered;
};
