import { describe, expect, it } from 'vitest';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { succeeded } from '../../support/service/api.ts';

describe.each(engines)('a task that is kept open on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });
  const overview = async (id: unknown) => succeeded(await api.get(`/api/task/${id}/overview`));
  const adjust = async (id: unknown, changes: object) =>
    succeeded(await api.post('/api/task/adjust', { id, ...changes }));
  const callAll = async (taskId: unknown) => {
    const calls = await dialing.lease({ taskId, limit: 100 });
    const states = [];
    for (const { callId } of calls) states.push((await dialing.report(callId, 'success')).taskStatus);
    return states;
  };
  const waiting = { status: 1, keepOpen: true, dialing: { active: false, reason: 'NO_CONTACTS' } };

  it('waits after its last contact, and offers an added contact to the next lease request', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(2, { keepOpen: true });
    expect(await callAll(id)).toEqual([1, 1]);
    expect(await dialing.lease({ taskId: id })).toEqual([]);
    expect(await overview(id)).toMatchObject(waiting);
    // The task is not checked again for minutes, unless the contact brings it forward.
    expect((await dialing.lease({ limit: 100 })).filter(({ taskId }) => taskId === id)).toEqual([]);
    const { phoneNumber } = await api.aContact(String(dataSourceId));
    const calls = (await dialing.lease({ limit: 100 })).filter(({ taskId }) => taskId === id);
    expect(calls.map((call) => call.phoneNumber)).toEqual([phoneNumber]);
    expect(await dialing.report(calls[0]!.callId, 'success')).toMatchObject({ taskStatus: 1 });
    expect(await overview(id)).toMatchObject({ ...waiting, contacts: { total: 3, reached: 3 } });
    succeeded(await dialing.operate('stop', id as string));
  });

  it('completes when it is not kept open any more', async () => {
    const { id } = await dialing.aRunningTask(1, { keepOpen: true });
    await callAll(id);
    expect(await adjust(id, { keepOpen: false })).toMatchObject({ id, status: 1 });
    expect(await overview(id)).toMatchObject({ status: 4, keepOpen: false });
    const { rows } = succeeded(await api.get(`/api/task/${id}/history`));
    expect(rows.slice(0, 2)).toMatchObject([
      { operation: 'complete', from: 1, to: 4, by: 'service' },
      { operation: 'adjust', reason: 'keepOpen: true -> false' },
    ]);
  });

  it('goes on with its contacts, and completes with the last of them, when it is not kept open any more', async () => {
    const { id } = await dialing.aRunningTask(2, { keepOpen: true });
    const [first, second] = await dialing.lease({ taskId: id });
    await dialing.report(first!.callId, 'success');
    await adjust(id, { keepOpen: false });
    expect(await overview(id)).toMatchObject({ status: 1 });
    expect(await dialing.report(second!.callId, 'success')).toMatchObject({ taskStatus: 4 });
  });

  it('completes after its resume when it was not kept open any more while it was paused', async () => {
    const { id } = await dialing.aRunningTask(1, { keepOpen: true });
    await callAll(id);
    succeeded(await dialing.operate('pause', id as string));
    expect(await adjust(id, { keepOpen: false })).toMatchObject({ status: 2 });
    expect(await overview(id)).toMatchObject({ status: 2 });
    succeeded(await dialing.operate('resume', id as string));
    await dialing.lease({ taskId: id });
    expect(await overview(id)).toMatchObject({ status: 4 });
  });

  it('stays open when all its contacts were deleted, and ends at its callUntil', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(1, {
      keepOpen: true,
      callUntil: '2026-05-04 12:00',
    });
    await callAll(id);
    const [contact] = await dialing.contacts(dataSourceId);
    const path = `/api/dataSource/${dataSourceId}/contact/delete`;
    succeeded(await api.post(path, { contactId: contact!.id }));
    await dialing.lease({ taskId: id });
    expect(await overview(id)).toMatchObject(waiting);
    clock.advance(2 * 3600);
    await dialing.lease({ taskId: id });
    expect(await overview(id)).toMatchObject({ status: 3, reasonCode: 'CALL_UNTIL_PASSED' });
  });
});
