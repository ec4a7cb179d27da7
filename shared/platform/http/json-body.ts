import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalid, ServiceError } from '../rules/index.ts';

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

/** middy's parser throws the same 415 for every fault, so the reviver notes what it finds in a variable. */
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

/** The body as an object; an absent body is an empty object. @throws ServiceError invalid, tooLarge */
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
