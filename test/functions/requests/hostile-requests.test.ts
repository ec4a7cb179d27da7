import { describe, expect, it } from 'vitest';
import { accessToken, expectError, succeeded, useApi } from '../../support/service/api.ts';
import { breakOff, exchange, lastBodyOf, statusesOf } from '../../support/service/raw-http.ts';

const authorization = `Authorization: Bearer ${accessToken}`;
const host = 'Host: localhost';
const last = 'Connection: close';
const request = (line: string, headers: readonly string[], body = '') =>
  [line, ...headers, '', body].join('\r\n');
const listLine = 'GET /api/task/list HTTP/1.1';
const addLine = 'POST /api/dataSource/add HTTP/1.1';
const listing = request(listLine, [host, authorization, last]);

describe('hostile requests', () => {
  const api = useApi();
  const raw = (...pieces: (string | Buffer)[]) => exchange(api.url, pieces);
  const posted = (headers: readonly string[], body: string) =>
    raw(request(addLine, [host, authorization, last, ...headers], body));

  it.each([
    ...['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'POST'].map((method) => [method, '/api/task/list']),
    ['GET', '/api/task/add'],
    ['GET', '/api/dataSource/x/contact/add'],
  ])('with %s at %s, which takes another method, are 405 and name it', async (method, path) => {
    const known = method === 'GET' ? 'POST' : 'GET';
    const answer = await api.send({ method, path });
    expectError(answer, 405, new RegExp(`use ${known}`));
    expect(answer.headers.get('allow')).toBe(known);
  });

  it('that were carried out get their answer, whatever broken HTTP follows on the connection', async () => {
    const body = '{"dataSourceName":"Carried out"}';
    const headers = [host, authorization, `Content-Length: ${body.length}`];
    const answer = await raw(request(addLine, headers, `${body}NO HTTP AT ALL\r\n\r\n`));
    expect(statusesOf(answer)).toEqual([200, 400]);
    const { body: listed } = await api.get('/api/dataSource/list', { dataSourceName: 'Carried out' });
    expect(listed.data).toMatchObject({ total: 1 });
  });

  it('with HEAD get the status and no body', async () => {
    const answer = await raw(request('HEAD /api/task/list HTTP/1.1', [host, authorization, last]));
    expect(statusesOf(answer)).toEqual([405]);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each([
    ...[
      '/api',
      '/api/task/list/',
      '//api/task/list',
      '/API/task/list',
      '/api/task/detail/',
      '/api/task//stat',
    ],
    ...['/favicon.ico', '/api/task/list%2F', '/api/task/list;x=1', '/__proto__', '/docs/nothing'],
  ])('for %s are 404', async (path) => {
    expectError(await api.send({ path }), 404, /nothing at|does not exist/);
  });

  it.each(['/api/task/detail/%', '/api/task/detail/%e0%a4', '/api/task/%ff/stat'])(
    'for %s, whose percent-encoding is broken, are 400',
    async (path) => {
      expectError(await api.send({ path }), 400, /percent-encoded/);
    },
  );

  it.each(['taskName=%zz', 'taskName=%ff%fe', '&&&=&', '=', '?', '__proto__=1', '__proto__[x]=1'])(
    'with the query %j are read as far as they can be',
    async (query) => {
      succeeded(await api.send({ path: `/api/task/list?${query}` }));
    },
  );

  it('with a parameter that a list of other services would have mean what is left', async () => {
    expectError(await api.send({ path: '/api/task/list?pageSize[]=1&pageSize=x' }), 400, /^pageSize: /);
  });

  it('with long but lawful addresses are answered', async () => {
    succeeded(await api.get('/api/task/list', { taskName: 'x'.repeat(8000) }));
    expectError(await api.get(`/api/task/detail/${'x'.repeat(8000)}`), 404, /task does not exist/);
  });

  it.each(['application/x-www-form-urlencoded', 'application/json; charset=latin1', 'multipart/form-data'])(
    'that call their JSON %s are read all the same',
    async (type) => {
      const body = JSON.stringify({ dataSourceName: `as ${type}` });
      const headers = { 'content-type': type };
      succeeded(await api.send({ method: 'POST', path: '/api/dataSource/add', headers, body }));
    },
  );

  it.each([
    ['are read without a content type', '{"dataSourceName":"untyped"}', [], [200]],
    ['are told to continue', '{"dataSourceName":"continued"}', ['Expect: 100-continue'], [100, 200]],
  ])('%s', async (_, body, headers, statuses) => {
    expect(statusesOf(await posted([`Content-Length: ${body.length}`, ...headers], body))).toEqual(statuses);
  });

  it('with a chunked body are read', async () => {
    const body = '8\r\n{"dataSo\r\n1b\r\nurceName":"sent in chunks"}\r\n0\r\n\r\n';
    expect(statusesOf(await posted(['Transfer-Encoding: chunked'], body))).toEqual([200]);
  });

  it('that expect something else are answered in the envelope', async () => {
    const body = '{"dataSourceName":"unexpected"}';
    const answer = await posted([`Content-Length: ${body.length}`, 'Expect: the-impossible'], body);
    expect(lastBodyOf(answer)).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    expect(statusesOf(answer)).not.toContain(500);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['binary', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['a header without a colon', request(listLine, [host, 'nonsense'])],
    ['a header with a NUL', request(listLine, [host, 'X: a\0b'])],
    ['two lengths', request(addLine, [host, 'Content-Length: 1', 'Content-Length: 2'], 'xx')],
    ['a length and chunks', request(addLine, [host, 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0')],
    ['a negative length', request(addLine, [host, 'Content-Length: -1'])],
    ['a bad chunk', request(addLine, [host, authorization, 'Transfer-Encoding: chunked'], 'zz\r\n')],
    ['huge headers', request(listLine, [host, `X: ${'x'.repeat(100_000)}`])],
    ['a huge address', request(`GET /${'x'.repeat(100_000)} HTTP/1.1`, [host])],
    ['an unknown method', request('FETCH /api/task/list HTTP/1.1', [host])],
    ['CONNECT', request('CONNECT example.com:443 HTTP/1.1', [host])],
  ])('that are %s get a 4xx envelope and the connection is closed', async (_what, bytes) => {
    const answer = await raw(bytes);
    const [status = 0] = statusesOf(answer);
    expect(Math.floor(status / 100)).toBe(4);
    expect(answer).toMatch(/x-request-id: \S/);
    expect(answer).toMatch(/x-error-code: [A-Z_]+\r\n/);
    expect(answer).toMatch(/content-type: application\/json; charset=utf-8/);
    const errors = [{ field: 'request', code: 'BAD_FORMAT', message: 'is not valid HTTP' }];
    expect(lastBodyOf(answer)).toMatchObject({ code: status, data: status === 400 ? { errors } : null });
  });

  it.each([
    ['its headers', request(listLine, [host, `X: ${'x'.repeat(20_000)}`])],
    ['its address', request(`GET /api/task/list?taskName=${'x'.repeat(20_000)} HTTP/1.1`, [host])],
  ])('whose head is too large by %s are 431', async (_what, bytes) => {
    const answer = await raw(bytes);
    expect(statusesOf(answer)).toEqual([431]);
    expect(answer).toMatch(/x-error-code: HEADERS_TOO_LARGE\r\n/);
    expect(lastBodyOf(answer)).toEqual({ code: 431, message: expect.stringMatching(/16 KB/), data: null });
  });

  const upgrade = [host, authorization, 'Connection: Upgrade, close', 'Upgrade: websocket'];
  const odd = [host, authorization, 'X: 1', 'X: 2', '__proto__: x', 'constructor: y', last];
  it.each([
    ['the absolute form', request('GET http://localhost/api/task/list HTTP/1.1', [authorization, last]), 200],
    ['an asterisk', request('OPTIONS * HTTP/1.1', [host, last]), 404],
    ['an upgrade', request(listLine, upgrade), 200],
    ['no host', request(listLine, [authorization, last]), 200],
    ['HTTP/1.0', request('GET /api/task/list HTTP/1.0', [authorization]), 200],
    ['a header twice, and one called __proto__', request(listLine, odd), 200],
    ['two requests at once', request(listLine, [host, authorization]) + listing, 200],
  ])('with %s are lawful and answered', async (_what, bytes, status) => {
    expect(statusesOf(await raw(bytes))[0]).toBe(status);
  });

  it('that break off in the middle of the body do no harm', async () => {
    const head = request(addLine, [host, authorization, 'Content-Length: 100'], '{"dataSource');
    await Promise.all(Array.from({ length: 10 }, () => breakOff(api.url, head)));
    succeeded(await api.get('/api/task/list'));
  });

  it.each([
    ['a body that was too large', [authorization], ' '.repeat(300 * 1024), 413],
    ['a refusal that did not wait for the body', [], '{"x":1}', 401],
  ])('leave a connection usable after %s', async (_, headers, body, status) => {
    const first = request(addLine, [host, ...headers, `Content-Length: ${body.length}`], body);
    expect(statusesOf(await raw(first, listing))).toEqual([status, 200]);
  });
});
