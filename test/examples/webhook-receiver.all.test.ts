import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newSecret, Receivers, signed } from '../../shared/events/receiver.ts';
import { examples, hasPython, startPython } from '../support/run/python.ts';
import { succeeded } from '../support/service/api.ts';
import { startEventService } from '../support/service/event-service.ts';
import { aFreePort } from '../support/service/free-port.ts';
import { aDataDir } from '../support/service/service-process.ts';
import { addWebhook, attemptsOf, eventually } from '../support/service/webhook-receiver.ts';

const receiver = path.join(examples, 'webhook_receiver.py');
const body = JSON.stringify({ type: 'call.ended', timestamp: '2026-05-04T10:15:30.120Z', data: { n: 1 } });
const receivers = new Receivers({ allowsLoopback: true });

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('close', () => {}).unref();
  });

const start = async (secret: string, port: number, folder: string) => {
  const settings = { WEBHOOK_SECRET: secret, PORT: String(port) };
  const running = startPython([receiver], folder, settings);
  await eventually(
    () => answers(port),
    (isUp) => isUp || running.child.exitCode !== null,
  );
  const url = `http://127.0.0.1:${port}/hook`;
  const deliver = (id: string, { by = secret, time = Date.now(), text = body } = {}) =>
    receivers.post(url, signed([by], id, time, text), text);
  return { ...running, url, deliver };
};

describe.skipIf(!hasPython)('the webhook receiver in Python', () => {
  it('handles each event once, also when it is sent again', async () => {
    const [secret, port] = [newSecret(), await aFreePort()];
    const { deliver, lines } = await start(secret, port, await aDataDir());
    for (const id of ['a', 'b', 'a']) expect(await deliver(id)).toMatchObject({ status: 204 });
    await expect.poll(() => lines.map((line) => JSON.parse(line).id)).toEqual(['a', 'b']);
    expect(JSON.parse(lines[0]!)).toEqual({ id: 'a', ...JSON.parse(body) });
  });

  it('accepts a signature of either secret while one is replaced', async () => {
    const [secret, port] = [newSecret(), await aFreePort()];
    const { url } = await start(secret, port, await aDataDir());
    const headers = signed([newSecret(), secret], 'a', Date.now(), body);
    expect(await receivers.post(url, headers, body)).toMatchObject({ status: 204 });
  });

  it('refuses what the service did not sign, what was changed, what is old and what is too large', async () => {
    const [secret, port] = [newSecret(), await aFreePort()];
    const { url, deliver, lines } = await start(secret, port, await aDataDir());
    expect(await deliver('a', { by: newSecret() })).toMatchObject({ status: 400 });
    expect(await deliver('a', { time: Date.now() - 301_000 })).toMatchObject({ status: 400 });
    expect(await deliver('a', { time: Date.now() + 302_000 })).toMatchObject({ status: 400 });
    expect(await deliver('a', { text: `"${'x'.repeat(1_000_001)}"` })).not.toMatchObject({ status: 204 });
    const changed = body.replace('1', '2');
    const headers = signed([secret], 'a', Date.now(), body);
    expect(await receivers.post(url, headers, changed)).toMatchObject({ status: 400 });
    expect(await receivers.post(url, {}, body)).toMatchObject({ status: 400 });
    expect(lines).toEqual([]);
  });

  it('has the events that it answered, also after it was killed', async () => {
    const [secret, folder] = [newSecret(), await aDataDir()];
    const stuck = [
      'import threading',
      'import webhook_receiver as it',
      'it.handle = lambda _: threading.Event().wait()',
    ];
    const run =
      'import runpy; store = it.Store("events.db"); threading.Thread(target=store.work, daemon=True).start()';
    const port = await aFreePort();
    const serve = `it.Receiver(("127.0.0.1", ${port}), "${secret}", store).serve_forever()`;
    const first = startPython(['-c', [...stuck, run, serve].join('\n')], folder, {});
    await eventually(() => answers(port), Boolean);
    const headers = (id: string) => signed([secret], id, Date.now(), body);
    for (const id of ['a', 'b'])
      expect(await receivers.post(`http://127.0.0.1:${port}/`, headers(id), body)).toMatchObject({
        status: 204,
      });
    first.child.kill('SIGKILL');
    await first.ended;
    const { lines } = await start(secret, await aFreePort(), folder);
    await expect.poll(() => lines.map((line) => JSON.parse(line).id)).toEqual(['a', 'b']);
  });

  // The system completes connections up to the backlog while the process does nothing.
  it('lets many deliveries connect at once', async () => {
    const port = await aFreePort();
    const { child } = await start(newSecret(), port, await aDataDir());
    child.kill('SIGSTOP');
    const sockets: Socket[] = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    child.kill('SIGCONT');
  });

  it('gets the events of the service', async () => {
    const api = await startEventService();
    const port = await aFreePort();
    const url = `http://127.0.0.1:${port}/hook`;
    const { id, secret } = await addWebhook(api, { url, types: ['task.deleted'] });
    const { lines } = await start(secret, port, await aDataDir());
    const tasks = await Promise.all(Array.from({ length: 40 }, () => api.aTask()));
    for (const task of tasks) succeeded(await api.post('/api/task/delete', { id: task.id }));
    await expect.poll(() => lines).toHaveLength(40);
    const eventIds = lines.map((line) => JSON.parse(line).id as string);
    expect(new Set(eventIds)).toEqual(new Set(tasks.map((task) => `${task.id}-deleted`)));
    succeeded(await api.post('/api/webhook/send', { id, eventIds }));
    const attempts = async () => (await attemptsOf(api, id, { pageSize: '100' })).rows;
    await expect.poll(attempts).toHaveLength(80);
    expect(lines).toHaveLength(40);
  });

  it('says which setting it needs', async () => {
    const { ended, stderr } = startPython([receiver], await aDataDir(), {});
    expect(await ended).toBe(1);
    expect(stderr()).toContain('WEBHOOK_SECRET');
  });
});
