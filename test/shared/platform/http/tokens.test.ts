import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { issueToken, localTokenSettings } from '../../../../local/tokens/local-tokens.ts';
import { routes } from '../../../../shared/app/all-routes.ts';
import { authenticate, mayUse, tokenVerifier } from '../../../../shared/platform/http/tokens.ts';
import { anotherKey, partsOf, signed } from '../../../support/service/local-tokens.ts';

const { addTask, leaseCalls, listTasks } = routes;

const key = anotherKey();
const settings = localTokenSettings(key);
const token = issueToken(key, 'outbound/read outbound/write unknown/scope', 3600, Date.now());
const { header, claims } = partsOf(token);

describe('token verification', () => {
  it('tells who calls and the scopes that mean something here', async () => {
    const principal = await tokenVerifier(settings)(token);
    expect(principal).toEqual({
      clientId: 'local-client',
      name: 'local-client',
      scopes: ['outbound/read', 'outbound/write'],
      expires: claims.exp,
    });
    expect([listTasks, addTask, leaseCalls].map((route) => mayUse(principal, route))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('reads the scopes of issuers that give a list, and their audiences', async () => {
    const { client_id, token_use, scope, ...rest } = claims;
    const foreign = signed(
      header,
      { ...rest, aud: ['x', 'local-client'], azp: 'caller', username: 'ann', scp: ['outbound/dial'] },
      key,
    );
    expect(await tokenVerifier(settings)(foreign)).toMatchObject({
      clientId: 'caller',
      scopes: ['outbound/dial'],
    });
  });

  it.each([
    [{ client_id: 'c', azp: 'a', sub: 's', username: 'u' }, 'c', 'u'],
    [{ azp: 'a', sub: 's' }, 'a', 's'],
    [{ azp: 'a' }, 'a', 'a'],
    [{ client_id: 'c' }, 'c', 'c'],
    [{ sub: 's' }, 's', 's'],
    [{}, 'unknown', 'unknown'],
  ])('names by %j the client %s and the person %s', async (named, clientId, name) => {
    const { client_id, sub, ...rest } = claims;
    const token = signed(header, { ...rest, aud: ['local-client'], ...named }, key);
    expect(await tokenVerifier(settings)(token)).toMatchObject({ clientId, name });
  });

  it('shows the person before the client through which the person came', async () => {
    const person = signed(header, { ...claims, sub: 'ann' }, key);
    expect(await tokenVerifier(settings)(person)).toMatchObject({ clientId: 'local-client', name: 'ann' });
  });

  it.each([
    [['viewers'], ['outbound/read']],
    [
      ['operators', 'payroll'],
      ['outbound/read', 'outbound/write'],
    ],
    [['constructor'], []],
    [undefined, []],
  ])(
    'gives a person of the groups %j the scopes %j, whatever the token asks for',
    async (groups, granted) => {
      const person = { ...claims, scope: 'openid outbound/dial', username: 'ann', 'cognito:groups': groups };
      expect(await tokenVerifier(settings)(signed(header, person, key))).toMatchObject({
        name: 'ann',
        scopes: granted,
      });
    },
  );

  it('refuses a token that never ends', async () => {
    const { exp, ...endless } = claims;
    await expect(tokenVerifier(settings)(signed(header, endless, key))).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'the token has no expiry',
    });
  });

  it('blames no token for an issuer that cannot be reached', async () => {
    const { jwks, ...remote } = settings;
    const verify = tokenVerifier({ ...remote, jwksUri: 'https://127.0.0.1:1/jwks.json' });
    await expect(verify(token)).rejects.not.toMatchObject({ code: 'unauthorized' });
  });

  it('looks for no other keys than those at hand', async () => {
    let connections = 0;
    const issuer = createServer().on('connection', (socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const jwksUri = `https://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks.json`;
    const unknown = signed({ ...header, kid: 'another' }, claims, key);
    const known = tokenVerifier({ ...settings, jwksUri });
    await expect(known(unknown)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(known(token)).resolves.toMatchObject({ clientId: 'local-client' });
    expect(connections).toBe(0);
    const { jwks, ...remote } = settings;
    await expect(tokenVerifier({ ...remote, jwksUri })(token)).rejects.toThrow();
    expect(connections).toBeGreaterThan(0);
    issuer.close();
  });

  it('trusts only the keys it was given', async () => {
    const other = { ...settings, jwks: localTokenSettings(anotherKey()).jwks! };
    await expect(tokenVerifier(other)(token)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('lets an error that is no fault of the token through', async () => {
    const broken = () => Promise.reject(new TypeError('a bug'));
    await expect(authenticate(`Bearer ${token}`, broken)).rejects.toThrow(TypeError);
  });
});
