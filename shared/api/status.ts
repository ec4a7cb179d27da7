import type { ErrorCode } from '../domain/errors.ts';

/** The HTTP status of each error, which is also the envelope's code. */
export const statusOf = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  notAllowed: 405,
  conflict: 409,
  tooLarge: 413,
  unprocessable: 422,
  tooBusy: 429,
} as const satisfies Record<ErrorCode, number>;

export const internalError = 500;
