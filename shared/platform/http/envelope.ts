import {
  errorCodeHeader,
  retryAfterHeader,
  retryAfterSeconds,
  statusOf,
  taskCountHeader,
  taskIdsHeader,
  wordOfStatus,
} from '../api/index.ts';
import {
  DataSourceInUse,
  type ErrorWord,
  type FieldError,
  MethodNotAllowed,
  type ServiceError,
} from '../rules/index.ts';
import { corsHeaders, transportHeaders } from './common-headers.ts';

/** An answer as it is stored. The body has only code, message and data; the word becomes a header. */
export type Envelope = {
  code: number;
  message: string;
  data: unknown;
  word?: ErrorWord;
  headers?: Record<string, string>;
  /** Not stored under a request key: a repeat is carried out again. */
  isPassing?: true;
};

export type Answered = { envelope: Envelope; replayed: boolean };

/** What a handler answers if its answer has headers of its own. */
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

const errorHeaders = ({ code, word = wordOfStatus(code) }: Envelope): Record<string, string> => {
  if (code === 0) return {};
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
