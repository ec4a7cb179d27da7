import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Data, newName, useService } from '../support/service/client.ts';

type Event = { id: string; type: string; data: Data; call?: Data };
type Page = { events: Event[]; next: string; more: boolean };

describe('events', () => {
  const { clock, get, post, refusal } = useService({ maxCallsPerNumberPerDay: 0 });
  let taskId: string;
  let start: string;

  /**
   * A running task with two contacts. `start`: where the list of events ended before its publish.
   */
  beforeEach(async () => {
    const { id: dataSourceId } = await post('/api/dataSource/add', { dataSourceName: newName('Customers') });
    const contacts = [{ phoneNumber: '+4930000001' }, { phoneNumber: '+4930000002' }];
    await post(`/api/dataSource/${dataSourceId}/contact/batchAdd`, { contacts });
    const rules = { dataSourceId, maxDialCount: 2, callInterval: 0 };
    taskId = (await post('/api/task/add', { taskName: newName('Renewal'), ...rules })).id;
    start = (await list({ after: 'now' })).next;
    await post('/api/task/publish', { id: taskId });
  });

  const list = async (query: Record<string, string | number>) =>
    (await get('/api/event/list', query)) as unknown as Page;
  /**
   * Of the task, as soon as there are so many: an event is listed a moment after what it tells of.
   */
  const events = async (count: number, query = {}) => {
    const read = async () => (await list({ after: start, taskId, ...query })).events;
    await expect.poll(read).toHaveLength(count);
    return read();
  };
  const lease = async () => (await post('/api/dialer/lease', { taskId, limit: 1 })).calls[0]!;
  const report = (callId: string, outcome: string, more = {}) =>
    post('/api/dialer/result', { callId, outcome, ...more });

  it('tell what has happened to a task, in order', async () => {
    await post('/api/task/pause', { id: taskId });
    await post('/api/task/resume', { id: taskId });
    const told = await events(3);
    expect(told.map(({ type }) => type)).toEqual(Array(3).fill('task.state_changed'));
    expect(told.map(({ data }) => [data.previousStatus, data.status])).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
  });

  it('tell of each call that ended, and of each contact that is settled', async () => {
    const { callId, contactId } = await lease();
    await report(callId, 'noAnswer');
    const again = await lease();
    await report(again.callId, 'success', { duration: 30 });
    const told = (await events(4)).filter(({ data }) => data.contactId === contactId);
    const ended = told.filter(({ type }) => type === 'call.ended').map(({ data }) => data);
    expect(ended).toMatchObject([
      { callId, outcome: 'noAnswer', final: false },
      { callId: again.callId, outcome: 'success', duration: 30, final: true },
    ]);
    const settled = told.filter(({ type }) => type === 'contact.settled').map(({ data }) => data);
    expect(settled).toMatchObject([{ callId: again.callId, outcome: 'success', callCount: 2 }]);
  });

  it('are told once for a result that is sent twice', async () => {
    const { callId } = await lease();
    for (let i = 0; i < 2; i++) await report(callId, 'success');
    await post('/api/task/pause', { id: taskId });
    const told = await events(4);
    expect(told.filter(({ type }) => type === 'call.ended')).toHaveLength(1);
  });

  it('have no phone numbers, unless the record of the call is asked for', async () => {
    const { callId } = await lease();
    await report(callId, 'success', { summary: 'Pays on Friday.' });
    const plain = await events(1, { types: 'call.ended' });
    expect(JSON.stringify(plain)).not.toMatch(/\+4930|Friday/);
    const [expanded] = await events(1, { types: 'call.ended', expand: 'call' });
    expect(expanded!.call).toMatchObject({ callId, phoneNumber: '+4930000001', summary: 'Pays on Friday.' });
  });

  it('are read page by page without a gap, and a reader goes on where it ended', async () => {
    for (const operation of ['pause', 'resume', 'pause', 'resume'])
      await post(`/api/task/${operation}`, { id: taskId });
    const all = await events(5);
    const seen: Event[] = [];
    for (let after = start; seen.length < all.length; ) {
      const page = await list({ after, limit: 2 });
      seen.push(...page.events);
      after = page.next;
    }
    expect(seen).toEqual(all);
    expect((await list({ after: start, types: 'task.deleted', taskId })).events).toEqual([]);
  });

  it('begin at the end of the list with after=now', async () => {
    await events(1);
    const { next } = await list({ after: 'now' });
    await post('/api/task/pause', { id: taskId });
    await expect.poll(async () => (await list({ after: next, taskId })).events).toHaveLength(1);
  });

  it('tell that a task and its list are gone', async () => {
    await post('/api/task/stop', { id: taskId });
    await post('/api/task/close', { id: taskId });
    await post('/api/task/delete', { id: taskId });
    expect((await events(4)).at(-1)).toMatchObject({ type: 'task.deleted', data: { taskId } });
  });

  it('tell of what is added to a call later', async () => {
    const { callId } = await lease();
    await report(callId, 'success');
    await post('/api/dialer/annotate', { callId, summary: 'Pays on Friday.' });
    expect(await events(1, { types: 'call.annotated' })).toMatchObject([{ data: { callId } }]);
  });

  describe('with a webhook', () => {
    /** A receiver on this machine. It answers each delivery with the status that the test says. */
    const aReceiver = async (status: () => number) => {
      const received: { id: unknown; type: string }[] = [];
      const server = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        received.push({ id: request.headers['webhook-id'], type: JSON.parse(body).type });
        response.writeHead(status()).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => void server.close());
      return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
    };

    it('are sent as soon as they happen', async () => {
      const { received, url } = await aReceiver(() => 200);
      const { id } = await post('/api/webhook/add', { url, types: ['call.ended'], taskIds: [taskId] });
      await report((await lease()).callId, 'success');
      await expect.poll(() => received).toMatchObject([{ type: 'call.ended' }]);
      await post('/api/webhook/delete', { id });
    });

    it('are sent again, with the same id, until the receiver has taken them', async () => {
      let status = 500;
      const { received, url } = await aReceiver(() => status);
      const { id } = await post('/api/webhook/add', { url, types: ['call.ended'], taskIds: [taskId] });
      await report((await lease()).callId, 'success');
      await expect.poll(() => received).toHaveLength(1);
      status = 200;
      clock.pass({ minutes: 5 });
      await expect.poll(() => received).toHaveLength(2);
      expect(received[1]).toEqual(received[0]);
      await post('/api/webhook/delete', { id });
    });

    it('are never sent into a private network', async () => {
      for (const url of ['https://metadata.google.internal./', 'https:///x', 'https://printer.local/'])
        expect(await refusal('/api/webhook/add', { url })).toEqual([400, 'INVALID']);
    });
  });
});
