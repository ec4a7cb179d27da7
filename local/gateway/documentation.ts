import { allRoutes } from '../../shared/api/all-routes.ts';
import { openApi } from '../../shared/api/open-api.ts';
import { errorsOf as errorCodesOf, type Route, tags } from '../../shared/api/route.ts';
import { internalError, statusOf } from '../../shared/api/status.ts';
import { style } from './documentation-style.ts';

type Page = { statusCode: number; headers: Record<string, string>; body: string };
/** Pages by path. */
export type Documentation = ReadonlyMap<string, Page>;

const escaped = (text: string) =>
  text.replace(
    /[&<>"]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign,
  );

const json = (value: unknown) => `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;

type Property = {
  type?: string | string[];
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  enum?: unknown[];
};
type ObjectSchema = { properties?: Record<string, Property>; required?: string[] };

const ruleOf = (property: Property): string =>
  [
    property.minimum !== undefined || property.maximum !== undefined
      ? `${property.minimum ?? ''}–${property.maximum === Number.MAX_SAFE_INTEGER ? '' : (property.maximum ?? '')}`
      : '',
    property.enum?.join(', ') ?? '',
    property.default === undefined ? '' : `default ${property.default}`,
    property.description ?? '',
  ]
    .filter((words) => words !== '')
    .join('; ');

const fieldRows = (part: string, schema: ObjectSchema | undefined): string =>
  Object.entries(schema?.properties ?? {})
    .map(
      ([name, property]) =>
        `<tr><td><code>${escaped(name)}</code></td><td>${part}</td><td>${[property.type ?? 'any'].flat().join(' or ')}</td>` +
        `<td>${schema?.required?.includes(name) ? 'yes' : ''}</td><td>${escaped(ruleOf(property))}</td></tr>`,
    )
    .join('');

const fieldsTable = (route: Route): string => {
  const rows = [
    fieldRows('path', route.params as ObjectSchema | undefined),
    fieldRows('query', route.query as ObjectSchema | undefined),
    fieldRows('body', route.body as ObjectSchema | undefined),
    route.upload === undefined
      ? ''
      : `<tr><td><code>${route.upload}</code></td><td>form</td><td>file</td><td>yes</td><td>CSV or Excel</td></tr>`,
  ].join('');
  const head = '<tr><th>Field</th><th>In</th><th>Type</th><th>Required</th><th>Rule</th></tr>';
  return rows === '' ? '' : `<div class="wide"><table>${head}${rows}</table></div>`;
};

const errorsOf = (route: Route) =>
  [
    ...new Set(
      errorCodesOf(route)
        .map((code) => statusOf[code])
        .concat(internalError as never),
    ),
  ]
    .sort()
    .join(', ');

const section = (route: Route): string => `<section id="${route.id}">
<h3><span class="method ${route.method}">${route.method}</span> <code>${escaped(route.path)}</code></h3>
<p>${escaped(route.summary)}. ${escaped(route.description ?? '')} Scope <code>${route.scope}</code>.</p>
${fieldsTable(route)}
<div class="examples">${route.example.body === undefined ? '' : `<div><h4>Request</h4>${json(route.example.body)}</div>`}
<div><h4>Answer</h4>${
  'file' in route.response
    ? `<p>The file as a stream: ${route.response.file.map(escaped).join(' or ')}.</p>`
    : json({ code: 0, message: 'success', data: route.example.data })
}</div></div>
<p class="errors">Errors: ${errorsOf(route)}</p>
</section>`;

const page = (): string => {
  const routesOf = (tag: string) => allRoutes.filter((route) => route.tag === tag);
  const link = ({ id, summary }: Route) => `<li><a href="#${id}">${escaped(summary)}</a></li>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outbound call tasks: API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head><body>
<nav><strong>Outbound call tasks</strong>${tags.map((tag) => `<h2>${tag}</h2><ul>${routesOf(tag).map(link).join('')}</ul>`).join('')}
<p><a href="/docs/openapi.json">openapi.json</a></p></nav><main>
<h1>Outbound call tasks: API</h1>
<p>Every request carries <code>Authorization: Bearer &lt;access token&gt;</code>. Every JSON answer is an envelope of <code>code</code>, <code>message</code> and <code>data</code>; success is code 0, an error carries its number as HTTP status and as <code>code</code>. Every answer carries <code>x-request-id</code>.</p>
${tags.map((tag) => `<h2>${tag}</h2>${routesOf(tag).map(section).join('')}`).join('')}</main></body></html>`;
};

/** The route table as pages a person can read, and as OpenAPI. */
export const documentation = (): Documentation => {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  const shown: Page = { statusCode: 200, headers: html, body: page() };
  const description: Page = {
    statusCode: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(openApi(), null, 2),
  };
  return new Map([
    ['/docs', shown],
    ['/docs/', shown],
    ['/docs/openapi.json', description],
  ]);
};
