import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient, dataOf } from '../../client/client.ts';
import { RenewedToken } from '../../client/client-credentials.ts';
import { type Api, accessToken, startApi } from '../support/service/api.ts';
import { anIssuer } from '../support/service/issuer.ts';

const hour = 3_600_000;

describe('a renewed token', () => {
  /** With a clock that the test sets. */
  const tokenOf = async (answers: Parameters<typeof anIssuer>[0]) => {
    const issuer = await anIssuer(answers);
    const clock = { now: 0 };
    return { issuer, clock, renewed: new RenewedToken(issuer.credentials, { now: () => clock.now }) };
  };

  it('is asked for once, however many requests wait for it, and used for nine tenths of its life', async () => {
    const { issuer, clock, renewed } = await tokenOf([{ token: 'a' }, { token: 'b' }]);
    expect(await Promise.all([1, 2, 3].map(() => renewed.token()))).toEqual(['a', 'a', 'a']);
    clock.now = 0.89 * hour;
    expect(await renewed.token()).toBe('a');
    expect(issuer.asked).toBe(1);
    clock.now = 0.9 * hour;
    expect(await renewed.token()).toBe('b');
    await issuer.close();
  });

  it('serves to its end while the issuer does not answer', async () => {
    const { issuer, clock, renewed } = await tokenOf([{ token: 'a' }, { status: 503 }]);
    await renewed.token();
    clock.now = 0.95 * hour;
    expect(await renewed.token()).toBe('a');
    clock.now = hour;
    await expect(renewed.token()).rejects.toThrow(/no access token: .* answered 503/);
    await issuer.close();
    await expect(renewed.token()).rejects.toThrow(/does not answer/);
  });

  it('is replaced once when it was refused, however many requests were refused with it', async () => {
    const { issuer, renewed } = await tokenOf([{ token: 'a' }, { token: 'b' }, { token: 'c' }]);
    await renewed.token();
    expect(await Promise.all([1, 2, 3].map(() => renewed.tokenAfter('a')))).toEqual(['b', 'b', 'b']);
    expect(await renewed.tokenAfter('a')).toBe('b');
    expect(issuer.asked).toBe(2);
    await issuer.close();
  });
});

describe('a client with a renewed token', () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  const clientWith = (renewed: RenewedToken) =>
    createApiClient({
      baseUrl: api.url,
      token: () => renewed.token(),
      tokenAfter: (refused) => renewed.tokenAfter(refused),
    });

  it('sends a request again, body and all, when its token was refused', async () => {
    const issuer = await anIssuer([{ token: 'withdrawn' }, { token: accessToken }]);
    const client = clientWith(new RenewedToken(issuer.credentials));
    const added = client.POST('/api/dataSource/add', { body: { dataSourceName: 'after renewal' } });
    expect(await dataOf(added)).toMatchObject({ dataSourceName: 'after renewal' });
    await issuer.close();
  });

  it('sends it again once only', async () => {
    const issuer = await anIssuer([{ token: 'withdrawn' }, { token: 'this too' }]);
    const client = clientWith(new RenewedToken(issuer.credentials));
    await expect(dataOf(client.GET('/api/task/list'))).rejects.toMatchObject({ code: 401 });
    expect(issuer.asked).toBe(2);
    await issuer.close();
  });
});
