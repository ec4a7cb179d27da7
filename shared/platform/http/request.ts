import { createHash } from 'node:crypto';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Scope } from '../api/route.ts';
import { invalid, ServiceError } from '../rules/errors.ts';
import type { Instant } from '../time/time.ts';

export type EndpointEvent = APIGatewayProxyEvent;

/** The name that the authorizer found in the token. */
export const callerOf = ({ requestContext: { authorizer } }: EndpointEvent): string =>
  String(authorizer?.caller ?? authorizer?.principalId ?? 'unknown');

/** Whether the token has a further scope than that of the route. */
export const hasScope = ({ requestContext: { authorizer } }: EndpointEvent, scope: Scope): boolean =>
  String(authorizer?.scope ?? '')
    .split(' ')
    .includes(scope);

/** `name` is in lower case. Clients send header names in any case. */
export const headerOf = ({ headers }: { headers: Record<string, string | undefined> }, name: string) =>
  Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];

export const bodyBytes = ({
  body,
  isBase64Encoded,
}: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

const kilobyte = 1024;

/** @throws ServiceError tooLarge */
export const assertSize = (bytes: number, limit: number): void => {
  if (bytes > limit) {
    throw new ServiceError('TOO_LARGE', `the request body exceeds ${Math.floor(limit / kilobyte)} KB`);
  }
};

/** An escaped half of a surrogate pair cannot be stored: UTF-8 cannot encode it. */
const mayHoldSurrogates = /\\u[dD][89a-fA-F]/;

/** A body is parsed as JSON whatever its content type. */
const anyHeader = { 'content-type': 'application/json' };

const firstBroken = (key: string, value: unknown): string | undefined =>
  key.isWellFormed() && (typeof value !== 'string' || value.isWellFormed())
    ? undefined
    : key.toWellFormed() || 'body';

/** middy's parser throws one 415 for every fault, so the reviver notes what it finds. */
const parsed = async (text: string): Promise<unknown> => {
  let broken: string | undefined;
  const reviver = (key: string, value: unknown) => {
    broken ??= firstBroken(key, value);
    return value;
  };
  const { before } = jsonBodyParser(mayHoldSurrogates.test(text) ? { reviver } : {});
  const event = { body: text as unknown, headers: anyHeader };
  try {
    await before?.({ event } as never);
  } catch {
    throw invalid('body', 'is not valid JSON', 'BAD_JSON');
  }
  if (broken !== undefined) throw invalid(broken, 'holds half of a surrogate pair', 'BAD_TEXT');
  return event.body;
};

/**
 * The body as an object; an absent body is an empty object.
 * @throws ServiceError invalid, tooLarge
 */
export const jsonBody = async (
  event: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>,
  limit: number,
): Promise<unknown> => {
  const bytes = bodyBytes(event);
  assertSize(bytes.length, limit);
  const text = decoded(bytes).trim();
  const body = text === '' ? {} : await parsed(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('body', 'must be a JSON object', 'BAD_JSON');
  }
  return body;
};

const decoded = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('body', 'is not UTF-8', 'BAD_JSON');
  }
};

/** What a page token belongs to: the task and its filter. */
type List = readonly string[];

const markLength = 6;
const markOf = (list: List) =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, markLength);

/** The token of the first page of any list. */
const firstPage = '0';

/** A token for the next page: where it begins, with a hash of its list. It needs no encoding. */
export const pageToken = (list: List, start: string | null): string | null =>
  start === null ? null : `${markOf(list)}${Buffer.from(start).toString('base64url')}`;

/**
 * Where the page of a token begins.
 * @returns undefined for the first page
 * @throws ServiceError invalid for the token of another list
 */
export const pageStart = (list: List, token: string | undefined): string | undefined => {
  if (token === undefined || token === firstPage) return undefined;
  const start = Buffer.from(token.slice(markLength), 'base64url').toString();
  // Release 0.4 did not encode the start. Its tokens are refused too.
  if (token !== pageToken(list, start)) {
    throw invalid('pageToken', 'is not the token of a page of this list', 'UNKNOWN');
  }
  return start;
};

/** The number of rows before a page. */
export const offsetOf = ({ pageNum, pageSize }: { pageNum: number; pageSize: number }): number =>
  (pageNum - 1) * pageSize;

/** The instant that a field names. @throws ServiceError invalid if there is no such date or time */
export const timeIn = (
  field: string,
  text: string | undefined,
  parseTime: (text: string) => Instant | undefined,
): Instant | undefined => {
  const time = text === undefined ? undefined : parseTime(text);
  if (text !== undefined && time === undefined) throw invalid(field, `${text} is not a date and time`);
  return time;
};
