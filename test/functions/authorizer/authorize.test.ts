import { afterEach, describe, expect, it, vi } from 'vitest';
import { authorizeRequest } from '../../../functions/authorizer/authorize.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { type Route, type Scope, scopes } from '../../../shared/platform/api/route.ts';
import type { VerifyToken } from '../../../shared/platform/http/tokens.ts';
import { log } from '../../../shared/platform/observability/log.ts';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import { RolePolicy, type Statement } from '../../support/aws/iam.ts';

afterEach(() => void vi.restoreAllMocks());

const stage = 'arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/prod';

const ask = (verify: VerifyToken, routes?: readonly Route[]) =>
  authorizeRequest(
    verify,
    routes,
  )({
    ...{ type: 'TOKEN', authorizationToken: 'Bearer x' },
    methodArn: `${stage}/GET/api/task/list`,
  });

it('a token that is refused is a 401, and an error of the service is told and not blamed on it', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  const warned = vi.spyOn(log, 'warn').mockImplementation(() => {});
  const refused = new ServiceError('UNAUTHENTICATED', 'expired');
  await expect(ask(() => Promise.reject(refused))).rejects.toThrow(/^Unauthorized$/);
  expect(logged).not.toHaveBeenCalled();
  // An alarm counts these lines.
  expect(warned.mock.calls).toEqual([['token refused', { reason: 'expired' }]]);
  await expect(ask(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  expect([logged.mock.calls.length, warned.mock.calls.length]).toEqual([1, 1]);
});

it('tells who calls, and that a token without an end has none', async () => {
  expect(await ask(async () => ({ clientId: 'c', name: 'ann', scopes: ['outbound/read'] }))).toMatchObject({
    principalId: 'c',
    context: { caller: 'ann', scope: 'outbound/read', expires: 0 },
  });
});

describe('the policy of a token', () => {
  const everySet = Array.from({ length: 2 ** scopes.length }, (_, set) =>
    scopes.filter((_, at) => set & (1 << at)),
  );

  const made = (chapter: string, routes: readonly (readonly [Route['method'], string, Scope])[]): Route[] =>
    routes.map(([method, path, scope]) => ({
      ...allRoutes[0]!,
      method,
      path: `/api/${chapter}/${path}`,
      scope,
    }));

  /** Nine more features, in which reading and changing lie side by side, and more for dialers. */
  const further = [
    ...Array.from({ length: 9 }, (_, at) =>
      made(`feature${at}`, [
        ['GET', 'list', 'outbound/read'],
        ['GET', 'detail/{id}', 'outbound/read'],
        ['GET', '{id}/members', 'outbound/read'],
        ['GET', '{id}/member/{memberId}', 'outbound/read'],
        ['POST', 'find', 'outbound/read'],
        ['POST', 'add', 'outbound/write'],
        ['POST', 'delete', 'outbound/write'],
        ['POST', '{id}/member/add', 'outbound/write'],
        ['POST', '{id}/member/{memberId}/move', 'outbound/write'],
        ['POST', '{id}/member/{memberId}/delete', 'outbound/write'],
      ]),
    ).flat(),
    ...Array.from({ length: 5 }, (_, at) =>
      made('dialer', [
        ['GET', `look${at}/{id}`, 'outbound/dial'],
        ['POST', `tell${at}`, 'outbound/dial'],
      ]),
    ).flat(),
  ];

  const requestOf = ({ method, path }: Route, parameter: string) =>
    `${stage}/${method}${path.replace(/\{\w+\}/g, parameter)}`;

  describe.each([
    ['the routes', allRoutes],
    ['a hundred routes more', [...allRoutes, ...further]],
  ])('of %s', (_, routes) => {
    it.each(everySet.map((granted) => [granted]))(
      'allows exactly those of %j, in less than 8 KB',
      async (granted) => {
        const policy = await ask(async () => ({ clientId: 'c', name: 'ann', scopes: granted }), routes);
        const role = new RolePolicy(policy.policyDocument.Statement as Statement[]);
        const permits = (resource: string) =>
          role.permits({ action: 'execute-api:Invoke', resource, keys: [] });
        for (const route of routes)
          for (const parameter of ['4k9x2m7q8t3vbn5c', 'a', 'list'])
            expect([route.method, route.path, permits(requestOf(route, parameter))]).toEqual([
              route.method,
              route.path,
              route.scope === null || granted.includes(route.scope),
            ]);
        expect(JSON.stringify(policy).length).toBeLessThan(8192);
      },
    );
  });

  it('needs two patterns to allow every route, however many there are', async () => {
    const { policyDocument } = await ask(async () => ({ clientId: 'c', name: 'ann', scopes: [...scopes] }));
    expect(policyDocument.Statement).toEqual([
      { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: [`${stage}/GET/*`, `${stage}/POST/*`] },
    ]);
  });
});
