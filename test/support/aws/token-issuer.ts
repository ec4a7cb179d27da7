import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { selfSignedCertificate } from '../service/self-signed-certificate.ts';

const keyId = 'key-1';
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An OIDC issuer on loopback: it serves its keys over TLS and signs what it is told to. */
export const tokenIssuer = async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'token-issuer-'));
  const { key, cert } = selfSignedCertificate();
  const certificateFile = path.join(folder, 'certificate.pem');
  await writeFile(certificateFile, cert);
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' };
  const server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** An access token in the form Cognito issues them; `claims` go before. */
  const token = (scope: string, claims: object = {}, signingKey = privateKey): string => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, sub: 'a', client_id: 'our-client', token_use: 'access', scope };
    const content = [
      encoded({ alg: 'RS256', kid: keyId, typ: 'JWT' }),
      encoded({ ...usual, iat: now, exp: now + 3600, ...claims }),
    ].join('.');
    return `${content}.${sign('sha256', Buffer.from(content), signingKey).toString('base64url')}`;
  };

  return {
    token,
    /** What the authorizer must be given to trust it. */
    environment: {
      TOKEN_ISSUER: issuer,
      TOKEN_AUDIENCES: 'our-client,another-client',
      NODE_EXTRA_CA_CERTS: certificateFile,
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
