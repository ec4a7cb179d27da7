import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { rulesOf } from '../time/zones.ts';
import { transportHeaders } from './envelope.ts';

type Encoding = 'br' | 'gzip';
type SiteFile = { contentType: string; plain: Buffer; encoded: Partial<Record<Encoding, Promise<Buffer>>> };
/** The built page and its assets, by path from the site's root. */
export type Site = ReadonlyMap<string, SiteFile>;

/** What the page knows about its service. */
export type PageSettings = {
  /** The time zone of the service's timestamps. */
  timeZone: string;
  /** ISO 3166 code of the country of numbers without +. Empty: no country. */
  country: string;
  /** `HH:MM-HH:MM`: no task calls outside these hours. Absent: at any hour. */
  callingHours?: string;
  /** Maximum of calls of all tasks at the same time. 0 or absent: no limit. */
  maxConcurrentCalls?: number;
  /** Maximum of rows of an uploaded file. */
  importMaxRows: number;
  /** Where users sign in. Absent in local mode, where the address has a token. */
  signIn?: { baseUrl: string; clientId: string };
  /** The service can create sample contacts and simulate calls to them. */
  sample?: true;
  /** Bytes of the largest file that an import accepts as a form. */
  formLimit?: number;
  /** Another origin to which files are uploaded. */
  uploadOrigin?: string;
};

export type SiteRequest = {
  /** From the site's root, without a leading slash. */
  path: string;
  /** Path of the site's root. It begins and ends with a slash. */
  base: string;
  acceptEncoding: string | undefined;
  settings: PageSettings;
};
export type SiteAnswer = { statusCode: number; headers: Record<string, string>; body: Buffer };

const page = 'index.html';
const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};
const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

export const loadSite = async (folder: string): Promise<Site> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && types[path.extname(entry.name)] !== undefined)
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const files = names.map(async (name): Promise<[string, SiteFile]> => {
    const plain = await readFile(path.join(folder, name));
    const contentType = types[path.extname(name)] as string;
    return [name.split(path.sep).join('/'), { contentType, plain, encoded: {} }];
  });
  return new Map(await Promise.all(files));
};

const originOf = (address: string | undefined) => (address === undefined ? [] : [new URL(address).origin]);

const policyFor = ({ signIn, uploadOrigin }: PageSettings): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ['connect-src', "'self'", ...originOf(signIn?.baseUrl), ...originOf(uploadOrigin)].join(' '),
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const safeHeaders = () => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  ...transportHeaders(),
});

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const pageAnswer = (site: Site, { base, settings }: SiteRequest): SiteAnswer => {
  const told = { ...settings, zone: rulesOf(settings.timeZone) };
  const text = site.get(page)?.plain.toString() ?? '';
  // Replaced by functions, because `$&` has a meaning in a replacement text.
  const body = text
    .replace('__BASE__', () => escaped(base))
    .replace('__SETTINGS__', () => escaped(JSON.stringify(told)));
  return {
    statusCode: 200,
    headers: {
      ...safeHeaders(),
      'content-type': types['.html'] as string,
      'content-security-policy': policyFor(settings),
      'cache-control': 'no-store',
    },
    body: Buffer.from(body),
  };
};

/** Whether the client accepts answers of that encoding, by its header. */
export const takes = (encoding: Encoding, header: string | undefined): boolean => {
  const accepted = new RegExp(`^\\s*${encoding}\\s*(;\\s*q=(?!0(\\.0+)?\\s*$).*)?$`, 'i');
  return header?.split(',').some((part) => accepted.test(part)) ?? false;
};

const fileAnswer = async (file: SiteFile, { acceptEncoding }: SiteRequest): Promise<SiteAnswer> => {
  const { contentType, plain, encoded } = file;
  const encoding = (['br', 'gzip'] as const).find((each) => takes(each, acceptEncoding));
  // Made when it is first asked for: the start of a function does not wait for files that nobody
  // loads.
  if (encoding !== undefined) encoded[encoding] ??= encoders[encoding](plain);
  return {
    statusCode: 200,
    headers: {
      ...safeHeaders(),
      'content-type': contentType,
      // Immutable: the name of an asset changes with its content.
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    },
    body: (encoding && (await encoded[encoding])) ?? plain,
  };
};

/** @returns the asset at the path; at any other path the page itself, except below `assets/` */
export const siteAnswer = async (site: Site, request: SiteRequest): Promise<SiteAnswer | undefined> => {
  const file = request.path === page ? undefined : site.get(request.path);
  if (file !== undefined) return fileAnswer(file, request);
  return request.path.startsWith('assets/') ? undefined : pageAnswer(site, request);
};
