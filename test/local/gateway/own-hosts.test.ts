import { describe, expect, it } from 'vitest';
import { accessToken, startApi, useApi } from '../../support/service/api.ts';
import { exchange, lastBodyOf, statusesOf } from '../../support/service/raw-http.ts';

const listing = (headers: Record<string, string>, path = '/api/task/list') =>
  [
    `GET ${path} HTTP/1.1`,
    `authorization: Bearer ${accessToken}`,
    'connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n');

describe('a request to local mode', () => {
  const api = useApi();
  const own = () => new URL(api.url).host;
  const statusWith = async (headers: Record<string, string>, path?: string) =>
    statusesOf(await exchange(api.url, [listing(headers, path)]))[0];

  it.each([
    'attacker.example',
    'attacker.example:3000',
    '127.0.0.1.attacker.example',
    '[::2]',
    'localhost@x',
    '',
  ])('for the host %j is 421 and reads nothing', async (host) => {
    const answer = await exchange(api.url, [listing({ host })]);
    expect(statusesOf(answer)).toEqual([421]);
    expect(answer).toMatch(/x-error-code: HOST_UNKNOWN/i);
    expect(lastBodyOf(answer)).toMatchObject({ code: 421, data: null });
  });

  it.each(['/', '/docs', '/docs/openapi.json', '/api/nowhere'])(
    'for another host is 421 at %s too',
    async (path) => {
      expect(await statusWith({ host: 'attacker.example' }, path)).toBe(421);
    },
  );

  it.each([
    'localhost',
    'localhost:1',
    '127.0.0.1',
    '127.0.0.5',
    '[::1]:3000',
    'tasks.localhost',
    'LOCALHOST',
  ])('for the host %j is answered', async (host) => {
    expect(await statusWith({ host })).toBe(200);
  });

  it.each(['http://attacker.example', 'http://127.0.0.1:9', 'https://localhost', 'null', 'no origin'])(
    'of a page of %j is 403',
    async (origin) => {
      const answer = await exchange(api.url, [listing({ host: own(), origin })]);
      expect(statusesOf(answer)).toEqual([403]);
      expect(answer).toMatch(/x-error-code: ORIGIN_REFUSED/i);
    },
  );

  it("of the service's own page is answered", async () => {
    expect(await statusWith({ host: own(), origin: `http://${own()}` })).toBe(200);
  });

  it('for a name in ALLOWED_HOSTS, or of its page, is answered', async () => {
    const named = await startApi({ allowedHosts: ['calls.example', 'other.example'] });
    const statusOf = async (headers: Record<string, string>) =>
      statusesOf(await exchange(named.url, [listing(headers)]))[0];
    expect(await statusOf({ host: 'calls.example' })).toBe(200);
    expect(await statusOf({ host: 'calls.example:8443', origin: 'https://calls.example:8443' })).toBe(200);
    expect(await statusOf({ host: 'localhost', origin: 'https://other.example' })).toBe(200);
    expect(await statusOf({ host: 'elsewhere.example' })).toBe(421);
    await named.stop();
  });
});
