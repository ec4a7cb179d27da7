import { describe, expect, it } from 'vitest';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';

const oneTry = { maxDialCount: 1, callInterval: 0 };

describe.each(engines)('recall on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });

  /** A COMPLETED task whose contacts ended like this, one call each. */
  const aFinishedTask = async (outcomes: readonly string[], rules = {}) => {
    const task = await dialing.aRunningTask(outcomes.length, { ...oneTry, ...rules });
    const calls = await dialing.lease({ taskId: task.id, limit: 100 });
    for (const [i, { callId }] of calls.entries()) await dialing.report(callId, outcomes[i] as string, 10);
    expect(await dialing.statusOf(task.id)).toBe(4);
    return { ...task, calls };
  };

  it('queues every contact that failed or did not answer, and the task runs again', async () => {
    const { id, calls } = await aFinishedTask(['failed', 'success', 'noAnswer']);
    const failed = [calls[0], calls[2]].map((call) => (call as Call).contactId);
    const recalled = succeeded(await dialing.recall(id));
    expect(recalled).toEqual({ recallCount: 2, recallIds: expect.arrayContaining(failed) });
    // They wait to be queued, and are not counted twice.
    expect(succeeded(await dialing.recall(id))).toEqual({ recallCount: 0, recallIds: [] });
    const { rows } = succeeded(await api.get('/api/task/list', { pageSize: 500 }));
    expect(rows.find((row) => row.id === id)).toMatchObject({ status: 1, endTime: null });
    const again = await dialing.lease({ taskId: id });
    expect(again.map(({ contactId }) => contactId).sort()).toEqual(failed.sort());
    expect(again.map(({ priority, attempt }) => ({ priority, attempt }))).toEqual([
      { priority: 5, attempt: 1 },
      { priority: 5, attempt: 1 },
    ]);
    for (const { callId } of again) await dialing.report(callId, 'success', 20);
    expect(await dialing.statistics(id)).toMatchObject({
      status: 4,
      callCount: 5,
      successCount: 3,
      failCount: 1,
      noAnswerCount: 1,
      totalDuration: 70,
    });
  });

  it('queues the contacts named, whatever their outcome, with a fresh allowance', async () => {
    const rules = { maxDialCount: 2 };
    const { id, calls } = await aFinishedTask(['success', 'success'], rules);
    const contactIds = [(calls[0] as Call).contactId];
    expect(succeeded(await dialing.recall(id, { contactIds, priority: 1 }))).toEqual({
      recallCount: 1,
      recallIds: contactIds,
    });
    for (const attempt of [1, 2]) {
      const call = await dialing.leaseOne({ taskId: id });
      expect(call).toMatchObject({ contactId: contactIds[0], attempt, priority: 1 });
      await dialing.report(call.callId, 'noAnswer');
    }
    expect(await dialing.statusOf(id)).toBe(4);
    expect((await dialing.exported(id)).get(phoneOf(0))).toMatchObject({ status: '3', callCount: '3' });
  });

  it('gives a fresh allowance by the rules for retries too', async () => {
    const retryRules = [{ reasons: ['busy'], waitSeconds: 60, attempts: 2 }];
    const { id } = await dialing.aRunningTask(1, { maxDialCount: 5, callInterval: 0, retryRules });
    const finals = [];
    for (let call = 0; call < 4; call++) {
      if (call === 2) succeeded(await dialing.recall(id));
      const { callId } = await dialing.leaseOne({ taskId: id });
      const busy = { callId, outcome: 'failed', reason: 'busy' };
      finals.push(succeeded(await api.post('/api/dialer/result', busy)).final);
      clock.advance(60);
    }
    expect(finals).toEqual([false, true, false, true]);
  });

  it('takes contacts out of those not dialed, wherever they are in the list', async () => {
    const task = await dialing.aRunningTask(300);
    await dialing.lease({ taskId: task.id, limit: 1 });
    const contacts = await dialing.contacts(task.dataSourceId);
    const contactIds = [130, 255, 256].map((at) => contacts[at]!.id);
    succeeded(await dialing.recall(task.id, { contactIds }));
    expect(succeeded(await api.get(`/api/task/${task.id}/overview`)).contacts).toMatchObject({
      ...{ total: 300, notDialed: 296, waiting: 3, inCall: 1 },
    });
  });

  it('of contacts before their turn calls each once, and ends with the last of them', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(2);
    const contactIds = (await dialing.contacts(dataSourceId)).map((contact) => contact.id);
    succeeded(await dialing.recall(id, { contactIds, priority: 1 }));
    const [first, second] = (await dialing.lease({ taskId: id })) as [Call, Call];
    expect(await dialing.report(first.callId, 'success')).toMatchObject({ taskStatus: 1 });
    expect(await dialing.report(second.callId, 'success')).toMatchObject({ taskStatus: 4 });
  });

  it('finds who failed after any number of recalls', async () => {
    const { id } = await aFinishedTask(['failed', 'noAnswer']);
    for (let recalls = 1; recalls <= 12; recalls++) {
      expect(succeeded(await dialing.recall(id)), `${recalls}`).toMatchObject({ recallCount: 2 });
      const calls = await dialing.lease({ taskId: id });
      for (const { callId } of calls) await dialing.report(callId, recalls % 2 ? 'noAnswer' : 'failed');
    }
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, callCount: 26 });
  });

  it.each(['named', 'failed'])(
    'leaves out contacts that are in a call, or were deleted: %s',
    async (which) => {
      const { id, dataSourceId } = await dialing.aRunningTask(3, oneTry);
      const [first, second, third] = (await dialing.lease({ taskId: id })) as [Call, Call, Call];
      for (const { callId } of [first, third]) await dialing.report(callId, 'failed');
      const path = `/api/dataSource/${dataSourceId}/contact/delete`;
      succeeded(await api.post(path, { contactId: third.contactId }));
      const contactIds = [first, second, third].map(({ contactId }) => contactId);
      expect(succeeded(await dialing.recall(id, which === 'named' ? { contactIds } : {}))).toEqual({
        recallCount: 1,
        recallIds: [first.contactId],
      });
      expect(await dialing.report(second.callId, 'success')).toMatchObject({ final: true, taskStatus: 1 });
      expect(await dialing.leaseOne({ taskId: id })).toMatchObject({ contactId: first.contactId });
    },
  );

  it('looks a blocked contact up again', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(2, oneTry);
    const list = '/api/dataSource/do-not-call/contact';
    const listed = succeeded(await api.post(`${list}/add`, { phoneNumber: phoneOf(1) }));
    const { callId } = await dialing.leaseOne({ taskId: id });
    expect(await dialing.report(callId, 'success')).toMatchObject({ taskStatus: 4 });
    const blocked = (await dialing.contacts(dataSourceId))[1]!;
    expect(blocked).toMatchObject({ status: 0, callCount: 0 });
    const recalled = async () => {
      succeeded(await dialing.recall(id, { contactIds: [blocked.id] }));
      return dialing.lease({ taskId: id });
    };
    expect(await recalled()).toEqual([]);
    expect(await dialing.statusOf(id)).toBe(4);
    succeeded(await api.post(`${list}/delete`, { contactId: listed.id }));
    expect(await recalled()).toMatchObject([{ phoneNumber: phoneOf(1) }]);
  });

  it.each([
    ['named', 'ended', ['failed']],
    ['failed', 'ended', ['failed']],
    ['named', 'running', ['failed', 'inCall']],
    ['failed', 'running', ['failed', 'inCall']],
  ])(
    'comes before tasks of a priority in between, where leases name no task: %s, %s',
    async (which, _, outcomes) => {
      const { id } = await dialing.aRunningTask(outcomes.length, { ...oneTry, priority: 5 });
      const [failed] = (await dialing.lease({ taskId: id, leaseSeconds: 3600 })) as [Call];
      await dialing.report(failed.callId, 'failed');
      const between = await dialing.aRunningTask(2, { ...oneTry, priority: 2 });
      expect(await dialing.leaseOne({ limit: 1 })).toMatchObject({ taskId: between.id });
      const contactIds = [failed.contactId];
      succeeded(await dialing.recall(id, { priority: 1, ...(which === 'named' && { contactIds }) }));
      expect(await dialing.leaseOne({ limit: 1 })).toMatchObject({ taskId: id, priority: 1 });
      for (const each of [id, between.id]) await dialing.operate('stop', each);
    },
  );

  it('queues nothing at all when one id is no contact of the data source', async () => {
    const { id, calls } = await aFinishedTask(['failed']);
    const { contactId } = calls[0] as Call;
    const [other] = (await aFinishedTask(['failed'])).calls;
    for (const stranger of [other?.contactId, contactId.replace(/-.*/, '-zz'), 'x', ''])
      expectError(await dialing.recall(id, { contactIds: [contactId, stranger] }), 400, /contactIds/);
    expect(await dialing.statusOf(id)).toBe(4);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
  });

  it('takes 20,000 ids at most', async () => {
    const { id, calls } = await aFinishedTask(['failed']);
    const ids = (count: number) => Array.from({ length: count }, () => (calls[0] as Call).contactId);
    expectError(await dialing.recall(id, { contactIds: ids(20_001) }), 400, /^contactIds: /);
    expect(await dialing.statusOf(id)).toBe(4);
    expect(succeeded(await dialing.recall(id, { contactIds: ids(20_000) }))).toMatchObject({
      recallCount: 1,
    });
  });

  it('lets an ended task run again, which ends when a dialer finds nothing to call', async () => {
    const { id } = await aFinishedTask(['success']);
    expect(succeeded(await dialing.recall(id))).toEqual({ recallCount: 0, recallIds: [] });
    expect(await dialing.statusOf(id)).toBe(1);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expect(await dialing.statusOf(id)).toBe(4);
  });

  it('brings a failed task back', async () => {
    const { id } = await dialing.aRunningTask(2, oneTry);
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
    await dialing.report(callId, 'failed');
    await api.post('/api/dialer/fail', { taskId: id, reason: 'no trunk' });
    expect(succeeded(await dialing.recall(id)).recallCount).toBe(1);
    expect(await dialing.statusOf(id)).toBe(1);
    const calls = await dialing.lease({ taskId: id });
    for (const call of calls) await dialing.report(call.callId, 'success');
    expect(await dialing.statistics(id)).toMatchObject({ status: 4, callCount: 3, successCount: 2 });
  });

  it.each([0, 3, 6])('is not allowed in state %d', async (status) => {
    const { id } = await api.aTaskIn(status);
    expectError(await dialing.recall(id), 405, /^recall is not allowed/);
  });

  it('keeps to the interval since the last call', async () => {
    const { id } = await aFinishedTask(['failed'], { callInterval: 300 });
    succeeded(await dialing.recall(id));
    clock.advance(299);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    clock.advance(1);
    expect(await dialing.lease({ taskId: id })).toHaveLength(1);
  });

  it('is 404 for a task that does not exist, and names the field that is wrong', async () => {
    const { id } = await dialing.aRunningTask(1);
    expectError(await dialing.recall('nobody'), 404, /task/);
    expectError(await dialing.recall(id, { priority: 6 }), 400, /priority/);
    expectError(await dialing.recall(id, { priority: 0 }), 400, /priority/);
    expectError(await dialing.recall(id, { contactIds: 'all' }), 400, /contactIds/);
    expectError(await dialing.recall(id, { contactIds: [7] }), 400, /contactIds/);
  });
});
