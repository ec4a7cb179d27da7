import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { newSecret, Receivers, signed } from '../../shared/events/receiver.ts';
import { succeeded } from '../support/service/api.ts';
import { startEventService } from '../support/service/event-service.ts';
import { aFreePort } from '../support/service/free-port.ts';

type Handle = (event: { id: string; type: string; data: unknown }) => void | Promise<void>;
type Receive = (options: { secret: string; handle: Handle }) => Server;

const example = new URL('../../docs/examples/webhook-receiver.mjs', import.meta.url);

const openReceiver = async (secret: string, handle: Handle, port = 0) => {
  const { receive } = (await import(example.href)) as { receive: Receive };
  const server = receive({ secret, handle }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const receivers = new Receivers({ allowsLoopback: true });
  return {
    deliver: (id: string, body: string, by = secret, time = Date.now()) =>
      receivers.post(url, signed([by], id, time, body), body),
  };
};
const body = JSON.stringify({ type: 'call.ended', timestamp: '2026-05-04T10:15:30.120Z', data: { n: 1 } });

it('the example receiver has at most 60 lines', async () => {
  expect((await readFile(example, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(60);
});

it('the example receiver verifies, answers before it has handled the event, and drops repeats', async () => {
  const handled: string[] = [];
  const secret = newSecret();
  const { deliver } = await openReceiver(secret, ({ id, type }) => {
    handled.push(`${id} ${type}`);
    return new Promise(() => {});
  });
  for (const id of ['a', 'b', 'a']) expect(await deliver(id, body)).toMatchObject({ status: 204 });
  await expect.poll(() => handled).toEqual(['a call.ended', 'b call.ended']);
});

it('the example receiver refuses what the service did not sign, what is old and what is too large', async () => {
  const complaint = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => complaint.mockRestore());
  const handle = vi.fn();
  const secret = newSecret();
  const { deliver } = await openReceiver(secret, handle);
  expect(await deliver('a', body, newSecret())).toMatchObject({ status: 400 });
  expect(await deliver('a', body, secret, Date.now() - 3600_000)).toMatchObject({ status: 400 });
  expect(await deliver('a', `"${'x'.repeat(1_000_001)}"`)).not.toMatchObject({ status: 204 });
  expect(handle).not.toHaveBeenCalled();
});

it('the example receiver gets each event of the service once, also when it is sent again', async () => {
  const api = await startEventService();
  const port = await aFreePort();
  const added = { url: `http://127.0.0.1:${port}/hook`, types: ['task.deleted'] };
  const { id, secret } = succeeded(await api.post('/api/webhook/add', added));
  const handled: string[] = [];
  await openReceiver(String(secret), (event) => void handled.push(event.id), port);
  const { id: taskId } = await api.aTask();
  succeeded(await api.post('/api/task/delete', { id: taskId }));
  await expect.poll(() => handled).toHaveLength(1);
  succeeded(await api.post('/api/webhook/send', { id, eventIds: handled }));
  const deliveries = async () => succeeded(await api.get(`/api/webhook/${id}/deliveries`)).rows;
  const arrived = { eventId: `${taskId}-deleted`, httpStatus: 204 };
  await expect.poll(deliveries).toMatchObject([arrived, arrived]);
  expect(handled).toEqual([`${taskId}-deleted`]);
});
