import { describe, expect, it } from 'vitest';
import { type Call, DialingApi, phoneOf, TestClock } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

describe.each(engines)('a task that is closed on $name', (engine) => {
  const clock = new TestClock();
  const api = useApi({ engine, now: clock.now });
  const dialing = new DialingApi(api);

  const figuresOf = async (id: unknown) => ({
    statistics: succeeded(await api.get(`/api/task/${id}/stat`)),
    overview: succeeded(await api.get(`/api/task/${id}/overview`)),
    timeline: succeeded(await api.get(`/api/task/${id}/timeline`)),
    exported: [...(await dialing.exported(String(id))).values()],
  });

  it('had no call in progress', async () => {
    const { id } = await dialing.aRunningTask(3, { maxDialCount: 2, callInterval: 0 });
    const first = await dialing.leaseOne({ taskId: id, limit: 1 });
    await dialing.report(first.callId, 'failed');
    const [again, fresh] = (await dialing.lease({ taskId: id, limit: 2, leaseSeconds: 60 })) as [Call, Call];
    succeeded(await dialing.operate('stop', id));
    const refused = await dialing.operate('close', id);
    expectError(refused, 405, /^close is not allowed: 2 calls are in progress$/);
    expect(refused.headers.get('x-error-code')).toBe('CALLS_IN_PROGRESS');
    await dialing.report(again.callId, 'success');
    expectError(await dialing.operate('close', id), 405, /1 call is in progress/);
    expect(await dialing.statusOf(id)).toBe(3);
    clock.advance(60);
    expect(succeeded(await dialing.operate('close', id))).toEqual({ id, status: 6 });
    expectError(await dialing.result(fresh.callId, 'success'), 409, /CLOSED/);
  });

  it('keeps its figures, whatever is reported later', async () => {
    const { id } = await dialing.aRunningTask(3, { maxDialCount: 2, callInterval: 0 });
    const [reported, late] = (await dialing.lease({ taskId: id, limit: 2, leaseSeconds: 10 })) as [
      Call,
      Call,
    ];
    await dialing.report(reported.callId, 'failed', 5);
    succeeded(await dialing.operate('stop', id));
    clock.advance(10);
    succeeded(await dialing.operate('close', id));
    const before = await figuresOf(id);
    const refused = await dialing.result(late.callId, 'success', 30);
    expectError(refused, 409, /^the task is CLOSED/);
    expect(refused.headers.get('x-error-code')).toBe('TASK_CLOSED');
    // Sent again, a result that counted before the close gets the same answer.
    expect(await dialing.report(reported.callId, 'failed', 5)).toMatchObject({ taskStatus: 6 });
    expectError(await dialing.recall(String(id)), 405, /is CLOSED/);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    const { overview, ...after } = await figuresOf(id);
    expect({ ...after, calls: overview.calls, contacts: overview.contacts }).toEqual({
      ...{ statistics: before.statistics, timeline: before.timeline, exported: before.exported },
      ...{ calls: before.overview.calls, contacts: before.overview.contacts },
    });
  });

  it('and any other that has ended exports the contacts that it had', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(2);
    clock.advance(1);
    succeeded(await dialing.operate('stop', id));
    clock.advance(1);
    await api.aContact(String(dataSourceId), { phoneNumber: phoneOf(7) });
    expect([...(await dialing.exported(String(id))).keys()]).toEqual([phoneOf(0), phoneOf(1)]);
    expect(await dialing.statistics(String(id))).toMatchObject({ totalContacts: 2 });
    succeeded(await dialing.operate('close', id));
    expect([...(await dialing.exported(String(id), 3)).keys()]).toEqual([phoneOf(0), phoneOf(1)]);
  });
});
