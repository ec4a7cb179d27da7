import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openApi } from '../../shared/app/open-api/document.ts';
import { pageScript, pageStyle } from './documentation-page.ts';

type Page = { statusCode: number; headers: Record<string, string>; body: string | Buffer };
/** Pages by path. */
export type Documentation = { get: (path: string) => Page | undefined };

const resolve = createRequire(import.meta.url).resolve;

/** The browser lets the page contact no other host. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets styles of elements from its script.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ');

const attribute = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');

const html = (token: string) => `<!doctype html>
<html lang="en" data-token="${attribute(token)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbound call tasks: API</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav><a id="console" href="/">Console</a><a href="/docs/openapi.json">openapi.json</a></nav>
<div id="page"></div>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

const types = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
};

const ofPackage = (name: string) => () => readFileSync(resolve(`swagger-ui-dist/${name}`));

/**
 * The OpenAPI document, and Swagger UI to read it and to try it out. The page is public, so it contains only a
 * well-known access token. A secret token comes with the address: `/docs#token=...`.
 */
export const documentation = (knownToken: string): Documentation => {
  const page: [keyof typeof types, () => string | Buffer] = ['html', () => html(knownToken)];
  const parts: Record<string, [type: keyof typeof types, body: () => string | Buffer]> = {
    '/docs': page,
    '/docs/': page,
    '/docs/page.js': ['js', () => pageScript],
    '/docs/page.css': ['css', () => pageStyle],
    '/docs/swagger-ui.js': ['js', ofPackage('swagger-ui-bundle.js')],
    '/docs/swagger-ui.css': ['css', ofPackage('swagger-ui.css')],
    '/docs/favicon.png': ['png', ofPackage('favicon-32x32.png')],
    '/docs/openapi.json': ['json', () => JSON.stringify(openApi(), null, 2)],
  };
  return {
    get: (path) => {
      const part = Object.hasOwn(parts, path) ? parts[path] : undefined;
      if (part === undefined) return undefined;
      const headers = { 'content-type': types[part[0]], 'content-security-policy': policy };
      return { statusCode: 200, headers, body: part[1]() };
    },
  };
};
