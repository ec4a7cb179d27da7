import { basePath } from '../base/page-settings.ts';
import { keptInTab } from '../base/preferences.ts';

/** Authorization code with PKCE: no secret in the page, and a stolen code is worth nothing. */
type SignIn = { baseUrl: string; clientId: string };
export type Tokens = { access: string; refresh?: string };

const key = 'console.sign-in';
const callback = `${location.origin}${basePath}/`;

const encoded = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = () => encoded(crypto.getRandomValues(new Uint8Array(32)));

const digest = async (text: string) =>
  encoded(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

type Begun = { state: string; verifier: string; path: string };

export const beginSignIn = async ({ baseUrl, clientId }: SignIn): Promise<void> => {
  const path = location.pathname + location.search + location.hash;
  const begun: Begun = { state: random(), verifier: random(), path };
  sessionStorage.setItem(key, JSON.stringify(begun));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'openid',
    state: begun.state,
    code_challenge: await digest(begun.verifier),
    code_challenge_method: 'S256',
  });
  location.assign(`${baseUrl}/oauth2/authorize?${query}`);
};

const asked = async (baseUrl: string, form: Record<string, string>): Promise<Tokens> => {
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  if (!response.ok) throw new Error(`the user pool answered ${response.status}`);
  const answer = (await response.json()) as { access_token: string; refresh_token?: string };
  const { access_token: access, refresh_token: refresh } = answer;
  return { access, ...(refresh === undefined ? {} : { refresh }) };
};

export const renewedTokens = ({ baseUrl, clientId }: SignIn, refresh: string): Promise<Tokens> =>
  asked(baseUrl, { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh });

/** Comes back from the user pool with a code: the tokens for it, and the screen that was left. */
export const endSignIn = async ({ baseUrl, clientId }: SignIn): Promise<Tokens | undefined> => {
  const answer = new URLSearchParams(location.search);
  const code = answer.get('code');
  const begun = keptInTab<Begun>(key);
  if (code === null || begun === undefined || answer.get('state') !== begun.state) return undefined;
  sessionStorage.removeItem(key);
  history.replaceState(null, '', begun.path);
  const form = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: callback };
  return asked(baseUrl, { ...form, code_verifier: begun.verifier });
};

/** Takes the refresh token back, which would be good for hours, with the access tokens made from it. */
export const endSession = ({ baseUrl, clientId }: SignIn, refresh: string | undefined): void => {
  if (refresh !== undefined) {
    const body = new URLSearchParams({ token: refresh, client_id: clientId });
    // The request outlives the page; whether it was answered changes nothing here.
    void fetch(`${baseUrl}/oauth2/revoke`, { method: 'POST', body, keepalive: true }).catch(() => {});
  }
  location.assign(`${baseUrl}/logout?${new URLSearchParams({ client_id: clientId, logout_uri: callback })}`);
};
