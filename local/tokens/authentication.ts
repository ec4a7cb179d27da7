import { createHash, timingSafeEqual } from 'node:crypto';
import { scopes } from '../../shared/platform/api/index.ts';
import { tokenVerifier, type VerifyToken } from '../../shared/platform/http/index.ts';
import { localTokenSettings, signingKeyIfAny } from './signing-key.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Verifies JWTs signed with the local key, and the development token, which has every scope. @throws SettingError */
export const localVerifier = async (dataDir: string, accessToken: string): Promise<VerifyToken> => {
  const withKey = async () => {
    const key = await signingKeyIfAny(dataDir);
    return key && tokenVerifier(localTokenSettings(key));
  };
  const withoutKey = tokenVerifier(localTokenSettings());
  let verify = await withKey();
  const development = digest(accessToken);
  return async (token) => {
    if (timingSafeEqual(digest(token), development))
      return { clientId: 'local-developer', name: 'local-developer', scopes: [...scopes] };
    // The first token, and the key with it, may have been made after the start.
    verify ??= await withKey();
    return (verify ?? withoutKey)(token);
  };
};
