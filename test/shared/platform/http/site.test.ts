import { expect, it, onTestFinished, vi } from 'vitest';
import { type PageSettings, siteAnswer } from '../../../../shared/platform/http/site.ts';

const fileOf = (text: string, contentType: string) => ({
  ...{ contentType, plain: Buffer.from(text), zipped: Buffer.from('zipped') },
});
const site = new Map([
  ['index.html', fileOf('<base href="__BASE__"><p data-settings="__SETTINGS__">', 'text/html')],
  ['assets/a.js', fileOf('plain', 'text/javascript')],
]);
const settings: PageSettings = { timeZone: 'UTC', country: '', importMaxRows: 1 };
const ask = (path: string, acceptEncoding?: string, more: object = {}) =>
  siteAnswer(site, { path, base: '/$&"/', acceptEncoding, settings: { ...settings, ...more } });

it.each([
  [undefined, false],
  ['br', false],
  ['gzip', true],
  ['br, GZIP ; q=0.5', true],
  ['gzip;q=0, br', false],
  ['gzip;q=0.00', false],
  ['gzip;q=0.01', true],
  ['xgzip', false],
])('a file for a browser that takes %s is zipped: %s', (header, isZipped) => {
  const { headers, body } = ask('assets/a.js', header)!;
  expect(body.toString()).toBe(isZipped ? 'zipped' : 'plain');
  expect(headers['content-encoding']).toBe(isZipped ? 'gzip' : undefined);
  expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'x-content-type-options': 'nosniff' });
});

it('only Lambda, which is reached by HTTPS, tells browsers to stay with it', () => {
  const headerOf = () => ask('')?.headers['strict-transport-security'];
  expect(headerOf()).toBeUndefined();
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'site');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(headerOf()).toMatch(/^max-age=\d{8}/);
});

it('a site that was not built has an empty page', () => {
  const { statusCode, body } = siteAnswer(new Map(), { path: '', base: '/', acceptEncoding: '', settings })!;
  expect([statusCode, body.toString()]).toEqual([200, '']);
});

it('every other address has the page, with its settings and never kept; no asset has', () => {
  for (const path of ['', 'tasks/1', 'index.html']) {
    const { headers, body } = ask(path, 'gzip')!;
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    });
    const zone = { names: 'UTC', offset: 0 };
    const shown = JSON.stringify({ ...settings, zone }).replaceAll('"', '&#34;');
    expect(body.toString()).toBe(`<base href="/$&#38;&#34;/"><p data-settings="${shown}">`);
  }
  expect(ask('assets/b.js')).toBeUndefined();
});

it('the page may load what is its own, and connect to where its users sign in and where it uploads', () => {
  const policyWith = (origins: string) =>
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'${origins}; ` +
    "base-uri 'self'; form-action 'none'; frame-ancestors 'none'";
  const policyOf = (more: object) => ask('', undefined, more)?.headers['content-security-policy'];

  const more = {
    signIn: { baseUrl: 'https://in.example/x', clientId: 'c' },
    uploadOrigin: 'https://up.example',
  };
  expect(policyOf(more)).toBe(policyWith(' https://in.example https://up.example'));
  expect(policyOf({})).toBe(policyWith(''));
});
