import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { JwtPayload } from 'aws-jwt-verify/jwt-model';
import { type Route, type Scope, scopes, scopesOfGroups } from '../api/route.ts';
import { ServiceError } from '../rules/errors.ts';

/** The caller and its scopes. */
export type Principal = {
  clientId: string;
  /** The name that the history shows: that of the user, or of the client. */
  name: string;
  scopes: Scope[];
  /** Epoch seconds. The development token of local mode has none. */
  expires?: number;
};

/** @throws ServiceError unauthorized */
export type VerifyToken = (token: string) => Promise<Principal>;

type Jwks = Parameters<ReturnType<typeof JwtVerifier.create>['cacheJwks']>[0];

export type TokenSettings = {
  issuer: string;
  /** Client ids or audiences whose tokens are accepted. */
  audiences: readonly string[];
  /** URL of the issuer's keys; by default `<issuer>/.well-known/jwks.json`. */
  jwksUri?: string;
  /** The issuer's keys, if they need not be fetched. */
  jwks?: Jwks;
};

const unauthorized = (message: string) => new ServiceError('UNAUTHENTICATED', message);

const textsOf = (claim: unknown): string[] => {
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) ? claim.map(String) : [];
};

/** In a user pool only the access tokens of users have a user name. */
const isUser = ({ token_use, username }: JwtPayload) =>
  token_use === 'access' && typeof username === 'string';

const groups: Readonly<Record<string, readonly string[]>> = scopesOfGroups;

/** A user's scopes come from the user's groups alone, whatever scopes the client asked for. */
const grantedTo = (payload: JwtPayload): string[] =>
  isUser(payload)
    ? textsOf(payload['cognito:groups']).flatMap((group) =>
        Object.hasOwn(groups, group) ? groups[group]! : [],
      )
    : [...textsOf(payload.scope), ...textsOf(payload.scp)];

/** Access tokens of Cognito name their client. Those of other issuers name an audience. */
const principalOf = (payload: JwtPayload, audiences: readonly string[]): Principal => {
  if (payload.token_use !== undefined && payload.token_use !== 'access') {
    throw unauthorized('the token is not an access token');
  }
  const bearers = [...textsOf(payload.aud), ...textsOf(payload.client_id)];
  if (!bearers.some((bearer) => audiences.includes(bearer))) {
    throw unauthorized('the token was issued for another service');
  }
  if (payload.exp === undefined) throw unauthorized('the token has no expiry');
  const granted = new Set(grantedTo(payload));
  return {
    clientId: String(payload.client_id ?? payload.azp ?? payload.sub ?? 'unknown'),
    name: String(payload.username ?? payload.sub ?? payload.client_id ?? payload.azp ?? 'unknown'),
    scopes: scopes.filter((scope) => granted.has(scope)),
    expires: payload.exp,
  };
};

/** There are no other keys, so a token that names an unknown key causes no request. */
const knownKeys = (jwks: Jwks) =>
  new SimpleJwksCache({
    fetcher: { fetch: async () => new TextEncoder().encode(JSON.stringify(jwks)).buffer },
  });

/** Checks signature, issuer, expiry, use and audience of a JWT access token. */
export const tokenVerifier = ({ issuer, audiences, jwksUri, jwks }: TokenSettings): VerifyToken => {
  const verifier = JwtVerifier.create(
    { issuer, audience: null, ...(jwksUri === undefined ? {} : { jwksUri }) },
    jwks === undefined ? undefined : { jwksCache: knownKeys(jwks) },
  );
  return async (token) => {
    try {
      return principalOf(await verifier.verify(token), audiences);
    } catch (error) {
      // If the issuer's keys cannot be fetched, the token is not at fault.
      if (!(error instanceof JwtBaseError) || error instanceof FetchError) throw error;
      throw unauthorized('the access token is malformed, expired or not signed by the issuer');
    }
  };
};

const bearerHeader = /^Bearer +(\S+) *$/i;

/** @throws ServiceError unauthorized */
export const authenticate = async (header: string | undefined, verify: VerifyToken): Promise<Principal> => {
  if (header === undefined || header === '') throw unauthorized('the Authorization header is missing');
  const token = bearerHeader.exec(header)?.[1];
  if (token === undefined) throw unauthorized('the Authorization header must be: Bearer <access token>');
  return verify(token);
};

export const mayUse = (principal: Principal, route: Route): boolean =>
  route.scope === null || principal.scopes.includes(route.scope);
