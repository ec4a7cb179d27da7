import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import type { Route } from '../../../shared/platform/api/route.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

type Property = { type?: string | readonly string[] };
type ObjectSchema = { properties: Record<string, Property>; required?: readonly string[] };

const values: Record<string, unknown> = {
  string: 'text',
  number: 1.5,
  integer: 7,
  boolean: true,
  null: null,
  array: ['x'],
  object: { a: 1 },
};
const fits = (allowed: readonly string[], kind: string) =>
  allowed.includes(kind) || (kind === 'integer' && allowed.includes('number'));

/**
 * Every field of a route's body with a value of every type it does not allow. An optional field may
 * be null.
 */
const wrongTypes = (route: Route): { field: string; value: unknown }[] => {
  const { properties, required = [] } = route.body as ObjectSchema;
  return Object.entries(properties).flatMap(([field, { type }]) => {
    if (type === undefined) return [];
    const allowed = [...([type].flat() as string[]), ...(required.includes(field) ? [] : ['null'])];
    return Object.entries(values)
      .filter(([kind]) => !fits(allowed, kind))
      .map(([, value]) => ({ field, value }));
  });
};

const withBodies = allRoutes.filter(({ body }) => body !== undefined);
const inPath = (template: string) => template.replaceAll(/\{\w+\}/g, '0'.repeat(16));
const kilobyte = 1024;

