import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { checkedAddress, Receivers } from '../../../shared/events/receiver.ts';
import { openNameServer } from '../../support/service/name-server.ts';
import { openReceiver } from '../../support/service/receiver.ts';
import { selfSignedCertificate } from '../../support/service/self-signed-certificate.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const aReceiver = async (...given: Parameters<typeof openReceiver>) => {
  const receiver = await openReceiver(...given);
  closing.push(receiver.close);
  return receiver;
};
const local = new Receivers({ allowsLoopback: true });

describe('the address of a webhook', () => {
  const isAllowed = (url: string, allowsLoopback = false) => {
    try {
      checkedAddress(url, allowsLoopback);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ word: 'INVALID', errors: [{ field: 'url' }] });
      return false;
    }
  };

  it.each([
    'https://example.com/hook?a=1',
    'https://example.com:8443',
    'https://1.1.1.1/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://example.com./hook',
    'https://internal.example.com',
  ])('may be %s', (url) => expect(isAllowed(url)).toBe(true));

  it.each([
    'nonsense',
    '/hook',
    'ftp://example.com',
    'http://example.com',
    'https:///x',
    'https:////example.com',
    'https:\\\\example.com',
    'https:/example.com',
    'https:example.com',
    'https://?example.com',
    'https://user@example.com',
    'https://:password@example.com',
    `https://example.com/${'a'.repeat(981)}`,
  ])('may not be %s', (url) => expect(isAllowed(url)).toBe(false));

  it('may have 1,000 characters', () =>
    expect(isAllowed(`https://example.com/${'a'.repeat(980)}`)).toBe(true));

  it.each(
    [
      'localhost app.localhost localhost. 127.0.0.1 127.1 2130706433 0x7f.0.0.1 0.0.0.0 10.0.0.1',
      '100.64.0.1 169.254.169.254 172.16.0.1 192.168.0.1 192.0.2.1 198.18.0.1 203.0.113.1 224.0.0.1',
      '240.0.0.1 255.255.255.255 [::] [::1] [::127.0.0.1] [::ffff:127.0.0.1] [::ffff:0:10.0.0.1]',
      '[64:ff9b::10.0.0.1] [64:ff9b:1::1] [2002:7f00:1::] [2001:0:1::1] [2001:db8::1] [fc00::1]',
      '[fd00:ec2::254] [fe80::1] [fec0::1] [ff02::1] [4000::1] [3fff::1] [5f00::1] [100::1]',
      'metadata.google.internal metadata.google.internal. metadata.google.internal%2e internal printer.local',
      'router.home.arpa host.localdomain intranet intranet. 127.0.0.1. 127.0.0.1.. ①②⑦.0.0.1 %6cocalhost localhost。',
      '. .. example..com .example.com example.com..',
    ].flatMap((line) => line.split(' ')),
  )('may not be on the host %s', (host) => expect(isAllowed(`https://${host}/hook`)).toBe(false));

  it.each(['http://localhost:1', 'http://127.0.0.1:1/hook', 'http://[::1]:1', 'https://127.0.0.1'])(
    'may be %s in local mode only',
    (url) => expect([isAllowed(url, true), isAllowed(url)]).toEqual([true, false]),
  );

  it.each(['http://10.0.0.1', 'https://10.0.0.1', 'http://example.com', 'http://[::ffff:127.0.0.1]'])(
    'may not be %s in local mode either',
    (url) => expect(isAllowed(url, true)).toBe(false),
  );
});

