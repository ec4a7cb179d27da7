import {
  AuthorizationType,
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { statusOf } from '../../shared/api/status.ts';
import { acceptFindings } from '../accepted-findings.ts';
import { preflightHeaders } from './cors.ts';
import { envelopeOf, errorHeadersOf } from './gateway-responses.ts';

/** A mock selects its answer by the media type of the request. An unlisted type is answered 405 by a gateway response. */
const mediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
  'text/csv',
];

const withPrefix = (prefix: string, headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${prefix}${name}`, value]));

type Constant = { statusCode: string; body: string; headers: Record<string, string> };

const preflightStatus = '204';

/** Answers `usual` to every method, and `preflight`, if given, to OPTIONS. Needs neither a token nor a function. */
const addConstant = (resource: IResource, usual: Constant, preflight?: Constant) => {
  const request =
    preflight === undefined
      ? statusIn(usual)
      : `#if($context.httpMethod == "OPTIONS")${statusIn(preflight)}#else${statusIn(usual)}#end`;
  const answers = [usual, ...(preflight === undefined ? [] : [preflight])];
  const added = resource.addMethod(
    'ANY',
    new MockIntegration({
      requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, request])),
      passthroughBehavior: PassthroughBehavior.NEVER,
      contentHandling: ContentHandling.CONVERT_TO_TEXT,
      integrationResponses: answers.map((answer) => ({
        statusCode: answer.statusCode,
        // The answer without a pattern is the default.
        ...(answer === preflight ? { selectionPattern: preflightStatus } : {}),
        responseTemplates: { 'application/json': answer.body },
        responseParameters: withPrefix('method.response.header.', answer.headers),
      })),
    }),
    {
      authorizationType: AuthorizationType.NONE,
      methodResponses: answers.map(({ statusCode, headers }) => ({
        statusCode,
        responseParameters: Object.fromEntries(
          Object.keys(headers).map((name) => [`method.response.header.${name}`, true]),
        ),
      })),
    },
  );
  acceptFindings(added, {
    'AwsSolutions-APIG4': 'A constant answer that holds no data',
    'AwsSolutions-COG4': 'A constant answer that holds no data',
  });
};

const statusIn = ({ statusCode }: Constant) => `{"statusCode": ${statusCode}}`;

export const addNotFound = (resource: IResource, corsOrigin: string | undefined): void =>
  addConstant(resource, {
    statusCode: String(statusOf.notFound),
    body: envelopeOf({ word: 'PATH_NOT_FOUND', message: 'the path does not exist' }),
    headers: errorHeadersOf('PATH_NOT_FOUND', corsOrigin),
  });

/** OPTIONS is a browser's preflight if pages of another origin may call the API. Otherwise it is not allowed. */
export const addMethodNotAllowed = (
  resource: IResource,
  methods: readonly string[],
  corsOrigin: string | undefined,
): void =>
  addConstant(
    resource,
    {
      statusCode: String(statusOf.notAllowed),
      body: envelopeOf({
        word: 'METHOD_NOT_ALLOWED',
        message: `the method is not allowed here; use ${methods.join(', ')}`,
      }),
      headers: { ...errorHeadersOf('METHOD_NOT_ALLOWED', corsOrigin), Allow: `'${methods.join(', ')}'` },
    },
    corsOrigin === undefined
      ? undefined
      : { statusCode: preflightStatus, body: '', headers: preflightHeaders(corsOrigin, methods) },
  );
