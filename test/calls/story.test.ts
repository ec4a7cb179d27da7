import { beforeEach, describe, expect, it } from 'vitest';
import { type Data, newName, useService } from '../support/service/client.ts';

describe('the record of a call', () => {
  const { clock, get, post, refusal, download } = useService();
  let taskId: string;
  let listId: string;

  /** A running task with two contacts and its own words for what a call was good for. */
  beforeEach(async () => {
    clock.moveTo('2026-05-04 10:00:00');
    listId = (await post('/api/dataSource/add', { dataSourceName: newName('Customers') })).id;
    for (const phoneNumber of ['+4930000001', '+4930000002'])
      await post(`/api/dataSource/${listId}/contact/add`, { phoneNumber, customerName: 'Li Wei' });
    const dispositions = [
      { code: 'promised', label: 'Promises to pay', then: 'final' },
      { code: 'asksAgain', label: 'Wants to be asked again', then: 'retry' },
    ];
    const rules = { dispositions, callInterval: 600, maxDialCount: 2 };
    const task = { taskName: newName('Renewal'), dataSourceId: listId, ...rules };
    taskId = (await post('/api/task/add', task)).id;
    await post('/api/task/publish', { id: taskId });
  });

  const lease = async () =>
    (await post('/api/dialer/lease', { taskId, limit: 1, leaseSeconds: 600 })).calls[0]!;
  const report = (call: Data, result: object) =>
    post('/api/dialer/result', { callId: call.callId, ...result });
  const calls = async (query = {}) => (await get(`/api/task/${taskId}/calls`, query)).rows;
  const callOf = ({ callId }: Data) => get(`/api/call/detail/${callId}`);

  it('holds what the dialer learned, beside whom it called and when', async () => {
    const call = await lease();
    clock.pass({ seconds: 42 });
    const learned = { duration: 30, summary: 'Pays on Friday.', data: { amount: 120 }, recordingUrl: null };
    await report(call, {
      outcome: 'success',
      disposition: 'promised',
      ...learned,
      recordingUrl: 'https://r.example/1',
    });
    expect(await callOf(call)).toMatchObject({
      ...{ taskId, dataSourceId: listId, contactId: call.contactId, phoneNumber: call.phoneNumber },
      ...{ startTime: '2026-05-04 10:00:00', endTime: '2026-05-04 10:00:42', duration: 30 },
      ...{ outcome: 'success', disposition: 'promised', summary: 'Pays on Friday.', data: { amount: 120 } },
      ...{ recordingUrl: 'https://r.example/1', attempt: 1, final: true, fields: { customerName: 'Li Wei' } },
    });
  });

  it('is null in what the dialer did not say', async () => {
    const call = await lease();
    await report(call, { outcome: 'noAnswer' });
    const unknown = { reason: null, disposition: null, summary: null, data: null, transcriptUrl: null };
    expect(await callOf(call)).toMatchObject({ ...unknown, final: false });
  });

  it('is there once for each call, the latest first', async () => {
    const [one, other] = [await lease(), await lease()];
    await report(one, { outcome: 'noAnswer', reason: 'busy' });
    clock.pass({ minutes: 1 });
    await report(other, { outcome: 'success' });
    await report(other, { outcome: 'success' });
    expect((await calls()).map(({ callId }) => callId)).toEqual([other.callId, one.callId]);
    expect(await calls({ outcome: 'noAnswer' })).toMatchObject([{ callId: one.callId }]);
    expect(await calls({ phoneNumber: other.phoneNumber as string })).toMatchObject([
      { callId: other.callId },
    ]);
  });

  it('is not there for a call that was given back, or whose lease ran out', async () => {
    await post('/api/dialer/release', { callId: (await lease()).callId });
    await lease();
    clock.pass({ minutes: 10 });
    expect(await calls()).toEqual([]);
  });

  it('gets what is learned later, until the task is closed', async () => {
    const call = await lease();
    await report(call, { outcome: 'success', summary: 'Will think about it.' });
    const later = { callId: call.callId, disposition: 'promised', transcriptUrl: 'https://t.example/1' };
    await post('/api/dialer/annotate', later);
    const { summary, ...found } = await callOf(call);
    expect(found).toMatchObject({ disposition: 'promised', transcriptUrl: 'https://t.example/1' });
    expect(summary).toBe('Will think about it.');
    await post('/api/task/stop', { id: taskId });
    await post('/api/task/close', { id: taskId });
    expect(await refusal('/api/dialer/annotate', { callId: call.callId, summary: 'x' })).toEqual([
      409,
      'TASK_CLOSED',
    ]);
  });

  it('decides by its disposition whether the contact is called again', async () => {
    const [settled, again] = [await lease(), await lease()];
    expect(await report(settled, { outcome: 'noAnswer', disposition: 'promised' })).toMatchObject({
      final: true,
    });
    expect(await report(again, { outcome: 'success', disposition: 'asksAgain' })).toMatchObject({
      final: false,
    });
  });

  it('takes only dispositions of the task', async () => {
    const result = { callId: (await lease()).callId, outcome: 'success', disposition: 'lost' };
    expect(await refusal('/api/dialer/result', result)).toEqual([400, 'INVALID']);
  });

  it('says that the person wishes no calls, and the number is on the do-not-call list', async () => {
    const call = await lease();
    await report(call, { outcome: 'success', doNotCall: true });
    expect(await callOf(call)).toMatchObject({ doNotCall: true });
    const { phoneNumber } = call as unknown as { phoneNumber: string };
    expect(await post('/api/contact/find', { phoneNumber })).toMatchObject({ doNotCall: true });
    await post('/api/dataSource/do-not-call/contact/batchDelete', { phoneNumbers: [phoneNumber] });
  });

  it('comes in batches, and a result that is refused does not stop the others', async () => {
    const [one, other] = [await lease(), await lease()];
    const results = [
      { callId: one.callId, outcome: 'success' },
      { callId: 'made-up', outcome: 'success' },
      { callId: other.callId, outcome: 'failed' },
    ];
    const answer = await post('/api/dialer/results', { results });
    expect(answer.results).toMatchObject([
      { code: 0 },
      { code: 404, errorCode: 'CALL_NOT_FOUND' },
      { code: 0 },
    ]);
    expect(await calls()).toHaveLength(2);
  });

  it('keeps the number that was called when the contact gets another one', async () => {
    const call = await lease();
    await report(call, { outcome: 'success' });
    const change = { contactId: call.contactId, phoneNumber: '+4930000777' };
    await post(`/api/dataSource/${listId}/contact/update`, change);
    expect(await callOf(call)).toMatchObject({ phoneNumber: call.phoneNumber });
  });

  it('is a row of the file of calls', async () => {
    const call = await lease();
    await report(call, { outcome: 'success', duration: 30, summary: 'Pays, on Friday.' });
    const [titles, row, ...others] = (await download(`/api/task/${taskId}/calls/export`, { format: 'csv' }))
      .trimEnd()
      .split('\r\n');
    expect(titles).toMatch(/^callId,/);
    expect(row).toContain(call.callId);
    expect(row).toContain('"Pays, on Friday."');
    expect(others).toEqual([]);
  });
});
