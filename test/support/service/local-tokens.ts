import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { issueToken, signingKey } from '../../../local/tokens/local-tokens.ts';

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Short: it is made in a tenth of the time. */
export const anotherKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;

/** The parts of a token issued by the service, to be put together wrongly. */
export const partsOf = (token: string) => {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  return { header: read(header), claims: read(claims), signature };
};

export const signed = (header: object, claims: object, key: KeyObject): string => {
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`;
};

/** Signed with a secret that an attacker knows too, such as the public key's text. */
export const signedWithSecret = (header: object, claims: object, secret: string): string => {
  const content = `${encoded(header)}.${encoded(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
};

export const unsigned = (header: object, claims: object) => `${encoded(header)}.${encoded(claims)}.`;

/**
 * As somebody of the group `viewers` gets one from the user pool, for the service with this data
 * folder.
 */
export const aViewersToken = async (dataDir: string): Promise<string> => {
  const person = { username: 'ann', 'cognito:groups': ['viewers'] };
  return issueToken(await signingKey(dataDir), 'openid', 3600, Date.now(), person);
};
