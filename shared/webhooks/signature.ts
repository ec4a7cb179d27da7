import { createHmac, randomBytes } from 'node:crypto';
import { type Instant, secondMs } from '../domain/time.ts';

const secretPrefix = 'whsec_';
const secretBytes = 32;

export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

const signature = (secret: string, content: string): string => {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

/** The headers by which a receiver verifies a delivery: Standard Webhooks 1.0. Each secret signs. */
export const signed = (secrets: readonly string[], id: string, time: Instant, body: string) => {
  const timestamp = String(Math.floor(time / secondMs));
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signature(secret, content)).join(' '),
  };
};
