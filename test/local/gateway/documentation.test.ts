import { runInNewContext } from 'node:vm';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { accessToken, startApi, useApi } from '../../support/service/api.ts';

describe('the documentation', () => {
  const api = useApi();

  it('is Swagger UI from its package, whose parts are all there and ask no other host', async () => {
    const response = await fetch(`${api.url}/docs`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(/\S/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1] as string);
    expect(parts).toContain('/docs/swagger-ui.js');
    for (const part of parts) expect((await fetch(new URL(part, api.url))).status).toBe(200);
    expect(parts.map((part) => new URL(part, api.url).host)).toEqual(parts.map(() => new URL(api.url).host));
    expect((await fetch(`${api.url}/docs/unknown.js`)).status).toBe(404);
  });

  it('has the development token filled in, and no other one', async () => {
    expect(await (await fetch(`${api.url}/docs`)).text()).toContain(`data-token="${accessToken}"`);
    const other = await startApi({ accessToken: 'secret-of-mine' });
    expect(await (await fetch(`${other.url}/docs`)).text()).not.toContain('secret-of-mine');
    await other.stop();
  });

  it('calls the service it came from, with a fresh Idempotency-Key for each try', async () => {
    type Request = { method: string; headers: Record<string, string> };
    type Paths = Record<string, { post: { parameters: object[] } }>;
    type Options = {
      spec: { servers: unknown; paths: Paths };
      requestInterceptor: (request: Request) => Request;
    };
    const script = await (await fetch(`${api.url}/docs/page.js`)).text();
    const back = { href: '/' };
    const options = await new Promise<Options>((SwaggerUIBundle) => {
      runInNewContext(script, {
        ...{ SwaggerUIBundle, crypto, location: { hash: '#token=mine', origin: api.url } },
        history: { replaceState: () => {} },
        document: { documentElement: { dataset: {} }, querySelector: () => back },
        fetch: (path: string) => fetch(`${api.url}${path}`),
      });
    });
    expect(back.href).toBe('/#token=mine');
    expect(options.spec.servers).toEqual([{ url: api.url }]);
    const keyOf = (method: string, headers = {}) =>
      options.requestInterceptor({ method, headers }).headers['Idempotency-Key'];
    expect(keyOf('POST')).toMatch(/^[0-9a-f]{32}$/);
    expect(keyOf('POST')).not.toBe(keyOf('POST'));
    expect(keyOf('GET')).toBeUndefined();
    expect(keyOf('POST', { 'Idempotency-Key': 'typed' })).toBe('typed');
    // Shown, so that a key can be typed. It has no example, which would be filled in.
    const shown = options.spec.paths['/api/task/add']?.post.parameters.at(-1);
    expect(shown).toMatchObject({ name: 'Idempotency-Key', in: 'header' });
    expect(shown).not.toHaveProperty('example');
  });

  it('is valid OpenAPI 3.1 with every route and all its errors', async () => {
    const response = await fetch(`${api.url}/docs/openapi.json`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(/\S/);
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, Record<string, object>>;
    };
    expect(document.openapi).toMatch(/^3\.1\./);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(valid, JSON.stringify(errors)).toBe(true);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`));
  });
});
