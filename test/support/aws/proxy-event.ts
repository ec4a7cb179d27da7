import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Route } from '../../../shared/platform/api/route.ts';

export type Call = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Sent as the file part of a form. */
  file?: string | Buffer;
  /** Its other parts. */
  form?: Record<string, string>;
};

const boundary = 'a-boundary';

/** A character for each byte: the file may be binary. */
const formOf = (part: string, file: string | Buffer, texts: Record<string, string>): string =>
  [
    ...Object.entries(texts).flatMap(([name, text]) => [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name}"`,
      '',
      text,
    ]),
    `--${boundary}`,
    `Content-Disposition: form-data; name="${part}"; filename="contacts.csv"`,
    'Content-Type: text/csv',
    '',
    Buffer.from(file as string).toString('latin1'),
    `--${boundary}--`,
    '',
  ].join('\r\n');

const many = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));

/** A request as API Gateway's REST proxy integration hands it to a function on AWS. */
export const proxyEvent = (route: Route, { params = {}, query = {}, body, file, form = {} }: Call) => {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const isUpload = file !== undefined;
  const headers = {
    // Every POST may be sent again, and does what it does all the same.
    ...(route.method === 'POST' ? { 'Idempotency-Key': randomUUID() } : {}),
    Accept: '*/*',
    Authorization: 'Bearer a.b.c',
    'Content-Type': isUpload ? `multipart/form-data; boundary=${boundary}` : 'application/json',
    Host: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
    'X-Amzn-Trace-Id': 'Root=1-65d5f0a0-0123456789abcdef01234567',
    'X-Forwarded-For': '203.0.113.7',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
  };
  const jsonBody = body === undefined ? null : JSON.stringify(body);
  return {
    resource: route.path,
    path,
    httpMethod: route.method,
    headers,
    multiValueHeaders: many(headers),
    queryStringParameters: Object.keys(query).length === 0 ? null : query,
    multiValueQueryStringParameters: Object.keys(query).length === 0 ? null : many(query),
    pathParameters: Object.keys(params).length === 0 ? null : params,
    stageVariables: null,
    requestContext: {
      resourceId: 'x1y2z3',
      resourcePath: route.path,
      httpMethod: route.method,
      extendedRequestId: 'ABCDEFGHIJKLMNO=',
      requestTime: '01/May/2026:10:00:00 +0000',
      path: `/prod${path}`,
      accountId: '123456789012',
      protocol: 'HTTP/1.1',
      stage: 'prod',
      domainPrefix: 'a1b2c3d4e5',
      requestTimeEpoch: 1_777_629_600_000,
      requestId: '5f9b7c1e-7a3d-4f0a-9b1c-2d3e4f5a6b7c',
      identity: { sourceIp: '203.0.113.7', userAgent: 'curl/8.5.0' },
      domainName: 'a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com',
      apiId: 'a1b2c3d4e5',
      authorizer: { principalId: 'a-client', scope: route.scope ?? 'outbound/read', integrationLatency: 12 },
    },
    body: isUpload
      ? Buffer.from(formOf(route.upload ?? 'file', file, form), 'latin1').toString('base64')
      : jsonBody,
    isBase64Encoded: isUpload,
  } as unknown as APIGatewayProxyEvent;
};
