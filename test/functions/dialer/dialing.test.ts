import { describe, expect, it } from 'vitest';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';

describe.each(engines)('dialing on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });

  it('hands out a call with everything a dialer needs', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(1, { priority: 2 });
    expect(await dialing.leaseOne({ taskId: id, leaseSeconds: 60 })).toEqual({
      callId: expect.stringMatching(/^[\w-]+$/),
      taskId: id,
      contactId: expect.any(String),
      dataSourceId,
      phoneNumber: phoneOf(0),
      callerNumber: null,
      fields: { customerName: 'Name 0' },
      attempt: 1,
      priority: 2,
      leaseExpireTime: api.timeIn(clock.time + 60_000),
    });
  });

  it('tells with the calls what their tasks are called and what they say to the dialer', async () => {
    const callSettings = { script: 'renewal', language: '中文' };
    const numbers = ['+49 (30) 123-456'];
    const one = await dialing.aRunningTask(2, { priority: 1, callSettings, callerNumbers: numbers });
    const two = await dialing.aRunningTask(1, { priority: 1 });
    const { calls, tasks } = succeeded(await dialing.leaseAnswer({ limit: 3 }));
    expect(tasks).toEqual({
      [one.id]: { taskName: one.taskName, callSettings },
      [two.id]: { taskName: two.taskName, callSettings: {} },
    });
    const callers = (calls as Call[]).map(({ taskId, callerNumber }) => [taskId === one.id, callerNumber]);
    expect(callers.filter(([isOne]) => isOne)).toEqual(Array(2).fill([true, '+4930123456']));
    expect(callers.filter(([isOne]) => !isOne)).toEqual([[false, null]]);
    const overview = succeeded(await api.get(`/api/task/${one.id}/overview`));
    expect(overview).toMatchObject({ callSettings, callerNumbers: ['+4930123456'], retryOrder: 'due' });
    for (const { id } of [one, two]) succeeded(await dialing.operate('stop', id));
  });

  it('gives a call back that was not started, and keeps one that goes on', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(2);
    const states = async () => (await dialing.contacts(dataSourceId)).map(({ status }) => status);
    const [one, other] = (await dialing.lease({ taskId: id, leaseSeconds: 60 })) as [Call, Call];
    const release = { callId: one.callId, waitSeconds: 30 };
    const { contactId } = one;
    const released = await api.post('/api/dialer/release', release);
    expect(succeeded(released)).toEqual({ callId: one.callId, taskId: id, contactId });
    expectError(await api.post('/api/dialer/release', release), 409, /lease/);
    const extension = { callId: other.callId, leaseSeconds: 300 };
    const leaseExpireTime = api.timeIn(clock.time + 300_000);
    expect(succeeded(await api.post('/api/dialer/extend', extension))).toEqual({
      callId: other.callId,
      leaseExpireTime,
    });
    clock.advance(29);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.advance(1);
    expect(await dialing.leaseOne({ taskId: id, leaseSeconds: 60 })).toMatchObject({ contactId, attempt: 1 });
    clock.advance(60);
    expect(await states()).toEqual([0, 4]);
    expect(await dialing.leaseOne({ taskId: id })).toMatchObject({ contactId });
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 0 });
  });

  it('tells a call whose result is known from one whose lease has ended', async () => {
    const { id } = await dialing.aRunningTask(2, { maxDialCount: 5, callInterval: 0 });
    const [reported, lapsed] = (await dialing.lease({ taskId: id, leaseSeconds: 60 })) as [Call, Call];
    const refusals = ({ callId }: Call) =>
      Promise.all(
        [{ path: 'extend', leaseSeconds: 60 }, { path: 'release' }].map(async ({ path, ...more }) => {
          const answer = await api.post(`/api/dialer/${path}`, { callId, ...more });
          return [answer.status, answer.headers.get('x-error-code')];
        }),
      );
    await dialing.report(reported.callId, 'noAnswer');
    expect(await refusals(reported)).toEqual(Array(2).fill([409, 'ALREADY_REPORTED']));
    clock.advance(60);
    expect(await refusals(lapsed)).toEqual(Array(2).fill([409, 'LEASE_LOST']));
    expect(await dialing.lease({ taskId: id })).toHaveLength(2);
    expect(await refusals(reported)).toEqual(Array(2).fill([409, 'ALREADY_REPORTED']));
    expect(await refusals(lapsed)).toEqual(Array(2).fill([409, 'LEASE_LOST']));
    await dialing.operate('stop', id);
  });

  it('calls a person back at the time of the service that was agreed, and lists who waits for that', async () => {
    const { id } = await dialing.aRunningTask(3, { maxDialCount: 1 });
    const [call, other] = (await dialing.lease({ taskId: id, limit: 2 })) as [Call, Call];
    const callbackTime = api.timeIn(clock.time + 90_000);
    const result = { callId: call.callId, outcome: 'success', callbackTime };
    expect(succeeded(await api.post('/api/dialer/result', result))).toMatchObject({ final: false });
    await dialing.report(other.callId, 'failed');
    const contacts = async (outcome: string) =>
      succeeded(await api.get(`/api/task/${id}/contacts`, { outcome }));
    const row = { contactId: call.contactId, outcome: 'callback', nextCallTime: callbackTime };
    for (const outcome of ['callback', 'waiting'])
      expect(await contacts(outcome)).toMatchObject({ total: 1, rows: [row] });
    const overview = succeeded(await api.get(`/api/task/${id}/overview`));
    expect(overview.contacts).toMatchObject({ waiting: 1, callbacks: 1, failed: 1, notDialed: 1, total: 3 });
    expect((await dialing.exported(id)).get(call.phoneNumber)).toMatchObject({ callOutcome: 'callback' });
    clock.advance(90);
    expect(await dialing.leaseOne({ taskId: id, limit: 1 })).toMatchObject({ contactId: call.contactId });
    expect(await contacts('callback')).toMatchObject({ total: 0, rows: [] });
    succeeded(await dialing.operate('stop', id));
  });

  it('refuses a callback in the past, unless its result was accepted before', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id });
    const at = (seconds: number) => api.timeIn(clock.time + seconds * 1000);
    const report = (callbackTime: string) =>
      api.post('/api/dialer/result', { callId, outcome: 'success', callbackTime });
    expectError(await report(at(-61)), 400, /^callbackTime: must not be more than 60 seconds in the past/);
    const accepted = at(-60);
    const answer = succeeded(await report(accepted));
    expect(answer).toMatchObject({ final: false });
    clock.advance(600);
    expect(succeeded(await report(accepted))).toEqual(answer);
    succeeded(await dialing.operate('stop', id));
  });

  it('agrees on five callbacks with a contact, and on no more', async () => {
    const { id } = await dialing.aRunningTask(1);
    const errors = [];
    for (let nth = 0; nth < 6; nth++) {
      const { callId } = await dialing.leaseOne({ taskId: id });
      const result = { callId, outcome: 'failed', callbackTime: api.timeIn(clock.time + 60_000) };
      errors.push((await api.post('/api/dialer/result', result)).headers.get('x-error-code'));
      clock.advance(60);
    }
    expect(errors).toEqual([...Array(5).fill(null), 'TOO_MANY_CALLBACKS']);
    succeeded(await dialing.operate('stop', id));
  });

  it('puts a number on the do-not-call list with the result', async () => {
    const { id } = await dialing.aRunningTask(1);
    const call = await dialing.leaseOne({ taskId: id });
    const result = { callId: call.callId, outcome: 'failed', reason: 'rejected', doNotCall: true };
    const answer = succeeded(await api.post('/api/dialer/result', result));
    expect(answer).toMatchObject({ final: true, taskStatus: 4 });
    const listed = await dialing.contacts('do-not-call');
    expect(listed.map(({ phoneNumber }) => phoneNumber)).toEqual([call.phoneNumber]);
    const contact = { contactId: listed[0]?.id };
    succeeded(await api.post('/api/dataSource/do-not-call/contact/delete', contact));
  });

  it('shows a contact in a call as status 4 while it is leased, and its outcome afterwards', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(2, { maxDialCount: 2 });
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
    const states = async () =>
      (await dialing.contacts(dataSourceId)).map(({ status, callCount }) => ({ status, callCount }));
    expect(await states()).toEqual([
      { status: 4, callCount: 0 },
      { status: 0, callCount: 0 },
    ]);
    expect((await dialing.exported(id)).get(phoneOf(0))).toMatchObject({ status: '4', callCount: '0' });
    expect(await dialing.report(callId, 'noAnswer', 20)).toMatchObject({
      callId,
      contactStatus: 3,
      final: false,
      taskStatus: 1,
    });
    expect(await states()).toEqual([
      { status: 3, callCount: 1 },
      { status: 0, callCount: 0 },
    ]);
  });

  it('shows a contact in a call as long as any task calls it, and then the latest outcome', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(1, { maxDialCount: 1 });
    const { id: other } = await api.aTaskIn(1, { dataSourceId });
    const contact = async () => (await dialing.contacts(dataSourceId))[0];
    const long = await dialing.leaseOne({ taskId: id, leaseSeconds: 600 });
    const short = await dialing.leaseOne({ taskId: other, leaseSeconds: 10 });
    await dialing.report(short.callId, 'failed');
    clock.advance(10);
    expect(await contact()).toMatchObject({ status: 4, callCount: 1 });
    await dialing.report(long.callId, 'success');
    expect(await contact()).toMatchObject({ status: 1, callCount: 2 });
    succeeded(await dialing.operate('stop', String(other)));
  });

  it('keeps durations to the millisecond, however small or odd they are', async () => {
    const plain = engine.sized(25, 5);
    const { id } = await dialing.aRunningTask(plain + 8, { maxDialCount: 3, callInterval: 0 });
    const calls = await dialing.lease({ taskId: id, limit: plain + 8 });
    for (const [i, duration] of [1e-40, 1e-300, 5e-324, 0.1, 0.2, 1 / 3, 86_400].entries())
      await dialing.report((calls[i] as Call).callId, 'success', duration);
    for (const { callId } of calls.slice(7, -1)) await dialing.report(callId, 'success', 30);
    expect(await dialing.statistics(id)).toMatchObject({
      callCount: plain + 7,
      totalDuration: 86_400.633 + 30 * plain,
    });
    const [last] = calls.slice(-1) as [Call];
    await dialing.report(last.callId, 'failed', 0.1);
    for (const outcome of ['failed', 'failed'])
      await dialing.report((await dialing.leaseOne({ taskId: id })).callId, outcome, 0.1);
    expect((await dialing.exported(id)).get(phoneOf(plain + 7))).toMatchObject({ callDuration: '0.3' });
    expect(await dialing.report(calls[5]!.callId, 'success', 0.33333)).toMatchObject({ final: true });
    expectError(
      await api.post('/api/dialer/result', { callId: calls[5]!.callId, outcome: 'success', duration: 0.334 }),
      409,
      /reported before/,
    );
  });

  it('shows the calls in statistics, detail, list and export', async () => {
    const { id } = await dialing.aRunningTask(4, { maxDialCount: 1 });
    const calls = await dialing.lease({ taskId: id });
    const outcomes = ['success', 'failed', 'noAnswer'];
    for (const [i, outcome] of outcomes.entries()) {
      await dialing.report((calls[i] as Call).callId, outcome, 30);
    }
    const counts = { callCount: 3, successCount: 1 };
    const all = { ...counts, failCount: 1, noAnswerCount: 1, dialRate: 0.75, successRate: 0.3333 };
    expect(await dialing.statistics(id)).toMatchObject({
      ...all,
      totalContacts: 4,
      totalDuration: 90,
      avgDuration: 30,
      lastUpdateTime: api.timeIn(clock.time),
    });
    const detail = succeeded(await api.get(`/api/task/detail/${id}`));
    expect(detail).toMatchObject({ ...all, callDuration: 90, avgCallDuration: 30 });
    const { rows } = succeeded(await api.get('/api/task/list', { pageSize: 500 }));
    expect(rows.find((row) => row.id === id)).toMatchObject({ ...counts, contactCount: 4, status: 1 });
    const phones = async (status: number) => [...(await dialing.exported(id, status)).keys()];
    expect(await phones(1)).toEqual([phoneOf(0)]);
    expect(await phones(2)).toEqual([phoneOf(1), phoneOf(2)]);
    // The fourth is leased still: no outcome yet, but not "not dialed" either.
    expect(await phones(0)).toEqual([0, 1, 2, 3].map(phoneOf));
    expect((await dialing.exported(id)).get(phoneOf(0))).toMatchObject({
      status: '1',
      callCount: '1',
      callDuration: '30',
      lastCallTime: api.timeIn(clock.time),
    });
  });

  it('completes a task with the result of its last contact, and closes it', async () => {
    const { id } = await dialing.aRunningTask(2, { maxDialCount: 1 });
    const [first, second] = (await dialing.lease({ taskId: id })) as [Call, Call];
    expect(await dialing.report(first.callId, 'failed')).toMatchObject({ final: true, taskStatus: 1 });
    clock.advance(5);
    expect(await dialing.report(second.callId, 'success', 9)).toMatchObject({ final: true, taskStatus: 4 });
    const { rows } = succeeded(await api.get('/api/task/list', { pageSize: 500 }));
    expect(rows.find((row) => row.id === id)).toMatchObject({ status: 4, endTime: api.timeIn(clock.time) });
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expect(succeeded(await dialing.operate('close', id))).toEqual({ id, status: 6 });
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 2, status: 6 });
  });

  it('tells when the state of a task last changed, whoever changed it', async () => {
    const { id } = await dialing.aRunningTask(1, { maxDialCount: 1, callInterval: 0 });
    const changes: Record<string, () => Promise<unknown>> = {
      pause: () => dialing.operate('pause', id),
      resume: () => dialing.operate('resume', id),
      fail: () => api.post('/api/dialer/fail', { taskId: id, reason: 'no trunk' }),
      recall: () => dialing.recall(id),
      complete: async () => dialing.report((await dialing.leaseOne({ taskId: id })).callId, 'failed'),
      'recall of a contact': async () =>
        dialing.recall(id, {
          contactIds: [...(await dialing.exported(id)).values()].map((row) => row.contactId),
        }),
      stop: () => dialing.operate('stop', id),
      close: () => dialing.operate('close', id),
    };
    for (const [name, change] of Object.entries(changes)) {
      clock.advance(10);
      await change();
      const { updateTime } = succeeded(await api.get(`/api/task/detail/${id}`));
      expect([name, updateTime]).toEqual([name, api.timeIn(clock.time)]);
      expect(await dialing.statistics(id)).toMatchObject({ lastUpdateTime: updateTime });
    }
  });

  it('gives a contact out again when its lease has run out, and not before', async () => {
    const { id } = await dialing.aRunningTask(1);
    const lost = await dialing.leaseOne({ taskId: id, leaseSeconds: 10 });
    clock.advance(9);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.advance(2);
    const again = await dialing.leaseOne({ taskId: id });
    expect(again).toMatchObject({ contactId: lost.contactId, attempt: 1 });
    expect(again.callId).not.toBe(lost.callId);
    expectError(await dialing.result(lost.callId, 'success', 5), 409, /given out again/);
    await dialing.report(again.callId, 'success', 5);
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 1, status: 4 });
  });

  it('takes a late result as long as nobody else was given the contact', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id, leaseSeconds: 10 });
    clock.advance(3600);
    expect(await dialing.report(callId, 'success', 3500)).toMatchObject({ final: true, taskStatus: 4 });
  });

  it('counts a result once however often it is sent, and refuses a different one', async () => {
    const { id } = await dialing.aRunningTask(2, { maxDialCount: 1 });
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
    const sent = { callId, outcome: 'noAnswer', reason: 'busy', duration: 12 };
    const report = (result: object) => api.post('/api/dialer/result', { ...sent, ...result });
    const answers = await Promise.all(Array.from({ length: 5 }, () => report({})));
    expect(new Set(answers.map((answer) => JSON.stringify(succeeded(answer)))).size).toBe(1);
    const callbackTime = api.timeIn(clock.time + 3_600_000);
    const others = [{ outcome: 'failed' }, { reason: null }, { duration: 13 }, { callbackTime }];
    for (const other of [...others, { doNotCall: true }])
      expectError(await report(other), 409, /reported before, as noAnswer/);
    expect(await dialing.statistics(id)).toMatchObject({ callCount: 1, noAnswerCount: 1, totalDuration: 12 });
  });

  it('keeps to the interval and to the number of attempts', async () => {
    const { id } = await dialing.aRunningTask(1, { maxDialCount: 2, callInterval: 60 });
    await dialing.report((await dialing.leaseOne({ taskId: id })).callId, 'failed');
    clock.advance(59);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.advance(1);
    const second = await dialing.leaseOne({ taskId: id });
    expect(second.attempt).toBe(2);
    expect(await dialing.report(second.callId, 'noAnswer')).toMatchObject({ final: true, taskStatus: 4 });
  });

  it('calls nobody outside the daily window', async () => {
    const { id } = await dialing.aRunningTask(1, { dailyStartTime: '09:00', dailyEndTime: '17:00' });
    const noon = clock.time;
    clock.time = Date.UTC(2026, 4, 4, 17);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.time = Date.UTC(2026, 4, 5, 8, 59, 59);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.time = Date.UTC(2026, 4, 5, 9);
    expect(await dialing.lease({ taskId: id })).toHaveLength(1);
    clock.time = Math.max(noon, clock.time);
  });

  it('hands out the most urgent task first when none is named', async () => {
    const slow = await dialing.aRunningTask(2, { priority: 4 });
    const urgent = await dialing.aRunningTask(2, { priority: 1 });
    const calls = (await dialing.lease({ limit: 100 })).filter(({ taskId }) =>
      [slow.id, urgent.id].includes(taskId),
    );
    expect(calls.map(({ taskId }) => taskId)).toEqual([urgent.id, urgent.id, slow.id, slow.id]);
  });
});
