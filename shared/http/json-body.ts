import type { APIGatewayProxyEvent } from 'aws-lambda';
import { invalid, ServiceError } from '../domain/errors.ts';

export const bodyBytes = ({
  body,
  isBase64Encoded,
}: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

const kilobyte = 1024;

/** @throws ServiceError tooLarge */
export const assertSize = (bytes: number, limit: number): void => {
  if (bytes > limit) {
    throw new ServiceError('tooLarge', `the request body exceeds ${Math.floor(limit / kilobyte)} KB`);
  }
};

/** Half of a surrogate pair, written as an escape, cannot be stored: UTF-8 has no form for it. */
const mayHoldSurrogates = /\\u[dD][89a-fA-F]/;

const wellFormed = (key: string, value: unknown): unknown => {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw invalid(key.toWellFormed() || 'body', 'holds half of a surrogate pair', 'BAD_TEXT');
  }
  return value;
};

const parsed = (text: string): unknown => {
  try {
    return mayHoldSurrogates.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalid('body', 'is not valid JSON', 'BAD_JSON');
  }
};

/** The body as an object; an absent one is empty. @throws ServiceError invalid, tooLarge */
export const jsonBody = (
  event: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>,
  limit: number,
): unknown => {
  const bytes = bodyBytes(event);
  assertSize(bytes.length, limit);
  const text = decoded(bytes).trim();
  const body = text === '' ? {} : parsed(text);
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
