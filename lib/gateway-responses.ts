import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { FieldError } from '../shared/domain/errors.ts';
import { corsHeaders } from './cors.ts';

type Answer = { code: number; message: string; headers?: Record<string, string> };

const notFound: Answer = { code: 404, message: 'the path does not exist' };
const badRequest: Answer = { code: 400, message: 'the request is not valid' };
const forbidden: Answer = { code: 403, message: "the access token lacks the route's scope" };
const tooBusy: Answer = { code: 429, message: 'too many requests; retry later' };
const internal: Answer = { code: 500, message: 'internal error (request $context.requestId)' };

/** Everything API Gateway answers by itself. Types that have no answer here fall to the two defaults. */
const answers: readonly [ResponseType, Answer][] = [
  [
    ResponseType.UNAUTHORIZED,
    {
      code: 401,
      message: 'the access token is missing, malformed, expired or not signed by the issuer',
      headers: { 'WWW-Authenticate': "'Bearer'" },
    },
  ],
  [ResponseType.ACCESS_DENIED, forbidden],
  [ResponseType.WAF_FILTERED, forbidden],
  [ResponseType.INVALID_API_KEY, forbidden],
  // A path without a method of ours: API Gateway takes the request for one that AWS keys should sign.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, notFound],
  [ResponseType.INVALID_SIGNATURE, notFound],
  [ResponseType.EXPIRED_TOKEN, notFound],
  [ResponseType.RESOURCE_NOT_FOUND, notFound],
  // Only the answers to a wrong method look at the media type.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, { code: 405, message: 'the method is not allowed here' }],
  [
    ResponseType.REQUEST_TOO_LARGE,
    {
      code: 413,
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
    { code: 504, message: 'no answer in time (request $context.requestId)' },
  ],
  [ResponseType.DEFAULT_5XX, internal],
];

/** Types that come with a status of their own: left to the default, their status and code would differ. */
const otherFailures = [
  ResponseType.INTEGRATION_FAILURE,
  ResponseType.AUTHORIZER_FAILURE,
  ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
  ResponseType.API_CONFIGURATION_ERROR,
];

/** As the functions answer: a 400 names what it is about. */
const dataOf = ({ code, message }: Answer) =>
  code === badRequest.code
    ? { errors: [{ field: 'request', code: 'NOT_VALID', message } satisfies FieldError] }
    : null;

export const envelopeOf = (answer: Answer): string =>
  JSON.stringify({ code: answer.code, message: answer.message, data: dataOf(answer) });

export const addGatewayResponses = (api: RestApi, corsOrigin: string | undefined): void => {
  const all = [...answers, ...otherFailures.map((type) => [type, internal] as const)];
  for (const [type, answer] of all) {
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(answer.code),
      responseHeaders: {
        'Content-Type': "'application/json; charset=utf-8'",
        'x-request-id': 'context.requestId',
        'Cache-Control': "'no-store'",
        ...answer.headers,
        ...corsHeaders(corsOrigin),
      },
      templates: { 'application/json': envelopeOf(answer) },
    });
  }
};
