import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { statusOfWord } from '../../../shared/platform/api/answers.ts';
import { errorsOf, type Route } from '../../../shared/platform/api/route.ts';
import { type ErrorWord, errorWords, fieldCodes } from '../../../shared/platform/rules/errors.ts';

export type Row = Record<string, unknown> & { id: string };
/** What tests look at by name; the route's schema has been checked before. */
export type Data = Row & { total: number; rows: Row[] };
export type Envelope = { code: number; message: string; data: Data };
export type Answer = { status: number; headers: Pick<Headers, 'get'>; body: Envelope };

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const checks = new Map<string, ValidateFunction>(
  allRoutes.flatMap((route) =>
    'data' in route.response ? [[route.id, ajv.compile(route.response.data as object)]] : [],
  ),
);

const formOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const forms = allRoutes.map((route) => ({ route, form: formOf(route.path) }));
/**
 * Of `/api/task/detail/{id}` and `/api/task/{id}/stat` the one with the longer fixed beginning is
 * meant.
 */
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
const tooBusy = 429;

/** Whether the word is of the status, and declared by the route where the request had one. */
const isExpected = (route: Route | undefined, status: number, word: string | null): boolean => {
  if (word === null || !Object.hasOwn(errorWords, word)) return false;
  const isDeclared = route === undefined || errorsOf(route).includes(word as ErrorWord);
  return isDeclared && statusOfWord(word as ErrorWord) === status;
};

/** What is wrong with the data of a success; nothing: it has the form of its route. */
const dataFault = (method: string, path: string, data: unknown): string | undefined => {
  const check = checks.get(routeAt(method, path)?.id ?? '');
  if (check === undefined) return 'no route';
  return check(data) ? undefined : `data: ${ajv.errorsText(check.errors).slice(0, 5000)}`;
};

const faultOf = (method: string, path: string, { status, headers, body }: Answer): string | undefined => {
  const members = Object.keys(body).join();
  if (members !== 'code,message,data') return `members: ${members}`;
  if (status !== (body.code === 0 ? httpOk : body.code) || status >= serverError) return 'status';
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return 'content-type';
  if (!/^[\w-]{8,}$/.test(headers.get('x-request-id') ?? '')) return 'x-request-id';
  if (body.code === 0) return body.message === 'success' ? dataFault(method, path, body.data) : 'message';
  if (!/\S/.test(body.message)) return 'message';
  if ((headers.get('retry-after') !== null) !== (status === tooBusy)) return 'retry-after';
  if (!isExpected(routeAt(method, path), status, headers.get('x-error-code'))) return 'x-error-code';
  return (status === invalid ? errorData(body.data) : body.data === null) ? undefined : 'data of an error';
};

/**
 * What every answer must be, whatever was asked: the envelope, its headers, its data by the route's
 * schema. One assertion for all: each costs more than all that is looked at.
 */
export const expectEnvelope = (method: string, path: string, answer: Answer): void => {
  const fault = faultOf(method, path, answer);
  if (fault === undefined) return;
  const { status, headers, body } = answer;
  const type = `${headers.get('content-type')} ${headers.get('x-request-id')} ${headers.get('x-error-code')}`;
  expect.fail(`${method} ${path} -> ${status} ${type} ${JSON.stringify(body).slice(0, 500)}: ${fault}`);
};
