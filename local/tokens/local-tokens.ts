import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { scopes } from '../../shared/platform/api/route.ts';
import { type TokenSettings, tokenVerifier, type VerifyToken } from '../../shared/platform/http/tokens.ts';
import { makeFolder } from '../disk.ts';
import { inMemory, SettingError } from '../settings.ts';

const issuer = 'https://outbound.local';
const clientId = 'local-client';
const keyId = 'local-key';
const keyFile = 'signing-key.pem';

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

/**
 * Written as a whole and only once, by a link, because another process may write or read it at the
 * same moment.
 */
const makeKey = async (file: string) => {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, newKey().export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
};

const rsaKey = (pem: Buffer): KeyObject | undefined => {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
};

const readKey = async (file: string): Promise<KeyObject> => {
  const key = rsaKey(await readFile(file));
  if (key === undefined) throw new Error('holds no RSA key; delete it, and the next token makes a new key');
  return key;
};

const withKeyFile = async <T>(dataDir: string, use: (file: string) => Promise<T>): Promise<T> => {
  try {
    return await use(path.join(dataDir, keyFile));
  } catch (error) {
    throw new SettingError(`DATA_DIR cannot be used: ${keyFile}: ${(error as Error).message}`);
  }
};

/**
 * The key that signs local tokens. It is made with the first token and stored in the data folder.
 * @throws SettingError
 */
export const signingKey = (dataDir: string): Promise<KeyObject> =>
  withKeyFile(dataDir, async (file) => {
    await makeFolder(dataDir);
    if (!existsSync(file)) await makeKey(file);
    return readKey(file);
  });

/**
 * The key, if a token was ever signed. Making a key takes longer than the rest of a start.
 * @throws SettingError
 */
export const signingKeyIfAny = async (dataDir: string): Promise<KeyObject | undefined> => {
  if (dataDir === inMemory) return undefined;
  return withKeyFile(dataDir, async (file) => (existsSync(file) ? readKey(file) : undefined));
};

const publicKey = (key: KeyObject) => ({
  ...createPublicKey(key).export({ format: 'jwk' }),
  kty: 'RSA',
  kid: keyId,
  alg: 'RS256',
  use: 'sig',
});

/** Local tokens are verified like those of any issuer, but the key is not fetched. */
export const localTokenSettings = (...keys: KeyObject[]): TokenSettings =>
  ({ issuer, audiences: [clientId], jwks: { keys: keys.map(publicKey) } }) as TokenSettings;

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An access token like those of Cognito. */
export const issueToken = (
  key: KeyObject,
  scope: string,
  lifetimeSeconds: number,
  now: number,
  more: object = {},
): string => {
  const issuedAt = Math.floor(now / 1000);
  const claims = {
    iss: issuer,
    sub: clientId,
    client_id: clientId,
    token_use: 'access',
    scope,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
    ...more,
  };
  const content = `${encoded({ alg: 'RS256', kid: keyId, typ: 'JWT' })}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
};

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Verifies JWTs signed with the local key, and the development token, which has every scope.
 * @throws SettingError
 */
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