describe('hostile bodies', () => {
  const api = useApi();

  it.each(withBodies.map((route) => ({ route, path: inPath(route.path) })))(
    'are 400 at $path, naming each field of the wrong type',
    async ({ route, path }) => {
      for (const { field, value } of wrongTypes(route)) {
        const { status, body } = await api.post(path, { [field]: value });
        expect({ status, errors: body.data.errors }).toEqual({
          status: 400,
          errors: expect.arrayContaining([
            { field: expect.stringMatching(`^${field}`), code: 'WRONG_TYPE', message: expect.any(String) },
          ]),
        });
      }
      const required = (route.body as ObjectSchema).required ?? [];
      if (required.length === 0) return;
      for (const empty of ['', '{}', ' \n']) {
        const { status, body } = await api.postText(path, empty);
        expect([status, body.data.errors]).toEqual([
          400,
          required.map((field) => expect.objectContaining({ field, code: 'REQUIRED' })),
        ]);
      }
    },
  );

  it.each(['{', "{'id':'x'}", '{"id":"x",}', '{"id":"x"}{}', '\u0000', 'id=x', '<xml/>', '{"id":"\\x"}'])(
    'that are no JSON, like %j, are 400',
    async (text) => {
      expectError(await api.postText('/api/task/publish', text), 400, /^body: is not valid JSON/);
    },
  );

  it.each(['[{"id":"x"}]', '"text"', '5', 'null'])('that are no object, like %s, are 400', async (text) => {
    expectError(await api.postText('/api/dataSource/add', text), 400, /^body: must be a JSON object/);
  });

  it('nested 100,000 deep are 400 or ignored', async () => {
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);
    expectError(await api.postText('/api/task/publish', deep('[', ']')), 400, /^body: /);
    expectError(await api.postText('/api/task/publish', '['.repeat(200_000)), 400, /^body: /);
    const { id } = await api.aDataSource();
    const path = `/api/dataSource/${id}/contact/add`;
    const nested = `{"phoneNumber":"123","x":${deep('[', ']')}}`;
    expectError(await api.postText(path, nested), 400, /^(x|body): /);
  });

  it('over the limit are 413, up to it they are read', async () => {
    const limit = 256 * kilobyte;
    const sized = (bytes: number) => `{"dataSourceName":"${'x'.repeat(bytes - 21)}"}`;
    expect(Buffer.byteLength(sized(limit))).toBe(limit);
    expectError(await api.postText('/api/dataSource/add', sized(limit)), 400, /at most 100 characters/);
    expectError(await api.postText('/api/dataSource/add', sized(limit + 1)), 413, /exceeds 256 KB/);
    expectError(await api.postText('/api/task/publish', '中'.repeat(100_000)), 413, /exceeds/);
  });

  it('with half of a surrogate pair are 400 wherever it stands', async () => {
    const { id } = await api.aDataSource();
    const path = `/api/dataSource/${id}/contact/add`;
    for (const half of ['\\ud800', '\\uDFFF', 'x\\udc00y', '\\udc00\\ud800']) {
      expectError(
        await api.postText('/api/dataSource/add', `{"dataSourceName":"${half}"}`),
        400,
        /surrogate/,
      );
      expectError(await api.postText(path, `{"phoneNumber":"123","name":"${half}"}`), 400, /surrogate/);
      expectError(await api.postText(path, `{"phoneNumber":"123","${half}":"x"}`), 400, /surrogate/);
      expectError(await api.postText(path, `{"a":[{"b":"${half}"}]}`), 400, /^b: .*surrogate/);
    }
    const whole = succeeded(await api.postText('/api/dataSource/add', '{"dataSourceName":"\\ud83d\\udcde"}'));
    expect(whole.dataSourceName).toBe('\u{1F4DE}');
    const escaped = await api.postText('/api/dataSource/add', '{"dataSourceName":"\\\\ud800"}');
    expect(succeeded(escaped).dataSourceName).toBe('\\ud800');
  });

  it.each([
    ['stray bytes', [0xff, 0xc0, 0x80]],
    ['a character broken off', [0xe4, 0xb8]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['another encoding', [...Buffer.from('Zoë', 'latin1')]],
  ])('that are no UTF-8 are 400: %s', async (_, bytes) => {
    const { id } = await api.aDataSource();
    const around = (before: string) =>
      Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from('"}')]);
    for (const [path, before] of [
      ['/api/dataSource/add', '{"dataSourceName":"'],
      [`/api/dataSource/${id}/contact/add`, '{"phoneNumber":"123","customerName":"'],
    ] as const) {
      expectError(await api.postText(path, around(before)), 400, /^body: is not UTF-8$/);
    }
    expect(succeeded(await api.get(`/api/dataSource/${id}/contacts`)).total).toBe(0);
  });

  it.each([
    ['may hold the mark for a bad character', '{"dataSourceName":"a \ufffd b"}', 'a \ufffd b'],
    ['may begin with a byte order mark', '\ufeff{"dataSourceName":"marked"}', 'marked'],
    ['mean the last of a field given twice', '{"dataSourceName":"first","dataSourceName":"last"}', 'last'],
  ])('%s', async (_, text, name) => {
    expect(succeeded(await api.postText('/api/dataSource/add', text)).dataSourceName).toBe(name);
  });

  it('change no prototype, whatever their fields are called', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', 'then'];
    const { id } = await api.aDataSource();
    for (const name of names) {
      const poison = `"${name}":{"polluted":"yes","id":"${id}","taskName":"x","dataSourceName":"x","prototype":{"polluted":"yes"}}`;
      expectError(
        await api.postText('/api/dataSource/add', `{${poison}}`),
        400,
        /^dataSourceName: is required/,
      );
      expectError(await api.postText('/api/task/publish', `{${poison}}`), 400, /^id: is required/);
      succeeded(await api.postText('/api/dataSource/update', `{"id":"${id}",${poison}}`));
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((() => {}) as unknown as Record<string, unknown>).not.toHaveProperty('polluted');
  });

  it('hold descriptions and reasons of at most 2000 characters', async () => {
    const { id } = await api.aTaskIn(1);
    expectError(await api.post('/api/task/stop', { id, reason: 'x'.repeat(2001) }), 400, /^reason: /);
    succeeded(await api.post('/api/task/stop', { id, reason: 'x'.repeat(2000) }));
  });
});
