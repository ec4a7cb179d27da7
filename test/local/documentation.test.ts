import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { useApi } from '../support/api.ts';

describe('the documentation', () => {
  const api = useApi();

  it('shows every route on one page, without a token', async () => {
    const response = await fetch(`${api.url}/docs`);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-request-id')).toMatch(/\S/);
    const page = await response.text();
    for (const { path, id } of allRoutes) {
      expect(page).toContain(`<code>${path}</code>`);
      expect(page).toContain(`id="${id}"`);
    }
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
    expect(operations.sort()).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });
});
