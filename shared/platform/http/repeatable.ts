import { createHash, randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import { type Route, usualResources } from '../api/route.ts';
import type { RequestKey } from '../requests/effects.ts';
import type { StoredAnswer, StoredAnswers } from '../requests/stored-answers.ts';
import { invalid, ServiceError, saysLater } from '../rules/errors.ts';
import { idFrom } from '../rules/names.ts';
import { type Answered, type Envelope, failure, success } from './envelope.ts';
import { bodyBytes, callerOf, type EndpointEvent, headerOf } from './request.ts';

export const keyHeader = 'Idempotency-Key';
export const replayedHeader = { 'idempotent-replayed': 'true' };
const longestKey = 255;
const visible = /^[\x21-\x7e]+$/;
const storedSeconds = 24 * 60 * 60;

/** What the host gives an endpoint beside the event. */
export type EndpointContext = Context & { storedAnswers?: StoredAnswers };

/** An endpoint as its host calls it, with the stored answers in its context. */
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

/** The body between the delimiters of a form, found in the same way as by the parser of forms. */
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

/** Hash of the body, without the boundary of a form, which is new in each request. */
const bodyHash = (event: EndpointEvent): string => {
  const bytes = bodyBytes(event);
  const hash = createHash('sha256');
  const [, quoted, plain] = boundaryOf(headerOf(event, 'content-type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) hash.update(bytes);
  // The lengths show where each part ends.
  else for (const part of partsOf(bytes, boundary)) hash.update(`${part.length}\n`).update(part);
  // Hashed twice, as in release 0.4. A client may repeat a request of 0.4 after an update.
  return createHash('sha256')
    .update(JSON.stringify(hash.digest('base64url')))
    .digest('base64');
};

/** A thrown error is not stored. */
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

/** Bytes, of the 400 KB of an item. A larger answer is rebuilt from the effect record. */
const longestAnswer = 300 * 1024;

const storableText = (envelope: Envelope): string | undefined => {
  const text = JSON.stringify(envelope);
  return Buffer.byteLength(text) > longestAnswer ? undefined : text;
};

/**
 * The answer to an earlier request.
 * @returns undefined while the claim of that request is live
 * @throws ServiceError conflict, unprocessable
 */
const storedText = (found: StoredAnswer, body: string): string | undefined => {
  if (found.body !== body)
    throw new ServiceError('KEY_REUSED', `the ${keyHeader} was used for another request body`);
  if (found.status !== 'INPROGRESS') return found.answer;
  throw new ServiceError(
    'STILL_RUNNING',
    `the first request under this ${keyHeader} is still running; retry later`,
  );
};

/**
 * Answers a request. A request with a key is carried out once, however often it is sent.
 * @throws ServiceError invalid; conflict while the first request runs; unprocessable if the key was
 *   used for another body
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
  const answer = (isDone: boolean) => answerOf(() => handle({ id, now, expires, isDone }));
  const body = bodyHash(event);
  const owner = `${storedAnswers.process}${randomUUID()}`;
  const until = Date.now() + remainingMs(route, context);
  // A failure is ignored: the claim also expires by itself.
  const release = () => storedAnswers.release(id, owner).catch(() => {});
  const orRelease = <T>(work: Promise<T>): Promise<T> =>
    work.catch(async (error) => {
      await release();
      throw error;
    });
  const claim = { status: 'INPROGRESS', expires, until, body, owner } as const;
  // A claim whose write failed may be stored all the same.
  const found = await orRelease(storedAnswers.claim(id, claim, Date.now()));
  if (found !== undefined) {
    const text = storedText(found, body);
    return { envelope: text === undefined ? await answer(true) : JSON.parse(text), replayed: true };
  }
  const envelope = await orRelease(answer(false));
  const isStored = !envelope.isPassing && (envelope.code !== 0 || route.isAnsweredAnew !== true);
  const text = isStored ? storableText(envelope) : undefined;
  // If the answer cannot be stored, a repeat finds the effect record. It need not wait for the
  // claim.
  await storedAnswers.store(id, { status: 'COMPLETED', expires, answer: text }).catch(release);
  return { envelope, replayed: false };
};
