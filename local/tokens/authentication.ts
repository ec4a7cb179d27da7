import { createHash, timingSafeEqual } from 'node:crypto';
import { scopes } from '../../shared/api/route.ts';
import { tokenVerifier, type VerifyToken } from '../../shared/http/tokens.ts';
import { localTokenSettings, signingKey } from './signing-key.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** JWTs signed by the local key, and the development token, which carries every scope. */
export const localVerifier = async (dataDir: string, accessToken: string): Promise<VerifyToken> => {
  const verify = tokenVerifier(localTokenSettings(await signingKey(dataDir)));
  const development = digest(accessToken);
  return async (token) =>
    timingSafeEqual(digest(token), development)
      ? { clientId: 'local-developer', name: 'local-developer', scopes: [...scopes] }
      : verify(token);
};
