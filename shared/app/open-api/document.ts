import type { JSONSchema } from 'json-schema-to-ts';
import manifest from '../../../package.json' with { type: 'json' };
import { importIdHeader } from '../../platform/api/answers.ts';
import { closed, shownBody } from '../../platform/api/body-names.ts';
import { type Route, type Scope, scopes, tags } from '../../platform/api/route.ts';
import { exampleOf } from '../../platform/api/schemas.ts';
import { allRoutes } from '../all-routes.ts';
import { errorHeaders, errorResponses, errorResponsesOf, errorSchemas } from './error-responses.ts';
import { binary, DocumentSchemas, type Json } from './schemas.ts';
import { deliveryHeaders, webhooks } from './webhooks.ts';

const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } };

/**
 * Says that an operation takes the document's parameter of the same name. It is not among the
 * operation's own parameters, because collections and generators fill in each of those. With the
 * same key in every request, all but the first would be repeats.
 */
const keyExtension = 'x-idempotency-key';
const isRepeatable = ({ method }: Route) => method === 'POST';

const parametersOf = (route: Route, schemas: DocumentSchemas): Json[] =>
  (['params', 'query'] as const).flatMap((part) => {
    const schema = route[part] as { properties?: Record<string, Json>; required?: string[] } | undefined;
    return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
      name,
      in: part === 'params' ? 'path' : 'query',
      required: schema?.required?.includes(name) ?? false,
      schema: schemas.shown(property),
    }));
  });

const requestBodyOf = (route: Route, schemas: DocumentSchemas): Json => {
  if (route.upload !== undefined) {
    const form = route.form as { properties: object };
    const file = { ...binary('application/octet-stream'), description: 'The contact file' };
    const properties = { [route.upload]: file, ...form.properties };
    const schema = schemas.shown({ ...form, properties, required: [route.upload] });
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (route.body === undefined) return {};
  const required = ((route.body as { required?: string[] }).required ?? []).length > 0;
  const schema = schemas.shown(shownBody(route));
  return {
    requestBody: {
      required,
      content: { 'application/json': { schema, example: exampleOf(route.body as object) } },
    },
  };
};

const ownHeaders = { [importIdHeader]: { $ref: '#/components/headers/ImportId' } };

/** The answer to a repeat also says whether it is a stored one. */
const headersOf = (route: Route): Json => ({
  ...requestIdHeader,
  ...(isRepeatable(route)
    ? { 'idempotent-replayed': { $ref: '#/components/headers/IdempotentReplayed' } }
    : {}),
  ...Object.fromEntries((route.answerHeaders ?? []).map((name) => [name, ownHeaders[name]])),
});

/** The envelope of data with a name has a name too. */
const envelopeOf = (data: { title?: string }) => ({
  ...(data.title === undefined ? {} : { title: `${data.title}Answer` }),
  type: 'object',
  properties: { code: { type: 'integer', const: 0 }, message: { type: 'string', const: 'success' }, data },
  required: ['code', 'message', 'data'],
  additionalProperties: false,
});

const successOf = (route: Route, schemas: DocumentSchemas): Json => {
  if ('file' in route.response) {
    const content = route.response.file.map((type) => [type, { schema: binary(type) }]);
    const headers = {
      ...requestIdHeader,
      'content-disposition': { $ref: '#/components/headers/ContentDisposition' },
    };
    return { description: 'The file, as a stream', headers, content: Object.fromEntries(content) };
  }
  const schema = schemas.shown(closed(envelopeOf(route.response.data as object) as JSONSchema));
  const example = { code: 0, message: 'success', data: exampleOf(route.response.data as object) };
  return {
    description: route.summary,
    headers: headersOf(route),
    content: { 'application/json': { schema, example } },
  };
};

const operationOf = (route: Route, schemas: DocumentSchemas): Json => ({
  operationId: route.id,
  tags: [route.tag],
  summary: route.summary,
  description: route.description,
  security: [{ oauth2: route.scope === null ? [] : [route.scope] }, { bearer: [] }],
  parameters: parametersOf(route, schemas),
  ...(isRepeatable(route) ? { [keyExtension]: true } : {}),
  ...requestBodyOf(route, schemas),
  responses: { 200: successOf(route, schemas), ...errorResponsesOf(route) },
});

const scopeWords: Record<Scope, string> = {
  'outbound/read': 'Read tasks, data sources and contacts, and export them',
  'outbound/write': 'Change tasks, data sources and contacts, and import contacts',
  'outbound/dial': 'Lease calls and report their results',
};

const securitySchemes = {
  oauth2: {
    type: 'oauth2',
    description: 'Access tokens of the OIDC issuer. The address is that of the stack that is deployed.',
    flows: {
      clientCredentials: {
        tokenUrl: 'https://outbound-dev-123456789012.auth.eu-central-1.amazoncognito.com/oauth2/token',
        scopes: scopeWords,
      },
    },
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: `The same access token, or the development token of local mode. Scopes: ${scopes.join(', ')}`,
  },
};

const headers = {
  ...errorHeaders,
  RequestId: { description: 'The id of this request in the log', schema: { type: 'string' } },
  IdempotentReplayed: {
    description:
      'true: this is the stored answer to an earlier request with the same Idempotency-Key; this request did nothing',
    schema: { type: 'string', enum: ['true'] },
  },
  ImportId: {
    description: 'The id of the import; absent from a dry run',
    schema: { type: 'string' },
  },
  ContentDisposition: { description: 'attachment, with the name of the file', schema: { type: 'string' } },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to retry. For 24 hours the same caller gets the stored answer to the first request with this key at this path, and nothing is done twice. Answers that say "later" are not stored. Use a new key, for example a UUID, for each new request.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** The variables have no description of their own, because orval refuses it. */
const servers = [
  {
    url: 'http://{host}',
    description: 'Local mode: host and port of the local service',
    variables: { host: { default: '127.0.0.1:3000' } },
  },
  {
    url: 'https://{host}',
    description: 'AWS: host and stage of the API, as the stack prints them',
    variables: { host: { default: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/prod' } },
  },
];

const info = {
  title: 'Outbound call tasks',
  version: manifest.version,
  description:
    'Outbound-call tasks, the data sources with their contacts, import and export of contact files, and the interface for dialers. Every JSON answer is an envelope. The HTTP status of an error is also its code in the envelope; the header X-Error-Code says what is wrong as a stable word. Any POST may carry the header Idempotency-Key (`x-idempotency-key` of this document), which makes it safe to retry. Answers name every field of this release (`additionalProperties: false`). A later release may add fields to answers and events, so a client ignores fields that it does not know.',
  contact: { name: 'The operators of the service' },
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

/** The route table as an OpenAPI 3.1 document. */
export const openApi = (): Json => {
  const schemas = new DocumentSchemas();
  const paths: Record<string, Json> = {};
  for (const route of allRoutes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info,
    servers,
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(schemas),
    [keyExtension]: idempotencyKey,
    components: {
      securitySchemes,
      headers,
      parameters: deliveryHeaders,
      schemas: { ...errorSchemas, ...schemas.components },
      responses: errorResponses(allRoutes),
    },
  };
};
