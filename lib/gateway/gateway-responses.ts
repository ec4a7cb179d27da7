import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  errorCodeHeader,
  retryAfterHeader,
  retryAfterSeconds,
  transportHeader,
  transportSecurity,
} from '../../shared/api/answer-headers.ts';
import { statusOf, statusOfWord } from '../../shared/api/status.ts';
import type { ErrorWord, FieldError } from '../../shared/domain/errors.ts';
import { corsHeaders } from './cors.ts';

type Answer = { word: ErrorWord; message: string };

const notFound: Answer = { word: 'PATH_NOT_FOUND', message: 'the path does not exist' };
const badRequest: Answer = { word: 'INVALID', message: 'the request is not valid' };
const forbidden: Answer = { word: 'FORBIDDEN', message: "the access token lacks the route's scope" };
const tooBusy: Answer = { word: 'TOO_MANY_REQUESTS', message: 'too many requests; retry later' };
const internal: Answer = { word: 'INTERNAL', message: 'internal error (request $context.requestId)' };

/** Everything that API Gateway answers itself. Types that are not listed get one of the two defaults. */
const answers: readonly [ResponseType, Answer][] = [
  [
    ResponseType.UNAUTHORIZED,
    {
      word: 'UNAUTHENTICATED',
      message: 'the access token is missing, malformed, expired or not signed by the issuer',
    },
  ],
  [ResponseType.ACCESS_DENIED, forbidden],
  [ResponseType.WAF_FILTERED, forbidden],
  [ResponseType.INVALID_API_KEY, forbidden],
  // For a path that we do not have, API Gateway expects a request signed with AWS keys.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  // Only the answers to a wrong method depend on the media type.
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    { word: 'METHOD_NOT_ALLOWED', message: 'the method is not allowed here' },
  ],
  [
    ResponseType.REQUEST_TOO_LARGE,
    {
      word: 'TOO_LARGE',
      message: 'the request is too large; a contact file above 4 MB goes through contact/importUpload',
    },
  ],
  [ResponseType.THROTTLED, tooBusy],
  [ResponseType.QUOTA_EXCEEDED, tooBusy],
  [ResponseType.BAD_REQUEST_BODY, badRequest],
  [ResponseType.BAD_REQUEST_PARAMETERS, badRequest],
  [ResponseType.DEFAULT_4XX, badRequest],
  [
    ResponseType.INTEGRATION_TIMEOUT,
    { word: 'TIMEOUT', message: 'no answer in time (request $context.requestId)' },
  ],
  [ResponseType.DEFAULT_5XX, internal],
];

/** Types with a status of their own: with the default answer, their status and code would differ. */
const otherFailures = [
  ResponseType.INTEGRATION_FAILURE,
  ResponseType.AUTHORIZER_FAILURE,
  ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
  ResponseType.API_CONFIGURATION_ERROR,
];

/** As the functions answer: a 400 names a field. */
const dataOf = ({ word, message }: Answer) =>
  word === 'INVALID'
    ? { errors: [{ field: 'request', code: 'NOT_VALID', message } satisfies FieldError] }
    : null;

export const envelopeOf = (answer: Answer): string =>
  JSON.stringify({ code: statusOfWord(answer.word), message: answer.message, data: dataOf(answer) });

/** The headers of an error that no function answers, as API Gateway's static values. */
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

export const addGatewayResponses = (api: RestApi, corsOrigin: string | undefined): void => {
  const all = [...answers, ...otherFailures.map((type) => [type, internal] as const)];
  for (const [type, answer] of all) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(statusOfWord(answer.word)),
      responseHeaders: errorHeadersOf(answer.word, corsOrigin),
      templates: { 'application/json': envelopeOf(answer) },
    });
  }
};
