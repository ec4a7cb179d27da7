import { beforeEach, describe, expect, it } from 'vitest';
import { newName, useService } from '../support/service/client.ts';

const [draft, running, paused, stopped, completed, failed, closed] = [0, 1, 2, 3, 4, 5, 6];

describe('a task', () => {
  const { clock, get, post, refusal } = useService();
  let listId: string;
  let taskId: string;

  /** A draft that calls a list of one contact. */
  beforeEach(async () => {
    listId = (await post('/api/dataSource/add', { dataSourceName: newName('Customers') })).id;
    await post(`/api/dataSource/${listId}/contact/add`, { phoneNumber: '+4930000001' });
    taskId = (await post('/api/task/add', { taskName: newName('Renewal'), dataSourceId: listId })).id;
  });

  const operate = (operation: string) => post(`/api/task/${operation}`, { id: taskId });
  const overview = () => get(`/api/task/${taskId}/overview`);
  const status = async () => (await get(`/api/task/detail/${taskId}`)).status;
  const lease = async () => (await post('/api/dialer/lease', { taskId })).calls;

  it('begins as a draft, which nobody is called for', async () => {
    expect(await status()).toBe(draft);
    expect(await lease()).toEqual([]);
    await operate('publish');
    expect(await status()).toBe(running);
    expect(await lease()).toHaveLength(1);
  });

  it('has the rules of its author, and otherwise those that the documentation names', async () => {
    expect(await overview()).toMatchObject({
      ...{ priority: 3, maxDialCount: 3, callInterval: 60, timeZone: 'UTC' },
      ...{ dailyStartTime: '00:00', dailyEndTime: '24:00', weekdays: [1, 2, 3, 4, 5, 6, 7] },
    });
    await post('/api/task/update', { id: taskId, priority: 2, weekdays: [1, 2] });
    expect(await overview()).toMatchObject({ priority: 2, weekdays: [1, 2], maxDialCount: 3 });
  });

  it('refuses rules that contradict each other, and names nobody knows', async () => {
    const hours = { id: taskId, dailyStartTime: '18:00', dailyEndTime: '09:00' };
    expect(await refusal('/api/task/update', hours)).toEqual([400, 'INVALID']);
    const misspelt = { id: taskId, excluded_data_source_ids: [listId] };
    expect(await refusal('/api/task/update', misspelt)).toEqual([400, 'INVALID']);
  });

  it('is changed as a whole while it is a draft, and only adjusted while it runs', async () => {
    await operate('publish');
    expect(await refusal('/api/task/update', { id: taskId, priority: 1 })).toEqual([405, 'TASK_STATE']);
    await post('/api/task/adjust', { id: taskId, callsPerMinute: 30 });
    expect(await overview()).toMatchObject({ callsPerMinute: 30 });
    expect(await refusal('/api/task/adjust', { id: taskId, priority: 1 })).toEqual([400, 'INVALID']);
  });

  it('hands out no call while it is paused', async () => {
    await operate('publish');
    await operate('pause');
    expect([await status(), await lease()]).toEqual([paused, []]);
    await operate('resume');
    expect(await lease()).toHaveLength(1);
  });

  it('is completed by the last result', async () => {
    await operate('publish');
    const [call] = await lease();
    const answer = await post('/api/dialer/result', { callId: call!.callId, outcome: 'success' });
    expect(answer).toMatchObject({ final: true, taskStatus: completed });
    expect(await status()).toBe(completed);
  });

  it('with keepOpen waits for further contacts', async () => {
    await post('/api/task/update', { id: taskId, keepOpen: true });
    await operate('publish');
    const [call] = await lease();
    await post('/api/dialer/result', { callId: call!.callId, outcome: 'success' });
    expect(await status()).toBe(running);
    await post(`/api/dataSource/${listId}/contact/add`, { phoneNumber: '+4930000002' });
    expect(await lease()).toHaveLength(1);
  });

  it('is stopped for good, with a reason', async () => {
    await operate('publish');
    await post('/api/task/stop', { id: taskId, reason: 'the offer has ended' });
    expect(await overview()).toMatchObject({ status: stopped, reason: 'the offer has ended' });
    expect(await refusal('/api/task/resume', { id: taskId })).toEqual([405, 'TASK_STATE']);
  });

  it('stops itself at callUntil', async () => {
    await post('/api/task/update', { id: taskId, callUntil: '2026-05-04 12:00' });
    await operate('publish');
    clock.moveTo('2026-05-04 12:00:00');
    expect(await lease()).toEqual([]);
    expect(await overview()).toMatchObject({ status: stopped, reasonCode: 'CALL_UNTIL_PASSED' });
    clock.moveTo('2026-05-04 10:00:00');
  });

  it('is failed by a dialer that cannot run it, and a recall brings it back', async () => {
    await operate('publish');
    const [call] = await lease();
    await post('/api/dialer/result', { callId: call!.callId, outcome: 'failed' });
    await post('/api/dialer/fail', { taskId, reason: 'no trunk' });
    expect(await status()).toBe(failed);
    await post(`/api/task/${taskId}/recall`, { contactIds: [call!.contactId] });
    expect(await status()).toBe(running);
  });

  it('that is closed keeps its figures, and takes no more results', async () => {
    await operate('publish');
    const [call] = await lease();
    await operate('stop');
    expect(await refusal('/api/task/close', { id: taskId })).toEqual([405, 'CALLS_IN_PROGRESS']);
    clock.pass({ minutes: 2 });
    await operate('close');
    const late = { callId: call!.callId, outcome: 'success' };
    expect(await refusal('/api/dialer/result', late)).toEqual([409, 'TASK_CLOSED']);
    expect(await overview()).toMatchObject({ status: closed, contacts: { total: 1 } });
  });

  it('remembers who did what to it, the latest first', async () => {
    await operate('publish');
    await operate('pause');
    await post('/api/task/adjust', { id: taskId, callsPerMinute: 30 });
    const { rows } = await get(`/api/task/${taskId}/history`);
    expect(rows).toMatchObject([
      { operation: 'adjust', changes: [{ name: 'callsPerMinute', from: null, to: 30 }] },
      { operation: 'pause', by: 'local-developer' },
      { operation: 'publish', from: draft, to: running },
      { operation: 'add' },
    ]);
  });

  it('is deleted as a draft or when it is closed, never in between', async () => {
    await operate('publish');
    expect(await refusal('/api/task/delete', { id: taskId })).toEqual([405, 'TASK_STATE']);
    await operate('stop');
    await operate('close');
    await post('/api/task/delete', { id: taskId });
    expect(await refusal('/api/task/publish', { id: taskId })).toEqual([404, 'TASK_NOT_FOUND']);
  });
});
