import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Envelope } from '../support/service/answers.ts';
import { openReceiver } from '../support/service/receiver.ts';
import { aDataDir, run, type ServiceProcess, startProcess } from '../support/service/service-process.ts';
import { eventually } from '../support/service/webhook-receiver.ts';

const inMemory = { DATA_DIR: ':memory:' };

const call = async (service: ServiceProcess, target: string, body?: object, token = 'local-dev-token') => {
  const response = await fetch(`${service.url}${target}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as Envelope) };
};

/** One clear line on standard error, nothing else but that it was about to start, exit code 1. */
const expectRefusal = async (env: Record<string, string>, line: RegExp) => {
  const { code, stdout, stderr } = await run('local/main.ts', [], { PORT: '0', ...inMemory, ...env });
  expect({ code, stdout, lines: stderr.trimEnd().split('\n') }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^(Starting.*\n)?$/),
    lines: [expect.stringMatching(line)],
  });
};

// A process of its own takes seconds to start on a busy machine.
const patience = { timeout: 180_000 };

describe('the service as a process', patience, () => {
  it.each([
    ['', /^Country: +none is set(.*\n){2}.*SERVICE_COUNTRY/m],
    ['CN', /^Country: +CN\. /m],
  ])('says what its country %j means, in lines of a terminal', async (SERVICE_COUNTRY, words) => {
    const service = await startProcess({ ...inMemory, SERVICE_COUNTRY });
    const [, greeting = ''] = /(The service is up.*?)Try it/s.exec(service.printed()) ?? [];
    expect(greeting).toMatch(words);
    for (const line of greeting.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await service.end('SIGTERM');
  });

  it('prints its address, its documentation and a curl line that works when pasted', async () => {
    const service = await startProcess(inMemory);
    expect(service.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const documentation = /Documentation: +(\S+)/.exec(service.printed())?.[1] ?? '';
    expect((await fetch(documentation)).status).toBe(200);
    expect(
      service
        .printed()
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([]);
    const lines = /Try it:\n((?: .*\n)+)/.exec(service.printed())?.[1] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', lines]);
    expect(JSON.parse(stdout)).toEqual({ code: 0, message: 'success', data: { total: 0, rows: [] } });
  });

  it('takes its token, address and time zone from the environment', async () => {
    const zone = { SERVICE_TIME_ZONE: 'Asia/Kolkata', LOCAL_ACCESS_TOKEN: 'mine', HOST: 'localhost' };
    const service = await startProcess({ ...inMemory, ...zone });
    expect(service.url).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await call(service, '/api/task/list')).status).toBe(401);
    const begun = Date.now();
    const { data } = await call(service, '/api/dataSource/add', { dataSourceName: 'x' }, 'mine');
    const shown = Date.parse(`${String(data.createTime).replace(' ', 'T')}+05:30`);
    // Shown in whole seconds.
    expect(shown).toBeGreaterThan(begun - 1000);
    expect(shown).toBeLessThanOrEqual(Date.now());
  });

  it('says in one line that the port is taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    await expectRefusal({ PORT: String(port) }, new RegExp(`PORT ${port} .*already in use`));
    holder.close();
  });

  it('says in one line what is wrong with a setting', async () => {
    await expectRefusal({ PORT: 'abc' }, /PORT must be .*"abc"/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops cleanly on %s, whatever connections are open',
    async (signal) => {
      const service = await startProcess(inMemory);
      const { hostname, port } = new URL(service.url);
      const [silent, halfway, idle] = [0, 1, 2].map(() => connect(Number(port), hostname));
      for (const socket of [silent, halfway, idle]) socket?.on('error', () => {});
      halfway?.write('POST /api/task/add HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
      idle?.write('GET /docs/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(idle!, 'data');
      expect((await call(service, '/api/task/list')).status).toBe(200);
      // The three connections stay open: a service that waited for them would never end.
      expect(await service.end(signal)).toEqual({ code: 0, signal: null });
    },
  );

  it('stops while a receiver hangs, and delivers after the next start as if it had not begun', async () => {
    const DATA_DIR = await aDataDir();
    const first = await startProcess({ DATA_DIR });
    const received: string[] = [];
    let isHanging = true;
    const receiver = await openReceiver((request, response) => {
      received.push(String(request.headers['webhook-id']));
      if (!isHanging) response.end();
    });
    onTestFinished(receiver.close);
    const { data: webhook } = await call(first, '/api/webhook/add', { url: receiver.url });
    expect((await call(first, '/api/webhook/send', { id: webhook.id, test: true })).status).toBe(200);
    await eventually(
      () => received.length,
      (count) => count === 1,
    );
    expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
    isHanging = false;
    const second = await startProcess({ DATA_DIR });
    const { rows } = await eventually(
      async () => (await call(second, `/api/webhook/${webhook.id}/deliveries`)).data,
      (found) => found.rows.length > 0,
    );
    // A service that waits for the receiver gives up after 15 seconds and stores that as the first
    // attempt.
    expect(rows).toMatchObject([{ eventId: received[0], attempt: 1, status: 'success' }]);
    expect(new Set(received).size).toBe(1);
  });

  it('keeps its data between runs, and its signing key', async () => {
    const DATA_DIR = await aDataDir();
    const first = await startProcess({ DATA_DIR });
    const { data } = await call(first, '/api/dataSource/add', { dataSourceName: 'kept' });
    await call(first, `/api/dataSource/${data.id}/contact/add`, { phoneNumber: '123' });
    const { stdout: token } = await run('local/tokens/token.ts', [], { DATA_DIR });
    expect((await call(first, '/api/task/list', undefined, token.trim())).status).toBe(200);
    await first.end('SIGTERM');
    const second = await startProcess({ DATA_DIR });
    const listed = await call(second, `/api/dataSource/${data.id}/contacts`, undefined, token.trim());
    expect(listed.data).toMatchObject({ total: 1, rows: [{ phoneNumber: '123' }] });
    expect((await call(second, '/api/dataSource/add', { dataSourceName: 'kept' })).status).toBe(409);
  });

  it('loses no acknowledged write when it is killed, and its counts stay exact', async () => {
    const DATA_DIR = await aDataDir();
    const first = await startProcess({ DATA_DIR });
    const { data: source } = await call(first, '/api/dataSource/add', { dataSourceName: 'survives' });
    const acknowledged: string[] = [];
    let sent = 0;
    const writer = async () => {
      for (;;) {
        const phoneNumber = `${10_000 + sent++}`;
        const { status, data } = await call(first, `/api/dataSource/${source.id}/contact/add`, {
          phoneNumber,
        });
        if (status === 200) acknowledged.push(data.id);
      }
    };
    const writers = Array.from({ length: 8 }, () => writer().catch(() => undefined));
    while (acknowledged.length < 40) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await first.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await Promise.all(writers);
    const second = await startProcess({ DATA_DIR });
    const { data } = await call(second, `/api/dataSource/${source.id}/contacts?pageSize=500`);
    const found = new Set(data.rows.map((row) => row.id));
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    expect(data.total).toBe(data.rows.length);
    const detail = await call(second, `/api/dataSource/detail/${source.id}`);
    expect(detail.data.contactCount).toBe(data.total);
    const next = await call(second, `/api/dataSource/${source.id}/contact/add`, { phoneNumber: '9999999' });
    expect(next.status).toBe(200);
    expect(found.has(next.data.id)).toBe(false);
  });

  it('logs each request in one line of JSON, with nothing that was sent', async () => {
    const service = await startProcess({ ...inMemory, POWERTOOLS_LOG_LEVEL: 'DEBUG' });
    const { data } = await call(service, '/api/dataSource/add', { dataSourceName: 'Private' });
    const phone = '13987654321';
    const contact = { phoneNumber: `+${phone}`, customerName: 'Confidential' };
    const add = `/api/dataSource/${data.id}/contact/add`;
    expect((await call(service, add, contact)).status).toBe(200);
    expect((await call(service, add, contact)).status).toBe(409);
    expect((await call(service, add, { ...contact, x: {} })).status).toBe(400);
    await call(service, `/api/dataSource/${data.id}/contacts?phoneNumber=${phone}`);
    await call(service, `/api/task/detail/${phone}`);
    await service.end('SIGTERM');
    const lines = service
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.map(({ route, status }) => [route, status])).toEqual([
      ['addDataSource', 200],
      ['addContact', 200],
      ['addContact', 409],
      ['addContact', 400],
      ['listContacts', 200],
      ['taskDetail', 404],
    ]);
    expect(logged[0]).toMatchObject({ requestId: expect.any(String), client: 'local-developer' });
    for (const word of [phone, 'Private', 'Confidential', 'local-dev-token']) {
      expect(lines.join('\n')).not.toContain(word);
    }
  });
});

describe('npm run token', patience, () => {
  const statusOf = async (service: ServiceProcess, token: string) => [
    (await call(service, '/api/task/list', undefined, token)).status,
    (await call(service, '/api/task/publish', { id: 'x' }, token)).status,
  ];

  it('issues tokens that work as long and as far as they were asked for', async () => {
    const DATA_DIR = await aDataDir();
    const issued = async (...args: string[]) => {
      const { code, stdout } = await run('local/tokens/token.ts', args, { DATA_DIR });
      expect(code).toBe(0);
      return stdout.trim();
    };
    const service = await startProcess({ DATA_DIR });
    const [all, read, expired] = await Promise.all([
      issued(),
      issued('--scope', 'outbound/read'),
      issued('--expires-in=-1'),
    ]);
    expect(await statusOf(service, all!)).toEqual([200, 404]);
    expect(await statusOf(service, read!)).toEqual([200, 403]);
    expect(await statusOf(service, expired!)).toEqual([401, 401]);
  });

  it('writes no key where there is no data of a service, and says so', async () => {
    const DATA_DIR = path.join(await aDataDir(), 'elsewhere');
    const { code, stdout, stderr } = await run('local/tokens/token.ts', [], { DATA_DIR });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`DATA_DIR ${DATA_DIR} is not the data folder of a service`);
    await expect(readdir(DATA_DIR)).rejects.toThrow(/ENOENT/);
  });

  it('says what is wrong with its arguments and how to use it', async () => {
    const [soon, unknown, nowhere] = await Promise.all([
      run('local/tokens/token.ts', ['--expires-in', 'soon'], inMemory),
      run('local/tokens/token.ts', ['--colour', 'blue'], inMemory),
      run('local/tokens/token.ts', [], { DATA_DIR: '/dev/null/x' }),
    ]);
    expect([soon, unknown, nowhere].map(({ code, stdout }) => [code, stdout])).toEqual([
      ...[
        [1, ''],
        [1, ''],
        [1, ''],
      ],
    ]);
    expect(soon?.stderr).toMatch(/--expires-in must be .*"soon"\nnpm run token/);
    expect(unknown?.stderr).toMatch(/--colour/);
    expect(nowhere?.stderr).toMatch(/^DATA_DIR .*is not the data folder/);
  });
});
