import { beforeEach, describe, expect, it } from 'vitest';
import { newName, useService } from '../support/service/client.ts';

describe('what operators see', () => {
  const { clock, get, post, download } = useService({ maxCallsPerNumberPerDay: 2 });
  let listId: string;
  let taskId: string;
  let numbers = 0;

  /** A running task with four contacts. It is Monday, 10:00. */
  beforeEach(async () => {
    clock.moveTo('2026-05-04 10:00:00');
    listId = (await post('/api/dataSource/add', { dataSourceName: newName('Customers') })).id;
    const contacts = Array.from({ length: 4 }, () => ({ phoneNumber: `+4930${++numbers + 100_000}` }));
    await post(`/api/dataSource/${listId}/contact/batchAdd`, { contacts });
    taskId = await publish({});
  });

  const publish = async (rules: object) => {
    const usual = { taskName: newName('Renewal'), dataSourceId: listId, callInterval: 600, maxDialCount: 3 };
    const { id } = await post('/api/task/add', { ...usual, ...rules });
    await post('/api/task/publish', { id });
    return id;
  };
  const overview = () => get(`/api/task/${taskId}/overview`);
  const lease = async (limit: number) =>
    (await post('/api/dialer/lease', { taskId, limit, leaseSeconds: 120 })).calls;
  const report = (callId: string, outcome: string, more = {}) =>
    post('/api/dialer/result', { callId, outcome, ...more });

  it('counts each contact in one place, and the places add up', async () => {
    const [reached, missed] = await lease(3);
    await report(reached!.callId, 'success');
    await report(missed!.callId, 'noAnswer');
    const { contacts } = await overview();
    expect(contacts).toMatchObject({
      ...{ total: 4, reached: 1, waiting: 1, inCall: 1, notDialed: 1, callable: 1 },
      ...{ failed: 0, noAnswer: 0, blocked: 0, notSelected: 0 },
    });
  });

  it('says who waits for what, from when and until when', async () => {
    const [retry, callback] = await lease(2);
    await report(retry!.callId, 'noAnswer');
    await report(callback!.callId, 'success', { callbackTime: '2026-05-04 15:00:00' });
    expect(await overview()).toMatchObject({
      contacts: { callable: 2, waiting: 2, callbacks: 1 },
      waits: [
        { reason: 'RETRY', count: 1, from: '2026-05-04 10:10:00', to: '2026-05-04 10:10:00' },
        { reason: 'CALLBACK', count: 1, from: '2026-05-04 15:00:00', to: '2026-05-04 15:00:00' },
      ],
    });
  });

  it('names the reason that ends last: a limit after the retry, and the hours after the limit', async () => {
    await post('/api/task/stop', { id: taskId });
    taskId = await publish({ dailyStartTime: '09:00', dailyEndTime: '18:00' });
    for (let i = 0; i < 2; i++) {
      for (const { callId } of await lease(4)) await report(callId, 'noAnswer');
      clock.pass({ minutes: 10 });
    }
    const next = '2026-05-05 09:00:00';
    expect(await overview()).toMatchObject({ waits: [{ reason: 'HOURS', count: 4, from: next, to: next }] });
    const { rows } = await get(`/api/task/${taskId}/contacts`);
    expect(rows).toMatchObject(Array(4).fill({ nextCallTime: next, waitReason: 'HOURS' }));
  });

  it('says why no call goes out, and since when one could', async () => {
    const dialing = async () => (await overview()).dialing;
    clock.pass({ minutes: 2 });
    expect(await dialing()).toMatchObject({ active: false, reason: 'NO_DIALER' });
    const calls = await lease(4);
    expect(await dialing()).toMatchObject({ reason: 'ALL_IN_CALL' });
    for (const { callId } of calls) await report(callId, 'noAnswer');
    expect(await dialing()).toMatchObject({ reason: 'WAITING_FOR_RETRY', nextTime: '2026-05-04 10:12:00' });
    await post('/api/task/pause', { id: taskId });
    expect(await dialing()).toMatchObject({ reason: 'PAUSED', nextTime: null });
  });

  it('shows when contacts become callable, hour by hour', async () => {
    const [later] = await lease(1);
    await report(later!.callId, 'success', { callbackTime: '2026-05-04 15:20:00' });
    const { callable, hours } = (await get(`/api/task/${taskId}/outlook`)) as unknown as {
      callable: number;
      hours: { time: string; count: number }[];
    };
    expect([callable, hours.length]).toEqual([3, 48]);
    expect(hours.filter(({ count }) => count > 0)).toEqual([{ time: '2026-05-04 15:00:00', count: 1 }]);
  });

  it('lists the contacts of each outcome, the latest call first', async () => {
    const [first, second] = await lease(2);
    await report(first!.callId, 'success');
    clock.pass({ seconds: 1 });
    await report(second!.callId, 'success');
    const { total, rows } = await get(`/api/task/${taskId}/contacts`, { outcome: 'success' });
    expect(total).toBe(2);
    expect(rows.map(({ contactId }) => contactId)).toEqual([second!.contactId, first!.contactId]);
  });

  it('counts calls by outcome and reason, by the hour and by the day', async () => {
    const [one, two] = await lease(2);
    await report(one!.callId, 'success', { duration: 30 });
    clock.moveTo('2026-05-04 11:05:00');
    await report(two!.callId, 'noAnswer', { reason: 'busy', duration: 8 });
    expect((await overview()).calls).toMatchObject({
      ...{ total: 2, success: 1, noAnswer: 1, duration: 38, talkDuration: 30 },
      byReason: { busy: 1, voicemail: 0 },
    });
    expect((await get(`/api/task/${taskId}/timeline`, { bucket: 'hour' })).rows).toMatchObject([
      { time: '2026-05-04 10:00:00', total: 1, success: 1 },
      { time: '2026-05-04 11:00:00', total: 1, noAnswer: 1 },
    ]);
    const { tasks } = await get('/api/service/day', { date: '2026-05-04' });
    expect(tasks.find((task) => task.taskId === taskId)).toMatchObject({ calls: { total: 2, success: 1 } });
  });

  it('says before the start how many can be called, and who never will', async () => {
    const { rows } = await get(`/api/dataSource/${listId}/contacts`);
    const { phoneNumber } = rows[0] as unknown as { phoneNumber: string };
    await post('/api/dataSource/do-not-call/contact/add', { phoneNumber });
    const inputs = { taskName: 'Survey', dataSourceId: listId, dailyStartTime: '12:00' };
    expect(await post('/api/task/preflight', inputs)).toMatchObject({
      ...{ total: 4, callable: 3, blocked: 1, firstCallTime: '2026-05-04 12:00:00' },
      alsoIn: [{ taskId, count: 3 }],
    });
  });

  it('tells which of several tasks are served first', async () => {
    const urgent = await publish({ priority: 1 });
    await post('/api/dialer/lease', { limit: 1 });
    expect((await overview()).dialing).toMatchObject({
      reason: 'BEHIND_OTHERS',
      behind: [{ taskId: urgent, priority: 1 }],
    });
    await post('/api/task/stop', { id: urgent });
  });

  it('has nobody waiting once a task is stopped', async () => {
    const [call] = await lease(1);
    await report(call!.callId, 'noAnswer');
    await post('/api/task/stop', { id: taskId });
    const { contacts, waits } = await overview();
    expect([contacts, waits]).toMatchObject([{ notDialed: 3, noAnswer: 1, waiting: 0, callable: 0 }, []]);
  });

  it('leaves as a file with one row for each contact', async () => {
    const [call] = await lease(1);
    await report(call!.callId, 'success', { duration: 30 });
    const file = await download(`/api/task/${taskId}/export`, { format: 'csv' });
    const rows = file.trimEnd().split('\r\n');
    expect(rows).toHaveLength(5);
    expect(rows.filter((row) => row.includes(call!.contactId))).toMatchObject([
      expect.stringContaining('success'),
    ]);
  });
});
