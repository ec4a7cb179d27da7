import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import { allRoutes } from '../../shared/api/all-routes.ts';
import type { Route } from '../../shared/api/route.ts';
import { fieldCodes } from '../../shared/domain/field-codes.ts';

export type Row = Record<string, unknown> & { id: string };
/** What tests look at by name; the route's schema has been checked before. */
export type Data = Row & { total: number; rows: Row[] };
export type Envelope = { code: number; message: string; data: Data };
export type Answer = { status: number; headers: Headers; body: Envelope };

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const checks = new Map<string, ValidateFunction>(
  allRoutes.flatMap((route) =>
    'data' in route.response ? [[route.id, ajv.compile(route.response.data as object)]] : [],
  ),
);

const formOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const forms = allRoutes.map((route) => ({ route, form: formOf(route.path) }));
/** Of `/api/task/detail/{id}` and `/api/task/{id}/stat` the one with the longer fixed beginning is meant. */
forms.sort((a, b) => b.route.path.indexOf('{') - a.route.path.indexOf('{'));

const routeAt = (method: string, path: string): Route | undefined =>
  forms.find(({ route, form }) => route.method === method && form.test(path))?.route;

const errorData = ajv.compile({
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          field: { type: 'string', minLength: 1 },
          code: { enum: Object.keys(fieldCodes) },
          // Words, never the pattern that was not met.
          message: { type: 'string', minLength: 1, not: { pattern: '\\\\|\\(\\?|\\^|pattern' } },
        },
        required: ['field', 'code', 'message'],
        additionalProperties: false,
      },
    },
  },
  required: ['errors'],
  additionalProperties: false,
});

const httpOk = 200;
const invalid = 400;
const serverError = 500;

/** What every answer must be, whatever was asked: the envelope, its headers, its data by the route's schema. */
export const expectEnvelope = (method: string, path: string, { status, headers, body }: Answer): void => {
  const shown = `${method} ${path} -> ${status} ${JSON.stringify(body).slice(0, 500)}`;
  expect(Object.keys(body), shown).toEqual(['code', 'message', 'data']);
  expect(status, shown).toBe(body.code === 0 ? httpOk : body.code);
  expect(status, shown).toBeLessThan(serverError);
  expect(headers.get('content-type'), shown).toBe('application/json; charset=utf-8');
  expect(headers.get('x-request-id'), shown).toMatch(/^[\w-]{8,}$/);
  if (body.code !== 0) {
    expect(body.message, shown).toMatch(/\S/);
    expect(status === invalid ? errorData(body.data) : body.data === null, shown).toBe(true);
    return;
  }
  expect(body.message, shown).toBe('success');
  const check = checks.get(routeAt(method, path)?.id ?? '');
  expect(check, `a route for ${shown}`).toBeDefined();
  expect(check?.(body.data), `${shown}: ${ajv.errorsText(check?.errors)}`).toBe(true);
};