describe('a delivery', () => {
  it('posts the headers and the body, and tells the status', async () => {
    const got: unknown[] = [];
    const { url, port } = await aReceiver(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { host, 'webhook-id': id } = request.headers;
      got.push({ method: request.method, path: request.url, host, id, body });
      response.writeHead(204).end();
    });
    expect(await local.post(`${url}?a=1#b`, { 'webhook-id': 'x' }, '{"a":"你"}')).toEqual({
      status: 204,
      ms: expect.any(Number),
    });
    expect(got).toEqual([
      { method: 'POST', path: '/hook?a=1', host: `127.0.0.1:${port}`, id: 'x', body: '{"a":"你"}' },
    ]);
  });

  it('does not follow a redirect', async () => {
    const { url, seen } = await aReceiver((_, response) =>
      response.writeHead(307, { location: '/other' }).end(),
    );
    expect(await local.post(url, {}, '')).toMatchObject({ status: 307 });
    expect(seen.connections).toBe(1);
  });

  it.each([
    ['120', 120_000],
    ['soon', undefined],
    [new Date(0).toUTCString(), 0],
  ])('tells how long to wait by Retry-After %s', async (value, ms) => {
    const { url } = await aReceiver((_, response) => response.writeHead(429, { 'retry-after': value }).end());
    const answer = await local.post(url, {}, '');
    expect(answer).toMatchObject({ status: 429 });
    expect('retryAfterMs' in answer ? answer.retryAfterMs : undefined).toBe(ms);
  });

  it('understands a date in Retry-After', async () => {
    const { url } = await aReceiver((_, response) =>
      response.writeHead(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() }).end(),
    );
    const answer = await local.post(url, {}, '');
    expect('retryAfterMs' in answer && answer.retryAfterMs).toBeGreaterThan(3_000_000);
  });

  it('reads a few KB of an endless body, and closes the connection', async () => {
    let sent = 0;
    let noteClose = () => {};
    const closed = new Promise<void>((resolve) => {
      noteClose = resolve;
    });
    const { url } = await aReceiver((_, response) => {
      response.on('close', noteClose);
      const send = () => {
        sent++;
        if (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) setImmediate(send);
        else response.once('drain', send);
      };
      response.writeHead(200);
      send();
    });
    expect(await local.post(url, {}, '')).toMatchObject({ status: 200 });
    await closed;
    expect(sent).toBeLessThan(200);
  });

  it('fails when the receiver closes the connection', async () => {
    const { url } = await aReceiver((request) => request.socket.destroy());
    expect(await local.post(url, {}, '')).toEqual({ failure: 'connection', ms: expect.any(Number) });
  });

  it('fails when the certificate is not trusted', async () => {
    const server = createServer({ ...selfSignedCertificate() }, (_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await local.post(`https://127.0.0.1:${port}/`, {}, '')).toMatchObject({ failure: 'connection' });
  });

  const hurried = new Receivers({ allowsLoopback: true, timeoutMs: 30 });

  it('fails when the receiver does not answer in time', async () => {
    const { url } = await aReceiver(() => {});
    expect(await hurried.post(url, {}, '')).toMatchObject({ failure: 'timeout' });
  });

  it('fails when the name is not resolved in time', async () => {
    const stuck = new Receivers({
      allowsLoopback: true,
      timeoutMs: 30,
      resolve: () => new Promise(() => {}),
    });
    expect(await stuck.post('http://stuck.localhost:1', {}, '')).toMatchObject({ failure: 'timeout' });
  });

  it('fails when TLS does not begin in time', async () => {
    const server = createTcpServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    expect(await hurried.post(`https://127.0.0.1:${port}/`, {}, '')).toMatchObject({ failure: 'timeout' });
  });

  it('counts the status of an answer whose body breaks off', async () => {
    const { url } = await aReceiver((request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('a', () => request.socket.destroySoon());
    });
    expect(await local.post(url, {}, '')).toMatchObject({ status: 200 });
  });
});

describe('the address of a delivery', () => {
  it('is refused when it is given as a private one', async () => {
    const { url, seen } = await aReceiver((_, response) => response.end());
    const deployed = new Receivers({ allowsLoopback: false });
    expect(await deployed.post(url, {}, '')).toMatchObject({ failure: 'address' });
    expect(seen.connections).toBe(0);
  });

  it('is refused when one of the addresses of the name is private', async () => {
    const { port, seen } = await aReceiver((_, response) => response.end());
    const post = (addresses: string[]) =>
      new Receivers({ allowsLoopback: false, resolve: async () => addresses }).post(
        `https://hooks.example:${port}/`,
        {},
        '',
      );
    for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1'], ['10.0.0.1']])
      expect(await post(addresses)).toMatchObject({ failure: 'address' });
    expect(seen.connections).toBe(0);
  });

  it('is the one that was resolved for this connection', async () => {
    const { port } = await aReceiver((request, response) => response.end(request.headers.host));
    let asked = 0;
    const receivers = new Receivers({
      allowsLoopback: true,
      resolve: async () => [asked++ === 0 ? '127.0.0.1' : '10.0.0.1'],
    });
    const url = `http://hooks.localhost:${port}/`;
    expect(await receivers.post(url, {}, '')).toMatchObject({ status: 200 });
    expect(await receivers.post(url, {}, '')).toMatchObject({ failure: 'address' });
    expect(asked).toBe(2);
  });

  it('stays the public one when the name server answers a private one a moment later', async () => {
    const { port, seen } = await aReceiver((_, response) => response.end());
    const names = await openNameServer(['192.175.49.1', '127.0.0.1']);
    closing.push(names.close);
    const receivers = new Receivers({ allowsLoopback: false, resolve: names.resolve, timeoutMs: 200 });
    const url = `https://hooks.example:${port}/`;
    // Nothing has to listen at the public address. What matters is that the private one is not
    // used.
    expect(await receivers.post(url, {}, '')).toMatchObject({
      failure: expect.stringMatching(/^(timeout|connection)$/),
    });
    expect(names.asked()).toBe(1);
    expect(await receivers.post(url, {}, '')).toMatchObject({ failure: 'address' });
    expect([names.asked(), seen.connections]).toEqual([2, 0]);
  });
});
