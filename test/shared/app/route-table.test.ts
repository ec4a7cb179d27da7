import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { offerResponseStreaming } from '../../../local/gateway/functions.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { eventFunctions } from '../../../shared/app/event-functions.ts';
import { authorizeRequest, consolePage, refuseMethod } from '../../../shared/app/gateway-functions.ts';
import { openApi } from '../../../shared/app/open-api/document.ts';
import { statusOfWord } from '../../../shared/platform/api/answers.ts';
import { closed } from '../../../shared/platform/api/body-names.ts';
import { errorsOf, type Route, scopes } from '../../../shared/platform/api/route.ts';
import { exampleOf } from '../../../shared/platform/api/schemas.ts';

const root = path.join(import.meta.dirname, '../../..');
const functionFiles = async () => {
  const entries = await readdir(path.join(root, 'functions'), { recursive: true });
  return entries.filter((name) => name.endsWith('.ts')).map((name) => name.slice(0, -'.ts'.length));
};
const moduleOf = (file: string) =>
  import(new URL(`../../../functions/${file}.ts`, import.meta.url).href) as Promise<Record<string, unknown>>;
const named = allRoutes.map((route) => ({ id: route.id, route }));

const parametersOf = (template: string) =>
  [...template.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();
const propertiesOf = (schema: unknown) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}).sort();

describe('the route table', () => {
  // Part of Lambda's runtime; streaming functions use it as they are loaded.
  offerResponseStreaming();

  it.each(named)('has a function file that exports $id and a handler for AWS', async ({ route }) => {
    const module = await moduleOf(route.file);
    expect(module[route.id]).toBeTypeOf('function');
    expect(module.handler).toBeTypeOf('function');
  });

  it('accounts for every file below functions/', async () => {
    const doors = [authorizeRequest, consolePage, refuseMethod];
    const declared = [...allRoutes, ...eventFunctions, ...doors].map(({ file }) => file);
    expect((await functionFiles()).filter((file) => !declared.includes(file))).toEqual([]);
  });

  it('names the function of every event by the id it is exported under', async () => {
    const present = await functionFiles();
    for (const { id, file } of eventFunctions.filter((each) => present.includes(each.file))) {
      expect((await moduleOf(file))[id], file).toBeTypeOf('function');
    }
  });

  it('gives every id, file and address once', () => {
    const all = [...allRoutes, ...eventFunctions];
    for (const values of [
      all.map(({ id }) => id),
      all.map(({ file }) => file),
      allRoutes.map(({ method, path: template }) => `${method} ${template}`),
    ]) {
      expect(new Set(values).size).toBe(values.length);
    }
  });

  it('leaves no address to chance: no two routes fit the same request', () => {
    const form = ({ method, path: template }: Route) => `${method} ${template.replaceAll(/\{\w+\}/g, '{}')}`;
    expect(new Set(allRoutes.map(form)).size).toBe(allRoutes.length);
  });

  it.each(named)(
    'declares for $id the parameters of its path, its scope and what the host gives it',
    ({ route }) => {
      expect(propertiesOf(route.params)).toEqual(parametersOf(route.path));
      expect([...scopes, null]).toContain(route.scope);
      expect(route.memory).toBeGreaterThanOrEqual(128);
      expect(route.timeout).toBeGreaterThan(0);
      expect(route.method === 'GET' ? route.body : 'a body is fine').toBe(
        route.method === 'GET' ? undefined : 'a body is fine',
      );
    },
  );

  it.each(named)('knows the status of every error of $id', ({ route }) => {
    for (const word of errorsOf(route)) expect(statusOfWord(word)).toBeGreaterThanOrEqual(400);
    for (const word of route.errors) expect(statusOfWord(word)).toBeLessThan(500);
    const checked = [route.query, route.body, route.upload].some((part) => part !== undefined);
    if (checked) expect(route.errors).toContain('INVALID');
    if (route.params !== undefined) expect(route.errors.map(statusOfWord)).toContain(404);
  });

  it.each(named)('documents for $id what any request may be refused for', ({ route }) => {
    const { responses } = (openApi().paths as Record<string, Record<string, { responses: object }>>)[
      route.path
    ]![route.method.toLowerCase()]!;
    const statuses = Object.keys(responses).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([400, 401, 403, 429, 431, 500, 503, 504]));
    if (route.method === 'POST') expect(statuses).toContain(413);
  });

  it.each(named)('has examples for $id that its own schemas accept', ({ route }) => {
    const ajv = new Ajv({ allErrors: true, strictTypes: false });
    const accepts = (schema: unknown, example: unknown) =>
      expect(ajv.validate(schema as object, example), ajv.errorsText()).toBe(true);
    if (route.body !== undefined) accepts(closed(route.body), exampleOf(route.body as object));
    if ('data' in route.response)
      accepts(closed(route.response.data), exampleOf(route.response.data as object));
  });

  it('is what docs/openapi.json says', async () => {
    const written = await readFile(path.join(root, 'docs/openapi.json'), 'utf8');
    expect(written).toBe(`${JSON.stringify(openApi(), null, 2)}\n`);
  });
});
