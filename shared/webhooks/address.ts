import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { invalid } from '../domain/errors.ts';

const urlLength = 1000;

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

export const isLoopback = (address: string) => ipaddr.parse(address).range() === 'loopback';

/** An IPv6 address that holds an IPv4 address is not public, whichever address it holds. */
export const isPublic = (address: string) => {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
};

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '');
/** RFC 6761 reserves these names for loopback. */
const isLocalName = (host: string) => /(^|\.)localhost\.?$/.test(host);

/** @throws ServiceError for an address that no webhook may have. What a name resolves to is checked at delivery. */
export const checkedAddress = (text: string, allowsLoopback: boolean): void => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.length > urlLength)
    throw invalid('url', `must be an address of at most ${urlLength} characters`);
  const host = hostOf(url);
  const isLocal = isLocalName(host) || (isIP(host) !== 0 && isLoopback(host));
  const isAllowedLocal = isLocal && allowsLoopback;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowedLocal))
    throw invalid('url', 'must begin with https://');
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'must not have a user name or a password');
  if (!isAllowedLocal && (isLocal || (isIP(host) !== 0 && !isPublic(host))))
    throw invalid('url', 'must not lead to a private, local or reserved address');
};
