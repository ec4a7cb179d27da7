import { createPublicKey, type KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueToken, signingKey } from '../../../local/tokens/local-tokens.ts';
import { allRoutes } from '../../../shared/app/all-routes.ts';
import { scopes } from '../../../shared/platform/api/route.ts';
import { type Api, expectError, startApi } from '../../support/service/api.ts';
import {
  anotherKey,
  partsOf,
  signed,
  signedWithSecret,
  unsigned,
} from '../../support/service/local-tokens.ts';

describe('access tokens', () => {
  let api: Api;
  let key: KeyObject;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'api-test-'));
    key = await signingKey(folder);
    api = await startApi({ dataDir: folder, accessToken: 'a-token-of-our-own' });
  });
  afterAll(async () => {
    await api.stop();
    await rm(folder, { recursive: true });
  });

  const list = '/api/task/list';
  const withHeader = (authorization: string) => api.send({ path: list, headers: { authorization } });
  const withToken = (token: string) => withHeader(`Bearer ${token}`);
  const issued = (scope = scopes.join(' '), lifetime = 60) => issueToken(key, scope, lifetime, Date.now());
  const refused = async (answer: ReturnType<typeof withToken>, message = /access token/) => {
    expectError(await answer, 401, message);
    expect((await answer).headers.get('www-authenticate')).toBe('Bearer');
  };

  it('are refused before any was issued, and accepted as soon as the first one is', async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'api-test-'));
    const fresh = await startApi({ dataDir });
    const answerTo = (signer: KeyObject) => {
      const authorization = `Bearer ${issueToken(signer, scopes.join(' '), 60, Date.now())}`;
      return fresh.send({ path: list, headers: { authorization } });
    };
    await refused(answerTo(key));
    expect((await answerTo(await signingKey(dataDir))).status).toBe(200);
    await refused(answerTo(key));
    await fresh.stop();
    await rm(dataDir, { recursive: true });
  });

  it('may be the development token, which carries every scope', async () => {
    expect((await withToken('a-token-of-our-own')).status).toBe(200);
    const headers = { authorization: 'Bearer a-token-of-our-own' };
    const answer = await api.send({ method: 'POST', path: '/api/task/add', headers, body: '{}' });
    expectError(answer, 400, /taskName/);
    await refused(withToken('local-dev-token'));
    await refused(withToken('a-token-of-our-own2'));
  });

  it('come behind the word Bearer in any case', async () => {
    for (const word of ['bearer', 'BEARER', 'bEaReR'])
      expect((await withHeader(`${word} ${issued()}`)).status).toBe(200);
    expect((await withHeader(`Bearer   ${issued()}`)).status).toBe(200);
  });

  it('are refused when missing or not in that form', async () => {
    const response = await fetch(`${api.url}${list}`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ code: 401, message: expect.stringMatching(/missing/) });
    for (const header of ['', 'Bearer', issued(), `Basic ${issued()}`, `Bearer ${issued()} x`, 'Bearer,x'])
      await refused(withHeader(header), /Authorization header/);
  });

  it('are refused when malformed', async () => {
    const token = issued();
    const malformed = [
      'x',
      '..',
      'a.b.c',
      'null',
      token.slice(0, -400),
      `${token}.x`,
      token.replaceAll('.', ''),
    ];
    for (const text of [...malformed, '__proto__', `${'a'.repeat(6000)}.b.c`]) await refused(withToken(text));
  });

  it('are refused once expired', async () => {
    await refused(withToken(issued('outbound/read', -1)));
    await refused(withToken(issued('outbound/read', 0)));
  });

  it('are refused with a signature that is not the issuer’s', async () => {
    const { header, claims, signature } = partsOf(issued());
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    await refused(withToken(signed(header, claims, anotherKey())));
    await refused(withToken(`${encoded(header)}.${encoded({ ...claims, exp: 9e9 })}.${signature}`));
    await refused(withToken(signed({ ...header, kid: 'another-key' }, claims, key)));
  });

  it('are refused with another algorithm', async () => {
    const { header, claims } = partsOf(issued());
    for (const alg of ['none', 'None', 'NONE'])
      await refused(withToken(unsigned({ ...header, alg }, claims)));
    const pem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
    await refused(withToken(signedWithSecret({ ...header, alg: 'HS256' }, claims, pem)));
    await refused(withToken(signed({ ...header, alg: 'RS512' }, claims, key)));
  });

  it('are refused from another issuer, for another client, and when no access token', async () => {
    const { header, claims } = partsOf(issued());
    const changed = (change: object) => withToken(signed(header, { ...claims, ...change }, key));
    await refused(changed({ iss: 'https://elsewhere.example' }));
    await refused(changed({ iss: undefined }));
    await refused(changed({ client_id: 'another-client' }), /another service/);
    await refused(changed({ client_id: undefined }), /another service/);
    for (const token_use of ['id', 'refresh']) await refused(changed({ token_use }), /not an access token/);
    await refused(changed({ nbf: Math.floor(Date.now() / 1000) + 3600 }));
    expect((await changed({ client_id: undefined, aud: ['local-client'] })).status).toBe(200);
  });

  const scoped = allRoutes.flatMap(({ id, method, path: template, scope }) =>
    scope === null ? [] : { id, method, template, scope },
  );
  it.each(scoped)('without $scope are 403 at $method $template', async ({ method, template, scope }) => {
    const others = scopes.filter((other) => other !== scope).join(' ');
    for (const granted of ['', others, `${scope}s`, scope.toUpperCase()]) {
      const answer = await api.send({
        method,
        path: template.replaceAll(/\{\w+\}/g, 'x'),
        headers: { authorization: `Bearer ${issued(granted)}` },
      });
      expectError(answer, 403, new RegExp(scope));
    }
  });

  it('of any scope, or of none, may ask for the rules of the service', async () => {
    const ask = (authorization: string) => api.send({ path: '/api/service', headers: { authorization } });
    for (const granted of ['', 'openid', ...scopes])
      expect((await ask(`Bearer ${issued(granted)}`)).status).toBe(200);
    await refused(ask(''), /missing/);
  });

  it('are asked for before a word is said about what exists', async () => {
    for (const target of ['/api/task/detail/x', '/api/dataSource/x/contacts']) {
      await refused(api.send({ path: target, headers: { authorization: '' } }), /missing/);
    }
  });
});
