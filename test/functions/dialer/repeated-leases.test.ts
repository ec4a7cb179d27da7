import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';
import { send } from '../../support/service/post-scenarios.ts';

describe.each(engines)('a lease repeated under its key on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });

  /** Sends the same lease request each time. */
  const aLease = async (contacts: number, rules: object = {}) => {
    const { id, dataSourceId } = await dialing.aRunningTask(contacts, { callInterval: 0, ...rules });
    const key = randomUUID();
    const post = { path: '/api/dialer/lease', body: { taskId: id, limit: 4, leaseSeconds: 60 } };
    const answer = async () => succeeded(await send(api, post, key));
    const lease = async () => (await answer()).calls as Call[];
    return {
      id: String(id),
      dataSourceId: String(dataSourceId),
      key,
      post,
      answer,
      lease,
      calls: await lease(),
    };
  };

  it('answers the calls whose leases are live, and leases no others', async () => {
    const { answer, lease, calls } = await aLease(6);
    expect(calls.map(({ phoneNumber }) => phoneNumber)).toEqual([0, 1, 2, 3].map(phoneOf));
    expect(await answer()).toMatchObject({ calls, retryAfterSeconds: 0, taskStatus: 1 });
    await dialing.report(calls[0]!.callId, 'failed');
    await dialing.report(calls[2]!.callId, 'success');
    expect(await answer()).toMatchObject({ calls: [calls[1], calls[3]], retryAfterSeconds: 1 });
    clock.advance(60);
    expect(await lease()).toEqual([]);
  });

  it('answers no call whose contact another dialer has', async () => {
    const { id, lease, calls } = await aLease(1);
    expect(calls).toHaveLength(1);
    clock.advance(60);
    const other = await dialing.leaseOne({ taskId: id });
    expect(await lease()).toEqual([]);
    await dialing.report(other.callId, 'success');
  });

  it('answers no call whose number is on do-not-call by now, whose contact was deleted, or that was given back', async () => {
    const { dataSourceId, lease, calls } = await aLease(4);
    await api.aContact('do-not-call', { phoneNumber: phoneOf(0) });
    const { contactId } = calls[1]!;
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
    succeeded(await api.post('/api/dialer/release', { callId: calls[2]!.callId }));
    expect(await lease()).toEqual([calls[3]]);
    // The result of a call that was made all the same still counts.
    expect(await dialing.report(calls[0]!.callId, 'success')).toMatchObject({ contactStatus: 1 });
    const { rows } = succeeded(await api.get('/api/dataSource/do-not-call/contacts'));
    succeeded(await api.post('/api/dataSource/do-not-call/contact/delete', { contactId: rows[0]?.id }));
  });

  it.each(['pause', 'stop'])(
    'answers no call after %s, and the calls that were begun still count',
    async (operation) => {
      const { id, answer, calls } = await aLease(2);
      const { status: taskStatus } = succeeded(await dialing.operate(operation, id));
      expect(await answer()).toMatchObject({ calls: [], taskStatus });
      await dialing.report(calls[0]!.callId, 'success');
      expect(await dialing.statistics(id)).toMatchObject({ successCount: 1 });
    },
  );

  it('is refused again as the first time', async () => {
    const post = { path: '/api/dialer/lease', body: { taskId: 'none' } };
    const key = randomUUID();
    for (const replayed of [null, 'true']) {
      const answer = await send(api, post, key);
      expectError(answer, 404, /task/);
      expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
    }
  });

  it('says that it is a repeat', async () => {
    const { key, post } = await aLease(1);
    expect((await send(api, post, key)).headers.get('idempotent-replayed')).toBe('true');
    const other = { ...post, body: { ...post.body, limit: 5 } };
    expectError(await send(api, other, key), 422, /Idempotency-Key/);
  });
});
