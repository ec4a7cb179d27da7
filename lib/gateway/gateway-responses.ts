import type { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import {
  errorCodeHeader,
  exposedHeaders,
  retryAfterHeader,
  retryAfterSeconds,
  statusOf,
  statusOfWord,
  transportHeader,
  transportSecurity,
} from '../../shared/platform/api/answers.ts';
import type { ErrorWord, FieldError } from '../../shared/platform/rules/errors.ts';

type Answer = { word: ErrorWord; message: string };
type AnswerType = Exclude<keyof typeof ResponseType, 'of' | 'prototype'>;

export const notFound: Answer = { word: 'PATH_NOT_FOUND', message: 'the path does not exist' };
const badRequest: Answer = { word: 'INVALID', message: 'the request is not valid' };
const forbidden: Answer = { word: 'FORBIDDEN', message: "the access token lacks the route's scope" };
const filtered: Answer = {
  word: 'FIREWALL_REFUSED',
  message: 'the firewall refused the request: one of its rules matches, or too many come from this address',
};
const tooBusy: Answer = { word: 'TOO_MANY_REQUESTS', message: 'too many requests; retry later' };
const internal: Answer = { word: 'INTERNAL', message: 'internal error (request $context.requestId)' };

/** Everything that API Gateway answers itself. Other types get one of the two defaults. */
const answers: Readonly<Partial<Record<AnswerType, Answer>>> = {
  UNAUTHORIZED: {
    word: 'UNAUTHENTICATED',
    message: 'the access token is missing, malformed, expired or not signed by the issuer',
  },
  ACCESS_DENIED: forbidden,
  WAF_FILTERED: filtered,
  INVALID_API_KEY: forbidden,
  // API Gateway expects a request for an unknown path to be signed with AWS keys.
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  EXPIRED_TOKEN: notFound,
  RESOURCE_NOT_FOUND: notFound,
  // Only the answer to an unknown path depends on the media type.
  UNSUPPORTED_MEDIA_TYPE: notFound,
  REQUEST_TOO_LARGE: {
    word: 'TOO_LARGE',
    message: 'the request is too large; a contact file above 4 MB goes through contact/importUpload',
  },
  THROTTLED: tooBusy,
  QUOTA_EXCEEDED: tooBusy,
  BAD_REQUEST_BODY: badRequest,
  BAD_REQUEST_PARAMETERS: badRequest,
  DEFAULT_4XX: badRequest,
  INTEGRATION_TIMEOUT: { word: 'TIMEOUT', message: 'no answer in time (request $context.requestId)' },
  DEFAULT_5XX: internal,
  // Types with a status of their own: with the default answer, their status and code would differ.
  INTEGRATION_FAILURE: internal,
  AUTHORIZER_FAILURE: internal,
  AUTHORIZER_CONFIGURATION_ERROR: internal,
  API_CONFIGURATION_ERROR: internal,
};

/** Like the answers of functions: a 400 names a field. */
const dataOf = ({ word, message }: Answer) =>
  word === 'INVALID'
    ? { errors: [{ field: 'request', code: 'NOT_VALID', message } satisfies FieldError] }
    : null;

export const envelopeOf = (answer: Answer): string =>
  JSON.stringify({ code: statusOfWord(answer.word), message: answer.message, data: dataOf(answer) });

/** Lets a page of the origin read an answer. */
const corsHeaders = (origin: string | undefined): Record<string, string> =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': `'${origin}'`,
        'Access-Control-Expose-Headers': `'${exposedHeaders}'`,
        Vary: "'Origin'",
      };

/** The headers of an error that no function answers, as static values of API Gateway. */
export const errorHeadersOf = (word: ErrorWord, corsOrigin: string | undefined): Record<string, string> => {
  const status = statusOfWord(word);
  return {
    'Content-Type': "'application/json; charset=utf-8'",
    'x-request-id': 'context.requestId',
    'Cache-Control': "'no-store'",
    [transportHeader]: `'${transportSecurity}'`,
    [errorCodeHeader]: `'${word}'`,
    ...(status === statusOf.unauthorized ? { 'WWW-Authenticate': "'Bearer'" } : {}),
    ...(status === statusOf.tooBusy ? { [retryAfterHeader]: `'${retryAfterSeconds}'` } : {}),
    ...corsHeaders(corsOrigin),
  };
};

export const withPrefix = (prefix: string, headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}${name}`, value]));

export const gatewayResponses = (corsOrigin: string | undefined) =>
  Object.fromEntries(
    Object.entries(answers).map(([type, answer]) => [
      type,
      {
        statusCode: String(statusOfWord(answer.word)),
        responseParameters: withPrefix('gatewayresponse.header.', errorHeadersOf(answer.word, corsOrigin)),
        responseTemplates: { 'application/json': envelopeOf(answer) },
      },
    ]),
  );
