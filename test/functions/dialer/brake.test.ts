import { describe, expect, it } from 'vitest';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { succeeded } from '../../support/service/api.ts';

describe('a task with a brake', () => {
  const { api, dialing } = useDialing();
  const callAll = async (taskId: string, outcomes: readonly string[]) => {
    const states = [];
    for (const outcome of outcomes) {
      const { callId } = await dialing.leaseOne({ taskId, limit: 1 });
      states.push((await dialing.report(callId, outcome)).taskStatus);
    }
    return states;
  };

  it('pauses itself once too many of its last calls failed, and goes on when it is resumed', async () => {
    const pauseWhen = { failedPercent: 80, calls: 10 };
    const { id } = await dialing.aRunningTask(40, { pauseWhen, maxDialCount: 1 });
    const outcomes = ['noAnswer', 'success', 'failed', 'success', ...Array(6).fill('failed')];
    expect(await callAll(id, outcomes)).toEqual(Array(10).fill(1));
    expect(await callAll(id, ['failed'])).toEqual([2]);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    const overview = succeeded(await api.get(`/api/task/${id}/overview`));
    const cause = { reasonCode: 'TOO_MANY_FAILED', figures: { failed: 8, calls: 10, failedPercent: 80 } };
    expect(overview).toMatchObject({ status: 2, reason: null, ...cause, dialing: { reason: 'PAUSED' } });
    const { rows } = succeeded(await api.get(`/api/task/${id}/history`));
    expect(rows[0]).toMatchObject({
      ...{ operation: 'pause', from: 1, to: 2, by: 'service' },
      reason: '8 of the last 10 calls failed; the task pauses itself at 80 %',
      ...cause,
    });
    succeeded(await dialing.operate('resume', id));
    const none = { reasonCode: null, figures: null };
    expect(succeeded(await api.get(`/api/task/${id}/overview`))).toMatchObject(none);
    succeeded(await dialing.operate('pause', id));
    expect(succeeded(await api.get(`/api/task/${id}/history`)).rows[0]).toMatchObject({
      reason: null,
      ...none,
    });
    succeeded(await dialing.operate('resume', id));
    expect(await callAll(id, Array(9).fill('failed'))).toEqual(Array(9).fill(1));
    expect(await callAll(id, ['failed'])).toEqual([2]);
  });

  it('counts from its change on when it is adjusted', async () => {
    const { id } = await dialing.aRunningTask(40, {
      pauseWhen: { failedPercent: 90, calls: 10 },
      maxDialCount: 1,
    });
    expect(await callAll(id, ['success', 'success', ...Array(8).fill('failed')])).toEqual(Array(10).fill(1));
    succeeded(await api.post('/api/task/adjust', { id, pauseWhen: { failedPercent: 50, calls: 10 } }));
    expect(await callAll(id, Array(9).fill('failed'))).toEqual(Array(9).fill(1));
    expect(await callAll(id, ['failed'])).toEqual([2]);
  });

  it('completes with its last contact instead', async () => {
    const pauseWhen = { failedPercent: 1, calls: 10 };
    const { id } = await dialing.aRunningTask(10, { pauseWhen, maxDialCount: 1 });
    expect(await callAll(id, Array(10).fill('failed'))).toEqual([...Array(9).fill(1), 4]);
  });

  it('counts results that come in together', async () => {
    const pauseWhen = { failedPercent: 100, calls: 20 };
    const { id } = await dialing.aRunningTask(40, { pauseWhen, maxDialCount: 1 });
    const calls = await dialing.lease({ taskId: id, limit: 20 });
    await Promise.all(calls.map(({ callId }) => dialing.report(callId, 'failed')));
    const after = await dialing.lease({ taskId: id, limit: 1 });
    // Where the last results met, the next one brings the brake up to date.
    for (const { callId } of after)
      expect(await dialing.report(callId, 'failed')).toMatchObject({ taskStatus: 2 });
    expect(await dialing.statusOf(id)).toBe(2);
  });
});
