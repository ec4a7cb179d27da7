import { createHmac, randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalid } from '../platform/rules/errors.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import type { Answer } from './rules/progress.ts';

const longestUrl = 1000;

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

export const isLoopback = (address: string) => ipaddr.parse(address).range() === 'loopback';

/** An IPv6 address that contains an IPv4 address is never public. */
export const isPublic = (address: string) => {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
};

/** Names of a private network: RFC 6762, RFC 8375, `.internal`, and names without a dot. */
const privateName = /^[^.]+$|(^|\.)(local|localdomain|internal|home\.arpa)$/;

/** RFC 6761 reserves these names for loopback. */
const isLocalName = (host: string) => /(^|\.)localhost$/.test(host);

/** Without the brackets of IPv6, and without the dot that may end a name. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** @throws ServiceError invalid */
const assertAllowed = (url: URL, allowsLoopback: boolean): void => {
  const host = hostOf(url);
  const isAddress = isIP(host) !== 0;
  const isLocal = isAddress ? isLoopback(host) : isLocalName(host);
  const isAllowedLocal = isLocal && allowsLoopback;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowedLocal))
    throw invalid('url', 'must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'must not have a user name or a password');
  if (isAllowedLocal) return;
  if (isLocal || (isAddress ? !isPublic(host) : privateName.test(host)))
    throw invalid('url', 'must not lead to a private, local or reserved address');
};

/** `new URL` takes `https:///x` for the host `x`, and lets a name have empty parts. */
const hasHost = (text: string, url: URL): boolean =>
  /^\s*[a-z]+:\/\/[^\s/\\?#]/i.test(text) &&
  hostOf(url)
    .split('.')
    .every((part) => part !== '');

/**
 * Names are checked here. The addresses that a name resolves to are checked at delivery.
 * @throws ServiceError for an address that no webhook may have
 */
export const checkedAddress = (text: string, allowsLoopback: boolean): void => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.length > longestUrl)
    throw invalid('url', `must be an address of at most ${longestUrl} characters`);
  assertAllowed(url, allowsLoopback);
  if (!hasHost(text, url)) throw invalid('url', 'must have a host: https://host/path');
};

const secretPrefix = 'whsec_';
const secretBytes = 32;

export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

const signature = (secret: string, content: string): string => {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};

/**
 * The headers by which a receiver verifies a delivery, of Standard Webhooks 1.0. There is a
 * signature for each secret.
 */
export const signed = (secrets: readonly string[], id: string, time: Instant, body: string) => {
  const timestamp = String(Math.floor(time / secondMs));
  const content = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signature(secret, content)).join(' '),
  };
};

/** All addresses of a name. */
type Resolve = (name: string) => Promise<string[]>;

/** Maximum of milliseconds from the lookup of the name to the end of the answer. */
const answerMs = 15 * secondMs;
/** Bytes that are read of an answer's body. Then the connection is closed. */
const bodyBytes = 4096;

class AddressRefused extends Error {}

const retryAfterMs = (value: string | string[] | undefined): number | undefined => {
  if (typeof value !== 'string') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * secondMs : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
};

const resolveName: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * Sends to receivers. Each request has a connection of its own. The connection resolves the name of
 * the receiver once, checks every address that the name has, and uses only these. So a name that
 * has another address a moment later leads nowhere else. Redirects are not followed.
 */
export class Receivers {
  readonly #allowsLoopback: boolean;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;

  constructor({
    allowsLoopback,
    resolve = resolveName,
    timeoutMs = answerMs,
  }: {
    allowsLoopback: boolean;
    resolve?: Resolve;
    timeoutMs?: number;
  }) {
    this.#allowsLoopback = allowsLoopback;
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  async post(address: string, headers: Record<string, string>, body: string): Promise<Answer> {
    const begin = performance.now();
    const ms = () => Math.round(performance.now() - begin);
    const url = new URL(address);
    try {
      assertAllowed(url, this.#allowsLoopback);
    } catch {
      return { failure: 'address', ms: ms() };
    }
    // Loaded on demand, because the HTTP client is as large as all of our code.
    const { Client } = (await import('undici')).default;
    const client = new Client(url.origin, {
      connect: { lookup: this.#lookup, timeout: this.#timeoutMs },
      pipelining: 0,
    });
    let isTimeUp = false;
    const timer = setTimeout(() => {
      isTimeUp = true;
      void client.destroy();
    }, this.#timeoutMs);
    try {
      const path = url.pathname + url.search;
      const answer = await client.request({ path, method: 'POST', headers, body });
      // The status counts, even if the body does not end.
      await answer.body.dump({ limit: bodyBytes }).catch(() => {});
      const retryAfter = retryAfterMs(answer.headers['retry-after']);
      return {
        status: answer.statusCode,
        ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
        ms: ms(),
      };
    } catch (error) {
      if (error instanceof AddressRefused) return { failure: 'address', ms: ms() };
      return { failure: isTimeUp ? 'timeout' : 'connection', ms: ms() };
    } finally {
      clearTimeout(timer);
      void client.destroy();
    }
  }

  #lookup: LookupFunction = (name, options, done) => {
    this.#addressesOf(name).then(
      (found) => {
        const [first] = found;
        if (options.all) done(null, found);
        else if (first === undefined) done(new Error('the name has no address'), '');
        else done(null, first.address, first.family);
      },
      (error) => done(error, ''),
    );
  };

  async #addressesOf(name: string) {
    const addresses = await this.#resolve(name);
    const isAllowed = (address: string) => isPublic(address) || (this.#allowsLoopback && isLoopback(address));
    if (!addresses.every(isAllowed)) throw new AddressRefused();
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }
}
