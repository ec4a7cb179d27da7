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
  const address = {
    ...{ origin: 'https://api.example.com', pathname: '/console/', search: '', hash: '' },
    assign: (to: string) => left.push(to),
  };
  vi.stubGlobal('location', address);
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  const file = new URL(`../../console/src/session/${name}.ts`, import.meta.url).pathname;
  return { page: (await import(file)) as never, storage, left, address };
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

describe('signing in', () => {
  it('leads back to the screen that was left, with the fragment of its address', async () => {
    const { page, left, address } = await load('sign-in');
    const { beginSignIn, endSignIn } = page as {
      beginSignIn: (by: typeof signIn) => Promise<void>;
      endSignIn: (by: typeof signIn) => Promise<{ access: string } | undefined>;
    };
    Object.assign(address, { pathname: '/console/people', hash: '#13800138000' });
    await beginSignIn(signIn);
    const state = new URL(String(left[0])).searchParams.get('state');
    expect(left[0]).not.toContain('13800138000');
    const shown: string[] = [];
    vi.stubGlobal('history', { replaceState: (_: null, __: string, to: string) => shown.push(to) });
    vi.stubGlobal('fetch', async () => Response.json({ access_token: 'fresh' }));
    address.search = `?code=c&state=${state}`;
    expect(await endSignIn(signIn)).toEqual({ access: 'fresh' });
    expect(shown).toEqual(['/console/people#13800138000']);
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
    const { page } = await load('session');
    const { personOf, roleOf } = page as {
      personOf: (token: string) => object;
      roleOf: (person: object) => string;
    };
    expect(roleOf(personOf(tokenOf({ username: 'ann', 'cognito:groups': groups })))).toBe(role);
  });
});
