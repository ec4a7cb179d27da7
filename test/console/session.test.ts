import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const signIn = { baseUrl: 'https://people.example.com', clientId: 'the-console' };
const kept = { access: 'an access token', refresh: 'a refresh token' };

/** A module of the page, as a browser with these tokens runs it. */
const load = async (name: string) => {
  vi.resetModules();
  const content = JSON.stringify({ timeZone: 'UTC', signIn });
  const left: string[] = [];
  const storage = new Map([['console.session', JSON.stringify(kept)]]);
  vi.stubGlobal('document', {
    baseURI: 'https://api.example.com/console/',
    querySelector: () => ({ getAttribute: () => content }),
  });
  vi.stubGlobal('location', { origin: 'https://api.example.com', assign: (to: string) => left.push(to) });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  const file = new URL(`../../console/src/session/${name}.ts`, import.meta.url).pathname;
  return { page: (await import(file)) as never, storage, left };
};

afterEach(() => vi.unstubAllGlobals());

describe('signing out', () => {
  const sent: [string, RequestInit][] = [];
  beforeEach(() => {
    sent.length = 0;
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push([url, init]);
      throw new Error('the network is gone');
    });
  });

  it('forgets the tokens, takes the refresh token back and ends the session of the user pool', async () => {
    const { page, storage, left } = await load('session');
    (page as { signOut: () => void }).signOut();
    expect([...storage.keys()]).toEqual([]);
    expect(sent).toHaveLength(1);
    const [url, { method, body, keepalive }] = sent[0]!;
    expect([url, method, keepalive]).toEqual([`${signIn.baseUrl}/oauth2/revoke`, 'POST', true]);
    expect(Object.fromEntries(body as URLSearchParams)).toEqual({
      token: kept.refresh,
      client_id: signIn.clientId,
    });
    expect(left).toEqual([
      `${signIn.baseUrl}/logout?client_id=the-console&logout_uri=https%3A%2F%2Fapi.example.com%2Fconsole%2F`,
    ]);
  });
});

describe('the role of a user', () => {
  const tokenOf = (claims: object) =>
    ['', Buffer.from(JSON.stringify(claims)).toString('base64url'), ''].join('.');

  it.each([
    [['operators'], 'operator'],
    [['viewers'], 'viewer'],
    [[], 'noRole'],
    [undefined, 'noRole'],
    [['accounting'], 'noRole'],
  ])('in the groups %j is %s', async (groups, role) => {
    const { page } = await load('person');
    const { personOf, roleOf } = page as {
      personOf: (token: string) => object;
      roleOf: (person: object) => string;
    };
    expect(roleOf(personOf(tokenOf({ username: 'ann', 'cognito:groups': groups })))).toBe(role);
  });
});
