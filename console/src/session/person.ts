import { useStore } from '../ui/store.ts';
import { session } from './session.ts';

/** Who uses the page and what the service will let them do; the service checks it anew each time. */
export type Person = { name: string | undefined; mayRead: boolean; mayWrite: boolean; mayDial: boolean };

type Claims = { username?: unknown; scope?: unknown; token_use?: unknown; 'cognito:groups'?: unknown };

const claimsIn = (token: string): Claims | undefined => {
  const part = token.split('.')[1];
  if (part === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
      c.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
  } catch {
    return undefined;
  }
};

/** What a token allows is in it; one that is no JWT is local mode's, which carries every scope. */
export const personOf = (token: string): Person => {
  const claims = claimsIn(token);
  if (claims === undefined) return { name: undefined, mayRead: true, mayWrite: true, mayDial: true };
  if (typeof claims.username === 'string') {
    const groups = Array.isArray(claims['cognito:groups']) ? claims['cognito:groups'] : [];
    const mayWrite = groups.includes('operators');
    return {
      name: claims.username,
      mayRead: mayWrite || groups.includes('viewers'),
      mayWrite,
      mayDial: false,
    };
  }
  const scopes = typeof claims.scope === 'string' ? claims.scope.split(' ') : [];
  const may = (scope: string) => scopes.includes(`outbound/${scope}`);
  return { name: undefined, mayRead: may('read'), mayWrite: may('write'), mayDial: may('dial') };
};

const nobody: Person = { name: undefined, mayRead: false, mayWrite: false, mayDial: false };

export const usePerson = (): Person => {
  const tokens = useStore(session);
  return tokens === undefined ? nobody : personOf(tokens.access);
};
