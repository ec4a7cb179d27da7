import { settings } from '../base/page-settings.ts';
import { keptInTab, tried } from '../base/preferences.ts';
import { createStore, useStore } from '../base/store.ts';
import { endSession, renewedTokens, type Tokens } from './sign-in.ts';

/** Who uses the page and what the service allows them; the service checks every request itself. */
type Person = { name: string | undefined; mayRead: boolean; mayWrite: boolean };

type Claims = { username?: unknown; scope?: unknown; token_use?: unknown; 'cognito:groups'?: unknown };

const claimsIn = (token: string): Claims | undefined =>
  tried(() => {
    const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(part), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  });

/** A JWT says what it allows. Another token is the development token of local mode, which carries every scope. */
export const personOf = (token: string | undefined): Person => {
  if (token === undefined) return { name: undefined, mayRead: false, mayWrite: false };
  const claims = claimsIn(token);
  if (claims === undefined) return { name: undefined, mayRead: true, mayWrite: true };
  if (typeof claims.username === 'string') {
    const groups = Array.isArray(claims['cognito:groups']) ? claims['cognito:groups'] : [];
    const mayWrite = groups.includes('operators');
    return { name: claims.username, mayRead: mayWrite || groups.includes('viewers'), mayWrite };
  }
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : [];
  const may = (scope: string) => scopes.includes(`outbound/${scope}`);
  return { name: undefined, mayRead: may('read'), mayWrite: may('write') };
};

/** A user in no group has no role, and no access. */
export const roleOf = ({ mayRead, mayWrite }: Person): 'operator' | 'viewer' | 'noRole' =>
  mayWrite ? 'operator' : mayRead ? 'viewer' : 'noRole';

export const usePerson = (): Person => personOf(useStore(session)?.access);

const key = 'console.session';

export const session = createStore(keptInTab<Tokens>(key));

/** The last token that the service accepted. A token that the tab has kept was accepted before. */
let taken = session.get()?.access;
export const tokenTaken = (token: string | undefined): void => {
  taken = token;
};

/** Why the reader has to sign in; absent where there is a token. */
export const missing = createStore<'absent' | 'ended' | 'refused' | undefined>(
  session.get() === undefined ? 'absent' : undefined,
);

export const accessToken = (): string | undefined => session.get()?.access;

/** Requests that wait for a new token. */
const waiting: (() => void)[] = [];

/** The tab's session only: nothing is kept once it is closed. */
export const keepTokens = (next: Tokens): void => {
  sessionStorage.setItem(key, JSON.stringify(next));
  session.set(next);
  missing.set(undefined);
  for (const release of waiting.splice(0)) release();
};

/** `#token=…`, as the start of the local service prints it: taken out of the address at once. */
export const takeTokenFromAddress = (): void => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  if (token !== '') keepTokens({ access: token });
};

let renewing: Promise<boolean> | undefined;

const renew = async (): Promise<boolean> => {
  const refresh = session.get()?.refresh;
  if (settings.signIn === undefined || refresh === undefined) return false;
  const renewed = await renewedTokens(settings.signIn, refresh).catch(() => undefined);
  if (renewed === undefined) return false;
  keepTokens({ refresh, ...renewed });
  return true;
};

/** Resolves once there is another token than the refused one; asks the reader where it cannot be renewed. */
export const anotherToken = async (refused: string | undefined): Promise<void> => {
  if (accessToken() !== refused && accessToken() !== undefined) return;
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  if (await renewing) return;
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    missing.set(refused === undefined ? 'absent' : refused === taken ? 'ended' : 'refused');
  });
};

export const signOut = (): void => {
  const refresh = session.get()?.refresh;
  sessionStorage.removeItem(key);
  session.set(undefined);
  missing.set('absent');
  if (settings.signIn !== undefined) endSession(settings.signIn, refresh);
};
