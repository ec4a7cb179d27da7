import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import type { Route } from '../../../shared/platform/api/route.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';
import { farFrom, misspellings } from '../../support/service/misspellings.ts';
import { aPost, send } from '../../support/service/post-scenarios.ts';

const gets = allRoutes.filter(({ method }) => method === 'GET');
/** The contract's own. */
const ignoring = [
  ...['listTasks', 'taskDetail', 'exportTask', 'taskStat'],
  ...['listDataSources', 'dataSourceDetail', 'listContacts', 'batchExport'],
];
const ofContract = gets.filter(({ id }) => ignoring.includes(id));
const own = gets.filter(({ id }) => !ignoring.includes(id));

const knownTo = ({ query }: Route) =>
  Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
const listOf = (names: readonly string[]) => names.join(', ') || 'none';

/** Names are read before anything is looked for. */
const pathOf = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, '0'.repeat(16));
const queryOf = (names: readonly string[], value = '1') =>
  Object.fromEntries(names.map((name) => [name, value]));

describe('a name in a query', () => {
  const api = useApi();
  const refusedFor = async (path: string, names: readonly string[], message: string) => {
    const answer = await api.get(path, queryOf(names));
    expectError(answer, 400, /./);
    const errors = names.map((field) => ({ field, code: 'UNKNOWN', message }));
    expect(answer.body.data.errors).toEqual(errors);
  };

  it('has a rule on every route', () => {
    const free = gets.filter(({ ignoresUnknownNames }) => ignoresUnknownNames).map(({ id }) => id);
    expect(free.sort()).toEqual([...ignoring].sort());
  });

  it.each(own)('that $path does not know is refused with those that it knows', async (route) => {
    const known = knownTo(route);
    const list = `(known: ${listOf(known)})`;
    const message = `is not a name that this request knows ${list}`;
    await refusedFor(pathOf(route), ['nobodyKnows', '__proto__', '_'], message);
    for (const name of known.filter((each) => each !== 'id'))
      await refusedFor(pathOf(route), [misspellings(name)[0]!], `did you mean ${name}? ${list}`);
    expect((await api.get(pathOf(route), queryOf(known, ''))).body.message).not.toMatch(/known/);
  });

  it.each(ofContract)('that $path does not know is ignored, unless it is a near miss', async (route) => {
    const known = knownTo(route);
    for (const name of known) await refusedFor(pathOf(route), misspellings(name), `did you mean ${name}?`);
    const others = ['nobodyKnows', '__proto__', '_', 'id', 'ids', ...known.map(farFrom)];
    const answer = await fetch(`${api.url}${pathOf(route)}?${new URLSearchParams(queryOf(others))}`, {
      headers: { authorization: 'Bearer local-dev-token' },
    });
    expect(answer.status).toBe(route.path.includes('{') ? 404 : 200);
  });

  it.each(ofContract)(
    'that other services have for pages is refused by $path, if it has pages',
    async (route) => {
      const names = ['page', 'pageNo', 'pageIndex', 'size', 'limit', 'offset', 'PAGE_NO'];
      if (knownTo(route).includes('pageNum'))
        await refusedFor(
          pathOf(route),
          names,
          'did you mean pageNum? A page is chosen with pageNum and pageSize',
        );
      else expect((await api.get(pathOf(route), queryOf(names))).status).not.toBe(400);
    },
  );

  it.each([
    ['/api/task/list', 'statsu', 'status'],
    ['/api/task/list', 'pagesize', 'pageSize'],
    ['/api/task/0000000000000000/export', 'staus', 'status'],
    ['/api/event/list', 'type', 'types'],
  ])('of %s that is misspelt %s would lose its filter', async (path, name, meant) => {
    expectError(await api.get(path, { [name]: '1' }), 400, new RegExp(`^${name}: did you mean ${meant}\\?`));
  });

  it.each(gets)('that is given twice is refused by $path, also one that nobody knows', async (route) => {
    for (const name of [...knownTo(route), ...(route.ignoresUnknownNames ? ['nobodyKnows'] : [])]) {
      const answer = await api.send({ path: `${pathOf(route)}?${name}=1&${name}=1` });
      expectError(answer, 400, new RegExp(`^${name}: is given twice$`));
      expect(answer.body.data.errors).toEqual([
        { field: name, code: 'DUPLICATE', message: 'is given twice' },
      ]);
    }
  });

  it('of a POST is refused where the contract does not have the request: a lease of one task would be of all', async () => {
    for (const route of allRoutes.filter(({ method }) => method === 'POST')) {
      const post = await aPost(api, route);
      const answer = await send(api, { ...post, path: `${post.path}?taskId=x` }, undefined);
      if (route.ignoresUnknownNames) succeeded(answer);
      else expectError(answer, 400, /^taskId: is not a name that this request knows \(known: none\)$/);
      const twice = await send(api, { ...post, path: `${post.path}?a=1&a=2` }, undefined);
      expectError(twice, 400, /^a: is given twice$/);
    }
  });
});
