import { describe, expect, it } from 'vitest';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import type { Row } from '../../support/service/answers.ts';
import { succeeded } from '../../support/service/api.ts';

describe.each(engines)('the pace of calls on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine, maxConcurrentCalls: 6 });

  const dialingOf = async (id: string) =>
    (succeeded(await api.get(`/api/task/${id}/overview`)) as never as { dialing: Row }).dialing;
  const stop = async (id: string) => succeeded(await dialing.operate('stop', id));

  it('keeps to the limit of a task, which its overview names as the reason', async () => {
    const { id } = await dialing.aRunningTask(10, { maxConcurrentCalls: 2, maxDialCount: 1 });
    const calls = await dialing.lease({ limit: 10, leaseSeconds: 60 });
    expect(calls).toHaveLength(2);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expect(await dialingOf(id)).toMatchObject({
      ...{ active: false, reason: 'AT_LIMIT', limit: 'MAX_CONCURRENT_CALLS' },
    });
    const { rows } = succeeded(await api.get('/api/task/overviews', { ids: id }));
    expect(rows).toMatchObject([{ dialing: { reason: 'AT_LIMIT' } }]);
    await dialing.report(calls[0]!.callId, 'success');
    expect(await dialingOf(id)).toMatchObject({ active: true, reason: null, limit: null });
    const [next] = await dialing.lease({ limit: 10, leaseSeconds: 60 });
    succeeded(await api.post('/api/dialer/extend', { callId: next!.callId, leaseSeconds: 600 }));
    succeeded(await api.post('/api/dialer/release', { callId: calls[1]!.callId, waitSeconds: 900 }));
    expect(await dialing.lease({ taskId: id, leaseSeconds: 10 })).toHaveLength(1);
    clock.advance(70);
    // The lease of ten seconds has ended, the lease that was extended has not.
    expect(await dialing.lease({ taskId: id })).toHaveLength(1);
    await stop(id);
    clock.advance(3600);
  });

  it('keeps to the calls of a minute', async () => {
    const { id } = await dialing.aRunningTask(10, { callsPerMinute: 3, maxDialCount: 1 });
    const answer = succeeded(await dialing.leaseAnswer({ limit: 10 })) as never as {
      calls: { callId: string }[];
      retryAfterSeconds: number;
    };
    expect(answer).toMatchObject({ calls: { length: 3 }, retryAfterSeconds: 15 });
    for (const { callId } of answer.calls) await dialing.report(callId, 'success');
    clock.advance(59);
    expect(await dialing.lease({})).toEqual([]);
    expect(await dialingOf(id)).toMatchObject({
      ...{ reason: 'AT_LIMIT', limit: 'CALLS_PER_MINUTE', nextTime: expect.any(String) },
    });
    clock.advance(2);
    expect(await dialing.lease({})).toHaveLength(3);
    await stop(id);
    clock.advance(3600);
  });

  it.each([
    ['the lines, where they are free later', 600, 'MAX_CONCURRENT_CALLS'],
    ['the calls of a minute, where it ends later', 30, 'CALLS_PER_MINUTE'],
  ])('with both limits used up names %s', async (_, leaseSeconds, limit) => {
    const rules = { maxConcurrentCalls: 2, callsPerMinute: 2, maxDialCount: 1 };
    const { id } = await dialing.aRunningTask(4, rules);
    expect(await dialing.lease({ taskId: id, leaseSeconds })).toHaveLength(2);
    const { nextTime, ...named } = await dialingOf(id);
    expect(named).toMatchObject({ active: false, reason: 'AT_LIMIT', limit });
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.time = Date.parse(`${nextTime}Z`) - 1;
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.advance(1);
    expect(await dialing.lease({ taskId: id })).toHaveLength(2);
    await stop(id);
    clock.advance(3600);
  });

  it('keeps to the limit of the service over all tasks', async () => {
    const tasks = [await dialing.aRunningTask(5), await dialing.aRunningTask(5)];
    expect(await dialing.lease({ limit: 4 })).toHaveLength(4);
    expect(await dialing.lease({ limit: 4 })).toHaveLength(2);
    for (const { id } of tasks) {
      expect(await dialingOf(id)).toMatchObject({ reason: 'AT_LIMIT', limit: 'MAX_CONCURRENT_CALLS' });
      await stop(id);
    }
    clock.advance(3600);
  });

  it('has a line of the service free once a call has ended whose lease was extended', async () => {
    const { id } = await dialing.aRunningTask(10, { maxDialCount: 1 });
    // Another end than that of the other calls.
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1, leaseSeconds: 60 });
    expect(await dialing.lease({ taskId: id, limit: 10 })).toHaveLength(5);
    succeeded(await api.post('/api/dialer/extend', { callId, leaseSeconds: 600 }));
    await dialing.report(callId, 'success');
    expect(await dialing.lease({ taskId: id, limit: 10 })).toHaveLength(1);
    await stop(id);
    clock.advance(3600);
  });
});
