import type { IncomingMessage } from 'node:http';
import os from 'node:os';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { setting } from '../../shared/platform/settings/settings.ts';

type Hosts = { host: string; allowedHosts?: readonly string[] };

/** The host name in `name`, `name:port`, `[address]:port` or an origin; empty if there is none. */
const nameIn = (text: string): string => {
  const address = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : '';
};

const ownNames = (): string[] => {
  const addresses = Object.values(os.networkInterfaces()).flatMap((found) => found ?? []);
  return ['localhost', os.hostname(), ...addresses.map(({ address }) => address)];
};

const isLoopback = (name: string) =>
  /^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(name) || name.endsWith('.localhost');

/**
 * Refuses requests that a page of another site makes through the browser of this machine. The
 * development token is well known, and such a page can make its own name lead to 127.0.0.1. So the
 * `Host` must be a name of this machine, and the `Origin` that of the request.
 * @throws ServiceError
 */
export const ownHosts = ({ host, allowedHosts = [] }: Hosts) => {
  const bracketed = (name: string) => (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name);
  const known = new Set([...ownNames(), host, ...allowedHosts].map((name) => nameIn(bracketed(name))));
  const isOwn = (name: string) => isLoopback(name) || (name !== '' && known.has(name));
  return ({ headers }: IncomingMessage): void => {
    if (headers.host !== undefined && !isOwn(nameIn(headers.host)))
      throw new ServiceError(
        'HOST_UNKNOWN',
        `this service does not answer for the host ${headers.host}; add its name to ALLOWED_HOSTS`,
      );
    const { origin } = headers;
    if (origin === undefined || origin === setting('CORS_ORIGIN')) return;
    const isSame = URL.canParse(origin) && new URL(origin).host === headers.host?.toLowerCase();
    if (!isSame && !allowedHosts.map(nameIn).includes(nameIn(origin)))
      throw new ServiceError('ORIGIN_REFUSED', `pages of ${origin} may not use this service`);
  };
};
