import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { openApi } from '../../shared/app/open-api/document.ts';

/** Runs in the browser: Swagger UI with the service's document and an access token. */
export const pageScript = `
const fromAddress = /^#token=(.+)$/.exec(location.hash);
const token = fromAddress ? decodeURIComponent(fromAddress[1]) : document.documentElement.dataset.token;
if (fromAddress) history.replaceState(null, '', location.pathname);
if (token) document.querySelector('#console').href = '/#token=' + encodeURIComponent(token);

// Each try is a new request, so it gets a new key. A key that the reader typed is sent as it is.
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
const withKey = (request) => {
  const isTyped = Object.keys(request.headers).some((name) => name.toLowerCase() === 'idempotency-key');
  if (request.method === 'POST' && !isTyped) request.headers['Idempotency-Key'] = newKey();
  return request;
};

// Searches method, path and summary of operations. Swagger UI's own filter searches only the headings.
const searchedText = (operation) =>
  [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary'])]
    .join(' ')
    .toLowerCase();
const search = () => ({
  fn: {
    opsFilter: (headings, phrase) =>
      headings
        .map((heading) =>
          heading.update('operations', (all) =>
            all.filter((each) => searchedText(each).includes(phrase.trim().toLowerCase())),
          ),
        )
        .filter((heading) => heading.get('operations').size > 0),
  },
});

// The document names the usual address; this page calls the service that it came from. Swagger UI would link the
// license to a page that does not exist.
const show = ({ info: { license, ...info }, ...description }) => {
  const key = description['x-idempotency-key'];
  for (const { post } of Object.values(description.paths)) post?.parameters.push(key);
  const ui = SwaggerUIBundle({
    spec: { ...description, info, servers: [{ url: location.origin }] },
    dom_id: '#page',
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    persistAuthorization: true,
    displayRequestDuration: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    plugins: [search],
    requestInterceptor: withKey,
    onComplete: () => {
      if (token) ui.preauthorizeApiKey('bearer', token);
      // The input is there after the next frame.
      setTimeout(() =>
        document.querySelector('.operation-filter-input')?.setAttribute('placeholder', 'Search'),
      );
    },
  });
};
fetch('/docs/openapi.json').then((answer) => answer.json()).then(show);
`;

/** Fits Swagger UI's tables and lines into narrow windows. */
export const pageStyle = `
body { margin: 0; }
nav { display: flex; gap: 16px; padding: 10px 20px; background: #1b1b1b; font: 14px sans-serif; }
nav a { color: #fff; }
.swagger-ui .opblock .opblock-summary-path { word-break: break-word; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px; }
  .swagger-ui .info { margin: 20px 0; }
  .swagger-ui .info .title { font-size: 26px; }
  .swagger-ui .scheme-container { padding: 10px 0; }
  .swagger-ui .opblock .opblock-summary-control { min-width: 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 60px; padding: 6px 0; font-size: 12px; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100vw - 150px); padding: 0 6px; font-size: 13px; }
  .swagger-ui .opblock .opblock-summary-path-description-wrapper { min-width: 0; flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-description { text-align: left; padding: 4px 6px; flex-basis: 100%; }
  .swagger-ui .opblock-section-header { padding: 8px 10px; flex-wrap: wrap; }
  .swagger-ui .opblock-body pre.microlight { font-size: 11px; }
  .swagger-ui .table-container, .swagger-ui .responses-inner { padding: 10px; overflow-x: auto; }
  .swagger-ui table.parameters, .swagger-ui table.parameters tbody, .swagger-ui table.parameters tr,
  .swagger-ui table.parameters td { display: block; width: auto; }
  .swagger-ui table.parameters thead { display: none; }
  .swagger-ui .parameters-col_name, .swagger-ui .parameters-col_description { padding: 4px 0 !important; }
  .swagger-ui table.responses-table td { padding: 6px 6px 0 0; }
  .swagger-ui .response-col_status { width: 46px; }
  .swagger-ui .response-col_links { display: none; }
  .swagger-ui input[type=text], .swagger-ui textarea, .swagger-ui select { max-width: 100%; min-width: 0; }
  .swagger-ui .parameters-col_description input { width: 100%; max-width: 100%; box-sizing: border-box; }
}
`;

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
 * The OpenAPI document, and Swagger UI to read it and to try it out. The page is public, so it
 * contains only the well-known access token. A secret token comes with the address:
 * `/docs#token=...`.
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
