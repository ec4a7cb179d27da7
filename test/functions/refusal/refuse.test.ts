import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { refuseMethod } from '../../../functions/refusal/refuse.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { consolePage } from '../../../shared/app/gateway-functions.ts';
import { exposedHeaders } from '../../../shared/platform/api/answers.ts';

const asked = (httpMethod: string, resource: string) =>
  refuseMethod()({ httpMethod, resource, requestContext: { requestId: 'r1' } } as APIGatewayProxyEvent);

const methodsOf = (path: string) =>
  allRoutes.filter((route) => route.path === path).map(({ method }) => method);

const paths = [
  ...[...new Set(allRoutes.map(({ path }) => path))].map((path) => [path, methodsOf(path)] as const),
  ...consolePage.paths.map((path) => [path, ['GET']] as const),
];

afterEach(() => vi.unstubAllEnvs());

describe('a method that a path does not have', () => {
  it.each(paths)('is refused at %s with the methods of the path, %j', async (path, methods) => {
    const { statusCode, headers, body } = await asked('DELETE', path);
    expect(statusCode).toBe(405);
    expect(headers).toMatchObject({
      allow: methods.join(', '),
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'r1',
      'x-error-code': 'METHOD_NOT_ALLOWED',
      'cache-control': 'no-store',
    });
    const message = `DELETE is not allowed here; use ${methods.join(', ')}`;
    expect(JSON.parse(body)).toEqual({ code: 405, message, data: null });
  });

  it('is OPTIONS too where pages of no other origin may call the API', async () => {
    const { statusCode, headers } = await asked('OPTIONS', '/api/task/list');
    expect(statusCode).toBe(405);
    expect(headers).toMatchObject({ allow: 'GET' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('a preflight', () => {
  it('permits the methods of the path to pages of the configured origin', async () => {
    vi.stubEnv('CORS_ORIGIN', 'https://console.example.com');
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'outbound-prod-refuse-method');
    expect(await asked('OPTIONS', '/api/task/add')).toEqual({
      statusCode: 204,
      headers: {
        'access-control-allow-origin': 'https://console.example.com',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization,content-type,idempotency-key',
        'access-control-expose-headers': exposedHeaders,
        'access-control-max-age': '3600',
        'strict-transport-security': 'max-age=63072000',
        vary: 'Origin',
      },
      body: '',
    });
  });
});
