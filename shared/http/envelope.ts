import { internalError, statusOf } from '../api/status.ts';
import type { FieldError, ServiceError } from '../domain/errors.ts';
import { corsHeaders } from './cors.ts';

export type Envelope = { code: number; message: string; data: unknown };

export const success = (data: unknown): Envelope => ({ code: 0, message: 'success', data });

/** A 400 always names a field; `request` where the error concerns the whole request. */
const fieldErrors = ({ code, message, errors }: ServiceError): FieldError[] =>
  code === 'invalid' && errors.length === 0 ? [{ field: 'request', code: 'NOT_VALID', message }] : errors;

const errorData = (errors: FieldError[]) => (errors.length === 0 ? null : { errors });

export const failure = (error: ServiceError): Envelope => ({
  code: statusOf[error.code],
  message: error.message,
  data: errorData(fieldErrors(error)),
});

export const internalFailure = (requestId: string): Envelope => ({
  code: internalError,
  message: `internal error (request ${requestId})`,
  data: null,
});

const httpOk = 200;
/** How to authenticate; every 401 says it. */
export const challenge = { 'www-authenticate': 'Bearer' };

export const responseOf = (envelope: Envelope, requestId: string, headers: Record<string, string> = {}) => ({
  statusCode: envelope.code === 0 ? httpOk : envelope.code,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
    'cache-control': 'no-store',
    ...corsHeaders(),
    ...headers,
  },
  body: JSON.stringify(envelope),
});
