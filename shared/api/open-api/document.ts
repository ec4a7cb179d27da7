import manifest from '../../../package.json' with { type: 'json' };
import { allRoutes } from '../all-routes.ts';
import { type Route, scopes, tags } from '../route.ts';
import { errorHeaders, errorResponses, errorResponsesOf, errorSchemas } from './error-responses.ts';

type Json = Record<string, unknown>;

const envelope = (code: unknown, message: unknown, data: unknown): Json => ({
  type: 'object',
  properties: { code, message, data },
  required: ['code', 'message', 'data'],
});

const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

const keyParameter = { $ref: '#/components/parameters/IdempotencyKey' };
const isRepeatable = ({ method }: Route) => method === 'POST';

const parametersOf = (route: Route): Json[] => [
  ...declaredParametersOf(route),
  ...(isRepeatable(route) ? [keyParameter] : []),
];

const declaredParametersOf = (route: Route): Json[] =>
  (['params', 'query'] as const).flatMap((part) => {
    const schema = route[part] as { properties?: Record<string, Json>; required?: string[] } | undefined;
    return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: schema?.required?.includes(name) ?? false,
      schema: property,
    }));
  });

const requestBodyOf = (route: Route): Json => {
  if (route.upload !== undefined) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    const { properties } = (route.form ?? {}) as { properties?: Json };
    const schema = {
      type: 'object',
      properties: { [route.upload]: file, ...properties },
      required: [route.upload],
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (route.body === undefined) return {};
  const required = ((route.body as { required?: string[] }).required ?? []).length > 0;
  const content = { 'application/json': { schema: route.body, example: route.example.body } };
  return { requestBody: { required, content } };
};

/** A request that may be repeated is also told whether its answer is a stored one. */
const headersOf = (route: Route): Json =>
  isRepeatable(route)
    ? { ...requestIdHeader, 'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
    : requestIdHeader;

const successOf = (route: Route): Json => {
  if ('file' in route.response) {
    const content = Object.fromEntries(
      route.response.file.map((type) => [type, { schema: { contentMediaType: type, type: 'string' } }]),
    );
    return { description: 'The file, as a stream', headers: requestIdHeader, content };
  }
  return {
    description: route.summary,
    headers: headersOf(route),
    content: {
      'application/json': {
        schema: envelope({ const: 0 }, { const: 'success' }, route.response.data),
        example: { code: 0, message: 'success', data: route.example.data },
      },
    },
  };
};

const operationOf = (route: Route): Json => ({
  operationId: route.id,
  tags: [route.tag],
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  security: [{ bearer: [route.scope] }],
  parameters: parametersOf(route),
  ...requestBodyOf(route),
  responses: {
    200: successOf(route),
    ...errorResponsesOf(route),
  },
});

/** The route table as an OpenAPI 3.1 document. */
export const openApi = (): Json => {
  const paths: Record<string, Json> = {};
  for (const route of allRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Outbound call tasks',
      version: manifest.version,
      description:
        'Outbound-call tasks, the data sources with their contacts, import and export of contact files, and the interface for dialers. Every JSON answer is an envelope. The HTTP status of an error is also its code in the envelope.',
    },
    servers: [{ url: '/' }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `Access token with one of the scopes ${scopes.join(', ')}`,
        },
      },
      headers: {
        ...errorHeaders,
        RequestId: { description: 'The id of this request in the log', schema: { type: 'string' } },
        IdempotentReplayed: {
          description:
            'true: this is the stored answer to an earlier request with the same Idempotency-Key; this request did nothing',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      parameters: {
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Makes the request safe to retry. For 24 hours the same caller gets the stored answer to the first request with this key at this path, and nothing is done twice. 5xx and 429 answers are not stored.',
          schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
          example: '5f0c1c5e-8a43-4a8e-9d53-1f7a5f0e9d11',
        },
      },
      schemas: errorSchemas,
      responses: errorResponses(allRoutes),
    },
  };
};
