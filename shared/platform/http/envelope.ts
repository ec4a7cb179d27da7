import {
  errorCodeHeader,
  exposedHeaders,
  retryAfterHeader,
  retryAfterSeconds,
  statusOf,
  taskCountHeader,
  taskIdsHeader,
  transportHeader,
  transportSecurity,
} from '../api/answers.ts';
import {
  DataSourceInUse,
  type ErrorWord,
  type FieldError,
  MethodNotAllowed,
  type ServiceError,
} from '../rules/errors.ts';
import { setting } from '../settings/settings.ts';

/** Allows pages of the configured origin to read an answer, as API Gateway does in its own. */
export const corsHeaders = (): Record<string, string> => {
  const origin = setting('CORS_ORIGIN');
  if (origin === '') return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    vary: 'Origin',
  };
};

/** Only on Lambda. Locally a browser would apply the rule to every port of the machine. */
export const transportHeaders = (): Record<string, string> =>
  process.env.AWS_LAMBDA_FUNCTION_NAME === undefined ? {} : { [transportHeader]: transportSecurity };

const preflightSeconds = 3600;

/**
 * Permits pages of the configured origin to send requests to a path.
 * @returns undefined if no origin is configured
 */
export const preflightHeaders = (methods: readonly string[]): Record<string, string> | undefined => {
  if (setting('CORS_ORIGIN') === '') return undefined;
  return {
    ...transportHeaders(),
    ...corsHeaders(),
    'access-control-allow-methods': methods.join(','),
    'access-control-allow-headers': 'authorization,content-type,idempotency-key',
    'access-control-max-age': String(preflightSeconds),
  };
};

/** An answer as it is stored: code, message and data. The word of an error becomes a header. */
export type Envelope = {
  code: number;
  message: string;
  data: unknown;
  word?: ErrorWord;
  headers?: Record<string, string>;
  /** The answer is not stored under a request key. A repeat is carried out again. */
  isPassing?: true;
};

export type Answered = { envelope: Envelope; replayed: boolean };

/** The answer of a handler that sets headers of its own. */
export class WithHeaders<D = unknown> {
  readonly data: D;
  readonly headers: Record<string, string>;
  readonly isStored: boolean;

  /** @param isStored whether a repeat of the request gets this answer */
  constructor(data: D, headers: Record<string, string>, isStored = true) {
    this.data = data;
    this.headers = headers;
    this.isStored = isStored;
  }
}

export const success = (answer: unknown): Envelope => {
  if (!(answer instanceof WithHeaders)) return { code: 0, message: 'success', data: answer };
  const { data, headers, isStored } = answer;
  return { code: 0, message: 'success', data, headers, ...(!isStored && { isPassing: true }) };
};

/** A 400 always names a field; `request` where the error concerns the whole request. */
const fieldErrors = ({ code, message, errors }: ServiceError): FieldError[] =>
  code === 'invalid' && errors.length === 0 ? [{ field: 'request', code: 'NOT_VALID', message }] : errors;

const errorData = (errors: FieldError[]) => (errors.length === 0 ? null : { errors });

const taskHeaders = ({ taskIds, taskCount }: DataSourceInUse) => ({
  [taskIdsHeader]: taskIds.join(','),
  [taskCountHeader]: String(taskCount),
});

export const failure = (error: ServiceError): Envelope => ({
  code: statusOf[error.code],
  message: error.message,
  data: errorData(fieldErrors(error)),
  word: error.word,
  ...(error instanceof DataSourceInUse ? { headers: taskHeaders(error) } : {}),
  ...(error instanceof MethodNotAllowed ? { headers: { allow: error.methods } } : {}),
});

export const internalFailure = (requestId: string): Envelope => ({
  code: statusOf.internal,
  message: `internal error (request ${requestId})`,
  data: null,
  word: 'INTERNAL',
});

const httpOk = 200;

const errorHeaders = ({ code, word }: Envelope): Record<string, string> => {
  if (word === undefined) return {};
  return {
    [errorCodeHeader]: word,
    ...(code === statusOf.unauthorized ? { 'www-authenticate': 'Bearer' } : {}),
    ...(code === statusOf.tooBusy ? { [retryAfterHeader]: retryAfterSeconds } : {}),
  };
};

export const responseOf = (envelope: Envelope, requestId: string, headers: Record<string, string> = {}) => {
  const { code, message, data } = envelope;
  return {
    statusCode: code === 0 ? httpOk : code,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': requestId,
      'cache-control': 'no-store',
      ...errorHeaders(envelope),
      ...transportHeaders(),
      ...corsHeaders(),
      ...envelope.headers,
      ...headers,
    },
    body: JSON.stringify({ code, message, data }),
  };
};
