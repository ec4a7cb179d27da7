import { tried } from '../base/preferences.ts';
import { useStore } from '../base/store.ts';
import { session } from './session.ts';

/** Who uses the page and what the service allows them; the service checks every request itself. */
export type Person = { name: string | undefined; mayRead: boolean; mayWrite: boolean };

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
