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

it('a token of an issuer that tells no end is asked for anew after minutes, for the scopes that were named', async () => {
  const clock = { now: 0 };
  const sent: unknown[] = [];
  const renewed = new RenewedToken(
    { tokenUrl: 'http://issuer', clientId: 'a', clientSecret: 'b', scopes: ['read', 'write'] },
    {
      now: () => clock.now,
      send: async (_url, { body }) => {
        sent.push((body as URLSearchParams).get('scope'));
        return Response.json({ access_token: String(sent.length) });
      },
    },
  );
  expect(await renewed.token()).toBe('1');
  clock.now = 269_999;
  expect(await renewed.token()).toBe('1');
  clock.now = 270_000;
  expect([await renewed.token(), sent]).toEqual(['2', ['read write', 'read write']]);
});

describe('a client', () => {
  const asking = (answer: () => Promise<Response>, asked: string[] = []) => {
    const fetch = (request: Request) => {
      asked.push(request.url);
      return answer();
    };
    const client = createApiClient({ baseUrl: 'http://service//', token: () => undefined, fetch });
    return dataOf(client.GET('/api/task/list'));
  };

  it('takes an address with a slash at its end', async () => {
    const asked: string[] = [];
    const answer = { code: 0, message: 'success', data: { total: 0, rows: [] } };
    expect(await asking(async () => Response.json(answer), asked)).toEqual(answer.data);
    expect(asked).toEqual(['http://service/api/task/list']);
  });

  it('tells an answer that is not from the service, none at all, and one that nobody waits for', async () => {
    const proxy = async () => Response.json({ error: 'bad gateway' }, { status: 502 });
    await expect(asking(proxy)).rejects.toMatchObject({ name: 'NoAnswer', message: /^status 502/ });
    const page = async () => Response.json('a page');
    await expect(asking(page)).rejects.toMatchObject({ name: 'NoAnswer' });
    const silent = () => Promise.reject(new TypeError('refused'));
    await expect(asking(silent)).rejects.toMatchObject({ name: 'NoAnswer', message: 'refused' });
    const gone = () => Promise.reject(new DOMException('gone', 'AbortError'));
    await expect(asking(gone)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('tells the word, the fields and the tasks of a refusal', async () => {
    const errors = [{ field: 'id', code: 'UNKNOWN', message: 'why' }];
    const headers = {
      ...{ 'x-request-id': 'r1', 'x-error-code': 'DATA_SOURCE_IN_USE' },
      ...{ 'x-task-ids': 'a,b', 'x-task-count': '3' },
    };
    const refused = async () =>
      Response.json({ code: 405, message: 'in use', data: { errors } }, { status: 405, headers });
    await expect(asking(refused)).rejects.toMatchObject({
      ...{ name: 'ServiceRefusal', code: 405, message: 'in use', errors, requestId: 'r1' },
      ...{ errorCode: 'DATA_SOURCE_IN_USE', tasks: { ids: ['a', 'b'], count: 3 } },
    });
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
