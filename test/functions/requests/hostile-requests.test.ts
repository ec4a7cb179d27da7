import { describe, expect, it } from 'vitest';
import { accessToken, expectError, succeeded, useApi } from '../../support/service/api.ts';
import { breakOff, exchange, lastBodyOf, statusesOf } from '../../support/service/raw-http.ts';

const authorization = `Authorization: Bearer ${accessToken}`;
const host = 'Host: localhost';
const last = 'Connection: close';
const listing = (connection = last) =>
  `GET /api/task/list HTTP/1.1\r\n${host}\r\n${authorization}\r\n${connection}\r\n\r\n`;

describe('hostile requests', () => {
  const api = useApi();
  const raw = (...pieces: (string | Buffer)[]) => exchange(api.url, pieces);
  const posted = (headers: readonly string[], body: string) =>
    raw([`POST /api/dataSource/add HTTP/1.1`, host, authorization, last, ...headers, '', body].join('\r\n'));

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'POST'])(
    'with %s at a path that takes GET are 405 and name GET',
    async (method) => {
      const answer = await api.send({ method, path: '/api/task/list' });
      expectError(answer, 405, /use GET/);
      expect(answer.headers.get('allow')).toBe('GET');
    },
  );

  it('with GET at a path that takes POST are 405 and name POST', async () => {
    for (const path of ['/api/task/add', '/api/dataSource/x/contact/add']) {
      const answer = await api.get(path);
      expectError(answer, 405, /use POST/);
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });

  it('that were carried out get their answer, whatever broken HTTP follows on the connection', async () => {
    const body = '{"dataSourceName":"Carried out"}';
    const answer = await raw(
      [
        'POST /api/dataSource/add HTTP/1.1',
        host,
        authorization,
        `Content-Length: ${body.length}`,
        '',
        `${body}NO HTTP AT ALL\r\n\r\n`,
      ].join('\r\n'),
    );
    expect(statusesOf(answer)).toEqual([200, 400]);
    const { body: listed } = await api.get('/api/dataSource/list', { dataSourceName: 'Carried out' });
    expect(listed.data).toMatchObject({ total: 1 });
  });

  it('with HEAD get the status and no body', async () => {
    const answer = await raw(
      `HEAD /api/task/list HTTP/1.1\r\n${host}\r\n${authorization}\r\n${last}\r\n\r\n`,
    );
    expect(statusesOf(answer)).toEqual([405]);
    expect(answer.endsWith('\r\n\r\n')).toBe(true);
  });

  it.each([
    '/api',
    '/api/',
    '/api/task',
    '/api/task/list/',
    '//api/task/list',
    '/API/task/list',
    '/api/task/detail/',
    '/api/task//stat',
    '/favicon.ico',
    '/api/task/list%2F',
    '/api/task/list;x=1',
    '/__proto__',
    '/api/nothing/list',
    '/docs/nothing',
  ])('for %s are 404', async (path) => {
    expectError(await api.send({ path }), 404, /nothing at|does not exist/);
  });

  it.each(['/api/task/detail/%', '/api/task/detail/%zz', '/api/task/detail/%e0%a4', '/api/task/%ff/stat'])(
    'for %s, whose percent-encoding is broken, are 400',
    async (path) => {
      expectError(await api.send({ path }), 400, /percent-encoded/);
    },
  );

  it.each([
    'taskName=%',
    'taskName=%zz',
    'taskName=%ff%fe',
    'taskName=%00',
    '&&&=&',
    '%=1',
    'taskName=%ud800',
    '=',
    '?',
    'taskName[]=x',
    '__proto__=1',
    'constructor=1&__proto__[x]=1',
  ])('with the query %j are read as far as they can be', async (query) => {
    succeeded(await api.send({ path: `/api/task/list?${query}` }));
  });

  it('with a parameter given twice mean the last one', async () => {
    expectError(await api.send({ path: '/api/task/list?pageNum=1&pageNum=0' }), 400, /^pageNum: /);
    succeeded(await api.send({ path: '/api/task/list?pageNum=0&pageNum=1' }));
    expectError(await api.send({ path: '/api/task/list?pageSize[]=1&pageSize=x' }), 400, /^pageSize: /);
  });

  it('with long but lawful addresses are answered', async () => {
    succeeded(await api.get('/api/task/list', { taskName: 'x'.repeat(8000) }));
    expectError(await api.get(`/api/task/detail/${'x'.repeat(8000)}`), 404, /task does not exist/);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'nonsense',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
  ])('that call their JSON %s are read all the same', async (type) => {
    const body = JSON.stringify({ dataSourceName: `as ${type}` });
    const headers = { 'content-type': type };
    succeeded(await api.send({ method: 'POST', path: '/api/dataSource/add', headers, body }));
  });

  it('without a content type are read as JSON', async () => {
    const body = '{"dataSourceName":"untyped"}';
    expect(statusesOf(await posted([`Content-Length: ${body.length}`], body))).toEqual([200]);
  });

  it('with a chunked body are read', async () => {
    const body = '8\r\n{"dataSo\r\n1b\r\nurceName":"sent in chunks"}\r\n0\r\n\r\n';
    const answer = await posted(['Transfer-Encoding: chunked'], body.replace('1b', (27).toString(16)));
    expect(statusesOf(answer)).toEqual([200]);
  });

  it('that wait for 100 Continue get it', async () => {
    const body = '{"dataSourceName":"continued"}';
    const answer = await posted([`Content-Length: ${body.length}`, 'Expect: 100-continue'], body);
    expect(statusesOf(answer)).toEqual([100, 200]);
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
    ['another protocol', 'GET / SPDY/3\r\n\r\n'],
    ['a header without a colon', `GET /api/task/list HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`],
    ['a header with a NUL', `GET /api/task/list HTTP/1.1\r\n${host}\r\nX: a\0b\r\n\r\n`],
    [
      'two lengths',
      `POST /api/task/add HTTP/1.1\r\n${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx`,
    ],
    [
      'a length and chunks',
      `POST /api/task/add HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a negative length', `POST /api/task/add HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n\r\n`],
    [
      'a bad chunk',
      `POST /api/task/add HTTP/1.1\r\n${host}\r\n${authorization}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    ],
    ['huge headers', `GET /api/task/list HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a huge address', `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n\r\n`],
    ['spaces in the address', `GET /api/task/list x y HTTP/1.1\r\n${host}\r\n\r\n`],
    ['an unknown method', `FETCH /api/task/list HTTP/1.1\r\n${host}\r\n\r\n`],
    ['CONNECT', `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n\r\n`],
  ])('that are %s get a 4xx envelope and the connection is closed', async (_what, bytes) => {
    const answer = await raw(bytes);
    expect(statusesOf(answer)[0]).toBeGreaterThanOrEqual(400);
    expect(statusesOf(answer)[0]).toBeLessThan(500);
    expect(answer).toMatch(/x-request-id: \S/);
    expect(answer).toMatch(/x-error-code: [A-Z_]+\r\n/);
    expect(answer).toMatch(/content-type: application\/json; charset=utf-8/);
    const errors = [{ field: 'request', code: 'BAD_FORMAT', message: 'is not valid HTTP' }];
    const data = statusesOf(answer)[0] === 400 ? { errors } : null;
    expect(lastBodyOf(answer)).toMatchObject({ code: statusesOf(answer)[0], data });
  });

  it.each([
    ['its headers', `GET /api/task/list HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['its address', `GET /api/task/list?taskName=${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n\r\n`],
  ])('whose head is too large by %s are 431', async (_what, bytes) => {
    const answer = await raw(bytes);
    expect(statusesOf(answer)).toEqual([431]);
    expect(answer).toMatch(/x-error-code: HEADERS_TOO_LARGE\r\n/);
    expect(lastBodyOf(answer)).toEqual({ code: 431, message: expect.stringMatching(/16 KB/), data: null });
  });

  it.each([
    [
      'the absolute form',
      `GET http://localhost/api/task/list HTTP/1.1\r\n${host}\r\n${authorization}\r\n${last}\r\n\r\n`,
      200,
    ],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${host}\r\n${last}\r\n\r\n`, 404],
    [
      'an upgrade',
      `GET /api/task/list HTTP/1.1\r\n${host}\r\n${authorization}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
      200,
    ],
    ['no host', `GET /api/task/list HTTP/1.1\r\n${authorization}\r\n${last}\r\n\r\n`, 200],
    ['HTTP/1.0', `GET /api/task/list HTTP/1.0\r\n${authorization}\r\n\r\n`, 200],
    [
      'a header twice',
      `GET /api/task/list HTTP/1.1\r\n${host}\r\n${authorization}\r\nX: 1\r\nX: 2\r\n${last}\r\n\r\n`,
      200,
    ],
    [
      'a header called __proto__',
      `GET /api/task/list HTTP/1.1\r\n${host}\r\n${authorization}\r\n__proto__: x\r\nconstructor: y\r\n${last}\r\n\r\n`,
      200,
    ],
    ['two requests at once', `${listing('Connection: keep-alive')}${listing()}`, 200],
  ])('with %s are lawful and answered', async (_what, bytes, status) => {
    expect(statusesOf(await raw(bytes))[0]).toBe(status);
  });

  it('that break off in the middle of the body do no harm', async () => {
    const head = `POST /api/dataSource/add HTTP/1.1\r\n${host}\r\n${authorization}\r\nContent-Length: 100\r\n\r\n{"dataSource`;
    await Promise.all(Array.from({ length: 10 }, () => breakOff(api.url, head)));
    succeeded(await api.get('/api/task/list'));
  });

  it('leave a connection usable after a body that was too large', async () => {
    const large = ' '.repeat(300 * 1024);
    const answer = await raw(
      [
        `POST /api/dataSource/add HTTP/1.1`,
        host,
        authorization,
        `Content-Length: ${large.length}`,
        '',
        large,
      ].join('\r\n'),
      listing(),
    );
    expect(statusesOf(answer)).toEqual([413, 200]);
  });

  it('leave a connection usable after a refusal that did not wait for the body', async () => {
    const answer = await raw(
      `POST /api/dataSource/add HTTP/1.1\r\n${host}\r\nContent-Length: 7\r\n\r\n{"x":1}`,
      listing(),
    );
    expect(statusesOf(answer)).toEqual([401, 200]);
  });
});
