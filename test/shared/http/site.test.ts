import { expect, it } from 'vitest';
import { type PageSettings, siteAnswer } from '../../../shared/http/site.ts';

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

it('every other address has the page, with its settings and never kept; no asset has', () => {
  for (const path of ['', 'tasks/1', 'index.html']) {
    const { headers, body } = ask(path, 'gzip')!;
    expect(headers['cache-control']).toBe('no-store');
    expect(body.toString()).toContain('<base href="/$&#38;&#34;/">');
    expect(body.toString()).toContain('{&#34;timeZone&#34;:&#34;UTC&#34;');
  }
  expect(ask('assets/b.js')).toBeUndefined();
});

it('the page may connect to where its users sign in and where it uploads', () => {
  const more = {
    signIn: { baseUrl: 'https://in.example/x', clientId: 'c' },
    uploadOrigin: 'https://up.example',
  };
  expect(ask('', undefined, more)?.headers['content-security-policy']).toContain(
    "connect-src 'self' https://in.example https://up.example;",
  );
});
