import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type PageSettings, siteAnswer } from '../../../../shared/platform/http/site.ts';

const fileOf = (text: string, contentType: string) => ({
  ...{ contentType, plain: Buffer.from(text), encoded: {} },
});
const site = new Map([
  ['index.html', fileOf('<base href="__BASE__"><p data-settings="__SETTINGS__">', 'text/html')],
  ['assets/a.js', fileOf('plain', 'text/javascript')],
]);
const settings: PageSettings = { timeZone: 'UTC', country: '', importMaxRows: 1 };
const ask = (path: string, acceptEncoding?: string, more: object = {}) =>
  siteAnswer(site, { path, base: '/$&"/', acceptEncoding, settings: { ...settings, ...more } });

const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

it.each([
  [undefined, undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, GZIP ; q=0.5', 'gzip'],
  ['gzip;q=0, br', 'br'],
  ['gzip;q=0.00', undefined],
  ['gzip;q=0.01', 'gzip'],
  ['xgzip', undefined],
] as const)('a file for a browser that takes %s is compressed with %s', async (header, encoding) => {
  const { headers, body } = (await ask('assets/a.js', header))!;
  expect((encoding ? decoders[encoding](body) : body).toString()).toBe('plain');
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' });
});

it('only Lambda, which is reached by HTTPS, tells browsers to stay with it', async () => {
  const headerOf = async () => (await ask(''))?.headers['strict-transport-security'];
  expect(await headerOf()).toBeUndefined();
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'site');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await headerOf()).toMatch(/^max-age=\d{8}/);
});

it('a site that was not built has an empty page', async () => {
  const asked = { path: '', base: '/', acceptEncoding: '', settings };
  const { statusCode, body } = (await siteAnswer(new Map(), asked))!;
  expect([statusCode, body.toString()]).toEqual([200, '']);
});

it('every other address has the page, with its settings and never kept; no asset has', async () => {
  for (const path of ['', 'tasks/1', 'index.html']) {
    const { headers, body } = (await ask(path, 'gzip'))!;
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    });
    const zone = { names: 'UTC', offset: 0 };
    const shown = JSON.stringify({ ...settings, zone }).replaceAll('"', '&#34;');
    expect(body.toString()).toBe(`<base href="/$&#38;&#34;/"><p data-settings="${shown}">`);
  }
  expect(await ask('assets/b.js')).toBeUndefined();
});

it('the page may load what is its own, and connect to where its users sign in and where it uploads', async () => {
  const policyWith = (origins: string) =>
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'${origins}; ` +
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'";
  const policyOf = async (more: object) =>
    (await ask('', undefined, more))?.headers['content-security-policy'];

  const more = {
    signIn: { baseUrl: 'https://in.example/x', clientId: 'c' },
    uploadOrigin: 'https://up.example',
  };
  expect(await policyOf(more)).toBe(policyWith(' https://in.example https://up.example'));
  expect(await policyOf({})).toBe(policyWith(''));
});
