import {
  AuthorizationType,
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { statusOf } from '../shared/api/status.ts';
import { acceptFindings } from './accepted-findings.ts';
import { preflightHeaders } from './cors.ts';
import { envelopeOf, errorHeadersOf } from './gateway-responses.ts';

/** A mock picks its answer by the request's media type; a type not listed is answered 405 in the end. */
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

/** An answer that is always the same and needs neither token nor function. */
const addConstant = (resource: IResource, method: string, { statusCode, body, headers }: Constant) => {
  const names = Object.keys(headers);
  const added = resource.addMethod(
    method,
    new MockIntegration({
      requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, `{"statusCode": ${statusCode}}`])),
      passthroughBehavior: PassthroughBehavior.NEVER,
      contentHandling: ContentHandling.CONVERT_TO_TEXT,
      integrationResponses: [
        {
          statusCode,
          responseTemplates: { 'application/json': body },
          responseParameters: withPrefix('method.response.header.', headers),
        },
      ],
    }),
    {
      authorizationType: AuthorizationType.NONE,
      methodResponses: [
        {
          statusCode,
          responseParameters: Object.fromEntries(
            names.map((name) => [`method.response.header.${name}`, true]),
          ),
        },
      ],
    },
  );
  acceptFindings(added, {
    'AwsSolutions-APIG4': 'A constant answer that holds no data',
    'AwsSolutions-COG4': 'A constant answer that holds no data',
  });
};

export const addNotFound = (resource: IResource, corsOrigin: string | undefined): void =>
  addConstant(resource, 'ANY', {
    statusCode: String(statusOf.notFound),
    body: envelopeOf({ word: 'PATH_NOT_FOUND', message: 'the path does not exist' }),
    headers: errorHeadersOf('PATH_NOT_FOUND', corsOrigin),
  });

export const addMethodNotAllowed = (
  resource: IResource,
  methods: readonly string[],
  corsOrigin: string | undefined,
): void =>
  addConstant(resource, 'ANY', {
    statusCode: String(statusOf.notAllowed),
    body: envelopeOf({
      word: 'METHOD_NOT_ALLOWED',
      message: `the method is not allowed here; use ${methods.join(', ')}`,
    }),
    headers: { ...errorHeadersOf('METHOD_NOT_ALLOWED', corsOrigin), Allow: `'${methods.join(', ')}'` },
  });

export const addPreflight = (resource: IResource, methods: readonly string[], corsOrigin: string): void =>
  addConstant(resource, 'OPTIONS', {
    statusCode: '204',
    body: '',
    headers: preflightHeaders(corsOrigin, methods),
  });
