import { describe, expect, it } from 'vitest';
import { newName, useService } from '../support/service/client.ts';

describe('dialing', () => {
  const { clock, get, post, refusal } = useService({ maxCallsPerNumberPerDay: 3 });
  let numbers = 0;

  /** A running task with that many contacts, each with a number of its own. It is Monday, 10:00. */
  const aTask = async (contacts: number, rules: object = {}, fields: object = {}) => {
    clock.moveTo('2026-05-04 10:00:00');
    const { id: dataSourceId } = await post('/api/dataSource/add', { dataSourceName: newName('Customers') });
    for (let i = 0; i < contacts; i++) {
      const phoneNumber = `+4930${++numbers + 100_000}`;
      await post(`/api/dataSource/${dataSourceId}/contact/add`, { phoneNumber, ...fields });
    }
    const { id } = await post('/api/task/add', { taskName: newName('Renewal'), dataSourceId, ...rules });
    await post('/api/task/publish', { id });
    return { taskId: id, dataSourceId };
  };
  const lease = async (taskId: string, limit = 10, leaseSeconds = 120) =>
    (await post('/api/dialer/lease', { taskId, limit, leaseSeconds })).calls;
  const leaseOne = async (taskId: string) => (await lease(taskId, 1))[0]!;
  const report = (callId: string, outcome: string, more: object = {}) =>
    post('/api/dialer/result', { callId, outcome, ...more });
  const nextOf = async (taskId: string) => {
    const [row] = (await get(`/api/task/${taskId}/contacts`)).rows;
    return [row?.nextCallTime, row?.waitReason];
  };

  it('hands each contact to one dialer at a time', async () => {
    const { taskId } = await aTask(3);
    const [one, other] = [await lease(taskId, 2), await lease(taskId, 2)];
    expect([one.length, other.length]).toEqual([2, 1]);
    expect(new Set([...one, ...other].map(({ contactId }) => contactId)).size).toBe(3);
    expect(await lease(taskId)).toEqual([]);
  });

  it('loses nobody when a dialer dies: the contact comes again when its lease has run out', async () => {
    const { taskId } = await aTask(1);
    const [lost] = await lease(taskId, 1, 60);
    clock.pass({ seconds: 59 });
    expect(await lease(taskId)).toEqual([]);
    clock.pass({ seconds: 1 });
    expect(await leaseOne(taskId)).toMatchObject({ contactId: lost!.contactId, attempt: 1 });
  });

  it('counts a result once, however often it is sent, and refuses another for the same call', async () => {
    const { taskId } = await aTask(1);
    const { callId } = await leaseOne(taskId);
    const answer = await report(callId, 'success', { duration: 30 });
    expect(await report(callId, 'success', { duration: 30 })).toEqual(answer);
    expect(await refusal('/api/dialer/result', { callId, outcome: 'failed' })).toEqual([
      409,
      'ALREADY_REPORTED',
    ]);
    expect(await get(`/api/task/${taskId}/stat`)).toMatchObject({ callCount: 1, totalDuration: 30 });
  });

  it('calls again who was not reached, after callInterval and at most maxDialCount times', async () => {
    const { taskId } = await aTask(1, { maxDialCount: 2, callInterval: 600 });
    const first = await leaseOne(taskId);
    expect(await report(first.callId, 'noAnswer')).toMatchObject({ final: false });
    expect(await nextOf(taskId)).toEqual(['2026-05-04 10:10:00', 'RETRY']);
    clock.moveTo('2026-05-04 10:09:59');
    expect(await lease(taskId)).toEqual([]);
    clock.moveTo('2026-05-04 10:10:00');
    const second = await leaseOne(taskId);
    expect(second).toMatchObject({ contactId: first.contactId, attempt: 2 });
    expect(await report(second.callId, 'noAnswer')).toMatchObject({ final: true });
  });

  it('waits as the retry rule of the reason says', async () => {
    const retryRules = [{ reasons: ['busy'], waitSeconds: 120, attempts: 5 }];
    const { taskId } = await aTask(1, { maxDialCount: 5, callInterval: 7200, retryRules });
    await report((await leaseOne(taskId)).callId, 'noAnswer', { reason: 'busy' });
    expect(await nextOf(taskId)).toEqual(['2026-05-04 10:02:00', 'RETRY']);
  });

  it('calls back at the agreed time, before all others', async () => {
    const { taskId } = await aTask(2, { maxDialCount: 1 });
    const asked = await leaseOne(taskId);
    await report(asked.callId, 'success', { callbackTime: '2026-05-04 11:30:00' });
    clock.moveTo('2026-05-04 11:30:00');
    expect(await leaseOne(taskId)).toMatchObject({ contactId: asked.contactId });
  });

  it('agrees on a callback within thirty days, and on none after that', async () => {
    const { taskId } = await aTask(1);
    const result = { callId: (await leaseOne(taskId)).callId, outcome: 'success' };
    const late = { ...result, callbackTime: '2026-06-03 10:00:01' };
    expect(await refusal('/api/dialer/result', late)).toEqual([400, 'INVALID']);
    await post('/api/dialer/result', { ...result, callbackTime: '2026-06-03 10:00:00' });
    expect(await nextOf(taskId)).toEqual(['2026-06-03 10:00:00', 'CALLBACK']);
  });

  it('calls a contact from the same number each time, and different contacts from all of them', async () => {
    const callerNumbers = ['+4930001', '+4930002', '+4930003'];
    const { taskId } = await aTask(6, { callerNumbers, callInterval: 0 });
    const numbersOf = async () => {
      const calls = await lease(taskId);
      for (const { callId } of calls) await report(callId, 'noAnswer');
      return new Map(calls.map(({ contactId, callerNumber }) => [contactId, callerNumber]));
    };
    const first = await numbersOf();
    expect(new Set(first.values())).toEqual(new Set(callerNumbers));
    expect(await numbersOf()).toEqual(first);
  });

  it('calls nobody outside the hours of the task, by the clock of the contact', async () => {
    const hours = { dailyStartTime: '09:00', dailyEndTime: '18:00' };
    const { taskId } = await aTask(1, hours, { timeZone: 'Asia/Shanghai' });
    // It is 18:00 in Shanghai.
    expect(await lease(taskId)).toEqual([]);
    expect(await nextOf(taskId)).toEqual(['2026-05-05 01:00:00', 'HOURS']);
    clock.moveTo('2026-05-05 01:00:00');
    expect(await lease(taskId)).toHaveLength(1);
  });

  it('never calls a number on the do-not-call list, also if it is put there between two calls', async () => {
    const { taskId } = await aTask(1, { maxDialCount: 5, callInterval: 0 });
    const call = await leaseOne(taskId);
    await report(call.callId, 'noAnswer', { doNotCall: true });
    expect(await lease(taskId)).toEqual([]);
    const [row] = (await get(`/api/task/${taskId}/contacts`)).rows;
    expect(row).toMatchObject({ nextCallTime: null, waitReason: null });
  });

  it('calls a number no more than allowed in a day, over all tasks', async () => {
    const { taskId, dataSourceId } = await aTask(1, { maxDialCount: 5, callInterval: 0 });
    for (let i = 0; i < 2; i++) await report((await leaseOne(taskId)).callId, 'noAnswer');
    const other = await post('/api/task/add', { taskName: newName('Survey'), dataSourceId, callInterval: 0 });
    await post('/api/task/publish', { id: other.id });
    await report((await leaseOne(other.id)).callId, 'noAnswer');
    for (const id of [taskId, other.id]) expect(await lease(id)).toEqual([]);
    expect(await nextOf(taskId)).toEqual(['2026-05-05 00:00:00', 'DAILY_LIMIT']);
    clock.moveTo('2026-05-05 00:00:00');
    expect(await lease(taskId)).toHaveLength(1);
  });

  it('calls only who matches the filter of the task', async () => {
    const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' }];
    const { taskId, dataSourceId } = await aTask(1, { contactFilter }, { plan: 'tin' });
    await post(`/api/dataSource/${dataSourceId}/contact/add`, { phoneNumber: '+4930111', plan: 'gold' });
    expect(await lease(taskId)).toMatchObject([{ phoneNumber: '+4930111' }]);
  });

  it('keeps to the limits of pace of the task', async () => {
    const { taskId } = await aTask(5, { maxConcurrentCalls: 2, callsPerMinute: 3 });
    const [call] = await lease(taskId);
    expect(await lease(taskId)).toEqual([]);
    await report(call!.callId, 'success');
    expect(await lease(taskId)).toHaveLength(1);
    clock.pass({ minutes: 5 });
    expect(await lease(taskId)).toHaveLength(2);
  });

  it('serves the most urgent task first where a dialer names none', async () => {
    const { taskId: later } = await aTask(1, { priority: 4 });
    const { taskId: urgent } = await aTask(1, { priority: 1 });
    const { calls } = await post('/api/dialer/lease', { limit: 1 });
    expect(calls).toMatchObject([{ taskId: urgent, priority: 1 }]);
    await post('/api/task/stop', { id: later });
  });

  it('takes a call back that was not begun, without an attempt, and extends one that goes on', async () => {
    const { taskId } = await aTask(1);
    const { callId, contactId } = await leaseOne(taskId);
    const extended = await post('/api/dialer/extend', { callId, leaseSeconds: 600 });
    expect(extended).toMatchObject({ leaseExpireTime: '2026-05-04 10:10:00' });
    await post('/api/dialer/release', { callId, waitSeconds: 30 });
    expect(await nextOf(taskId)).toEqual(['2026-05-04 10:00:30', 'RETRY']);
    clock.pass({ seconds: 30 });
    expect(await leaseOne(taskId)).toMatchObject({ contactId, attempt: 1 });
  });

  it('calls again who is recalled, with new attempts', async () => {
    const { taskId } = await aTask(1, { maxDialCount: 1, callInterval: 600 });
    const { callId, contactId } = await leaseOne(taskId);
    expect(await report(callId, 'failed')).toMatchObject({ final: true });
    const recalled = await post(`/api/task/${taskId}/recall`, {});
    expect(recalled).toMatchObject({ recallCount: 1, recallIds: [contactId] });
    clock.pass({ minutes: 10 });
    expect(await leaseOne(taskId)).toMatchObject({ contactId, attempt: 1 });
  });

  it('pauses a task whose calls fail', async () => {
    const pauseWhen = { failedPercent: 50, calls: 10 };
    const { taskId } = await aTask(10, { pauseWhen, keepOpen: true, maxDialCount: 1 });
    const calls = await lease(taskId);
    const [running, paused] = [1, 2];
    for (const { callId } of calls.slice(0, 5)) await report(callId, 'success');
    for (const { callId } of calls.slice(5, 9)) await report(callId, 'failed');
    expect(await get(`/api/task/detail/${taskId}`)).toMatchObject({ status: running });
    await report(calls[9]!.callId, 'failed');
    const overview = await get(`/api/task/${taskId}/overview`);
    expect(overview).toMatchObject({ status: paused, reasonCode: 'TOO_MANY_FAILED' });
  });
});
