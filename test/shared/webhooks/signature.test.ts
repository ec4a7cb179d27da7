import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { newSecret, signed } from '../../../shared/webhooks/signature.ts';

const body = JSON.stringify({ type: 'call.ended', data: { note: '你好 ✓' } });

it('signs as the library of Standard Webhooks verifies', () => {
  const secret = newSecret();
  const headers = signed([secret], 'call-1-ended', Date.now(), body);
  expect(headers['webhook-id']).toBe('call-1-ended');
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

it('signs with each secret, so that a receiver may have the old one or the new one', () => {
  const secrets = [newSecret(), newSecret()];
  const headers = signed(secrets, 'id', Date.now(), body);
  for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
});

it('signs the body, the id and the time', () => {
  const secret = newSecret();
  const headers = signed([secret], 'id', Date.now(), body);
  const verify =
    (changed: Partial<typeof headers>, text = body) =>
    () =>
      new Webhook(secret).verify(text, { ...headers, ...changed });
  expect(verify({}, `${body} `)).toThrow('No matching signature');
  expect(verify({ 'webhook-id': 'other' })).toThrow('No matching signature');
  const later = String(Number(headers['webhook-timestamp']) + 1);
  expect(verify({ 'webhook-timestamp': later })).toThrow('No matching signature');
  expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
});

it('makes secrets of 32 random bytes', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newSecret()).not.toBe(secret);
});
