import { describe, expect, it } from 'vitest';
import { type Call, DialingApi, phoneOf } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

describe.each(engines)('tasks with calls in progress on $name', (engine) => {
  const api = useApi({ engine });
  const dialing = new DialingApi(api);

  it.each(['pause', 'stop'])(
    'lets calls in progress finish after %s, and starts no more',
    async (operation) => {
      const { id } = await dialing.aRunningTask(2, { maxDialCount: 1 });
      const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
      const { status } = succeeded(await dialing.operate(operation, id));
      expect(await dialing.lease({ taskId: id })).toEqual([]);
      expect(await dialing.report(callId, 'success', 8)).toMatchObject({ final: true, taskStatus: status });
      expect(await dialing.statistics(id)).toMatchObject({ callCount: 1, successCount: 1, status });
    },
  );

  it('tells a dialer of one task the state of the task with each lease', async () => {
    const { id } = await dialing.aRunningTask(1, { maxDialCount: 1 });
    const leased = async (body: object = { taskId: id }) => {
      const { calls, taskStatus } = succeeded(await api.post('/api/dialer/lease', body));
      return { calls: calls as Call[], taskStatus };
    };
    expect(await leased({ taskId: (await api.aTask()).id })).toEqual({ calls: [], taskStatus: 0 });
    const { calls, taskStatus } = await leased();
    expect([calls.length, taskStatus]).toEqual([1, 1]);
    expect(await leased()).toEqual({ calls: [], taskStatus: 1 });
    expect(Object.keys(succeeded(await api.post('/api/dialer/lease', {})))).not.toContain('taskStatus');
    succeeded(await dialing.operate('pause', id));
    expect(await leased()).toEqual({ calls: [], taskStatus: 2 });
    await dialing.report(calls[0]!.callId, 'success');
    succeeded(await dialing.operate('resume', id));
    // This request finds that nothing is left to call.
    expect(await leased()).toEqual({ calls: [], taskStatus: 4 });
    succeeded(await dialing.operate('close', id));
    expect(await leased()).toEqual({ calls: [], taskStatus: 6 });
    expectError(await api.post('/api/dialer/lease', { taskId: 'nobody' }), 404, /task/);
  });

  it('goes on where it was after a pause, with nobody called twice', async () => {
    const { id } = await dialing.aRunningTask(3, { maxDialCount: 1 });
    const first = await dialing.leaseOne({ taskId: id, limit: 1 });
    await dialing.operate('pause', id);
    await dialing.report(first.callId, 'failed');
    await dialing.operate('resume', id);
    const rest = await dialing.lease({ taskId: id });
    expect(rest.map(({ phoneNumber }) => phoneNumber)).toEqual([phoneOf(1), phoneOf(2)]);
    for (const { callId } of rest) await dialing.report(callId, 'success');
    expect(await dialing.statusOf(id)).toBe(4);
  });

  it('completes a paused task only once it is resumed', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id });
    await dialing.operate('pause', id);
    expect(await dialing.report(callId, 'success')).toMatchObject({ final: true, taskStatus: 2 });
    await dialing.operate('resume', id);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expect(await dialing.statusOf(id)).toBe(4);
  });

  it('fails a task as a whole, with the reason kept and calls in progress counted', async () => {
    const { id } = await dialing.aRunningTask(2);
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
    const body = { taskId: id, reason: 'the trunk is gone' };
    expect(succeeded(await api.post('/api/dialer/fail', body))).toEqual({ id, status: 5 });
    expect((await api.storedTask(id)).reason).toBe('the trunk is gone');
    expect(await dialing.report(callId, 'success')).toMatchObject({ taskStatus: 5 });
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expectError(await api.post('/api/dialer/fail', body), 405, /is FAILED/);
    expectError(await api.post('/api/dialer/fail', { taskId: 'nobody', reason: 'x' }), 404, /task/);
  });

  it.each([
    ['deleted', ({ contactId }: Call) => ['delete', { contactId }]],
    ['deleted with others', ({ contactId }: Call) => ['batchDelete', { contactIds: [contactId] }]],
    ['erased', ({ phoneNumber }: Call) => ['erase', { phoneNumber }]],
  ] as const)('ends a task whose last waiting contact is %s', async (_, removal) => {
    const { id, dataSourceId } = await dialing.aRunningTask(2, { maxDialCount: 3, callInterval: 600 });
    const [done, waiting] = (await dialing.lease({ taskId: id })) as [Call, Call];
    await dialing.report(done.callId, 'success');
    await dialing.report(waiting.callId, 'failed');
    // A dialer sees that nobody can be called for ten minutes.
    expect(await dialing.lease({})).toEqual([]);
    const [what, body] = removal(waiting);
    const path = what === 'erase' ? '/api/contact' : `/api/dataSource/${dataSourceId}/contact`;
    succeeded(await api.post(`${path}/${what}`, body));
    expect(await dialing.lease({})).toEqual([]);
    expect(await dialing.statusOf(id)).toBe(4);
  });

  it('ends with the result of its last contact, though the contact was deleted during the call', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(1, { maxDialCount: 3 });
    const { callId, contactId } = await dialing.leaseOne({ taskId: id });
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
    expect(await dialing.report(callId, 'failed')).toMatchObject({ final: true, taskStatus: 4 });
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 1, failCount: 1 });
  });
});
