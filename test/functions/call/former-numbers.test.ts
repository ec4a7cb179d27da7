import { describe, expect, it } from 'vitest';
import { oldCallsWork } from '../../../shared/app/removals/old-calls.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { DialingApi, phoneOf, TestClock, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { startApi, succeeded } from '../../support/service/api.ts';
import { quietSeconds, sweepRemovals } from '../../support/service/removal.ts';

type Found = {
  contacts: {
    contactId: string;
    deleted: boolean;
    callCount: number;
    tasks: { calls: { callId: string }[] }[];
  }[];
};

describe.each(engines)('calls of a number on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });
  let phones = 500;

  const aCall = async (settings: Record<string, unknown> = {}, phoneNumber = phoneOf(++phones)) => {
    const { id: dataSourceId } = await api.aDataSource();
    const contact = await api.aContact(dataSourceId, { phoneNumber });
    const { id } = await api.aTaskIn(1, { dataSourceId, callInterval: 0, ...settings });
    const { callId } = await dialing.leaseOne({ taskId: id });
    return { id, dataSourceId, phoneNumber, contactId: contact.id as string, callId };
  };
  const learned = {
    ...{ outcome: 'failed', summary: 'asked for Mr. Li', data: { age: 40 }, disposition: 'rude' },
    ...{ recordingUrl: 'https://example.com/Li', transcriptUrl: 'https://example.com/t' },
    providerCallId: 'Li',
  };
  const report = async (callId: string) =>
    succeeded(await api.post('/api/dialer/result', { callId, ...learned }));
  const renumber = async (
    { dataSourceId, contactId }: { dataSourceId: string; contactId: string },
    phoneNumber = phoneOf(++phones),
  ) => {
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/update`, { contactId, phoneNumber }));
    return phoneNumber;
  };
  const remove = async ({ dataSourceId, contactId }: { dataSourceId: string; contactId: string }) =>
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
  /** By contact and task. */
  const callsTo = async (phoneNumber: string) => {
    const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber })) as unknown as Found;
    return contacts.map(({ tasks }) => tasks.map(({ calls }) => calls.map(({ callId }) => callId)));
  };
  const detail = async (callId: string) => succeeded(await api.get(`/api/call/detail/${callId}`));
  const erase = async (phoneNumber: string) =>
    succeeded(await api.post('/api/contact/erase', { phoneNumber }));
  const erased = {
    ...{ phoneNumber: null, summary: null, data: null, disposition: null, outcome: 'failed' },
    ...{ recordingUrl: null, transcriptUrl: null, providerCallId: null },
  };

  it('are found with every contact that had it', async () => {
    const phoneNumber = phoneOf(++phones);
    const calls = [await aCall({}, phoneNumber), await aCall({}, phoneNumber)];
    for (const call of calls) {
      await report(call.callId);
      await renumber(call);
    }
    expect((await callsTo(phoneNumber)).flat(2).sort()).toEqual(calls.map(({ callId }) => callId).sort());
    // They have another number, and are still in their lists.
    const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber })) as unknown as Found;
    expect(contacts.map(({ deleted }) => deleted)).toEqual([false, false]);
    expect(await erase(phoneNumber)).toMatchObject({ contactCount: 0, taskCount: 2 });
    expect(await callsTo(phoneNumber)).toEqual([]);
  });

  it('are found after the contact was deleted, and erased', async () => {
    const call = await aCall();
    await report(call.callId);
    await remove(call);
    expect(await callsTo(call.phoneNumber)).toEqual([[[call.callId]]]);
    expect(await detail(call.callId)).toMatchObject({ phoneNumber: call.phoneNumber, fields: null });
    expect(await erase(call.phoneNumber)).toMatchObject({ contactCount: 0, taskCount: 1 });
    expect(await detail(call.callId)).toMatchObject(erased);
    expect(await callsTo(call.phoneNumber)).toEqual([]);
    expect(await erase(call.phoneNumber)).toMatchObject({ contactCount: 0, taskCount: 0 });
  });

  it('are erased with the contact that has it now', async () => {
    const phoneNumber = phoneOf(++phones);
    const calls = [await aCall({}, phoneNumber), await aCall({}, phoneNumber)];
    for (const { callId } of calls) await report(callId);
    await renumber(calls[0]!);
    expect(await erase(phoneNumber)).toMatchObject({ contactCount: 1, taskCount: 2 });
    for (const { callId } of calls) expect(await detail(callId)).toMatchObject(erased);
  });

  it('are passed over by an erasure if they have no record', async () => {
    const call = await aCall();
    await report(call.callId);
    await remove(call);
    const parts = Array.from({ length: 4 }, (_, part) => partitionRange(keys.callPart(call.id, part)));
    const records = (await Promise.all(parts.map((part) => api.database.queryAll(part)))).flat();
    expect(records).toHaveLength(1);
    await api.database.deleteAll(records.map(({ pk, sk }) => ({ pk, sk })));
    expect(await erase(call.phoneNumber)).toMatchObject({ contactCount: 0, taskCount: 0 });
  });

  it.each([0, 1])('of a deleted contact end with the latest, whichever task made it (%i)', async (first) => {
    const call = await aCall();
    const { id } = await api.aTaskIn(1, { dataSourceId: call.dataSourceId });
    const calls = [call.callId, (await dialing.leaseOne({ taskId: id })).callId];
    await dialing.report(calls[first]!, 'failed');
    clock.advance(60);
    await dialing.report(calls[1 - first]!, 'success');
    await remove(call);
    const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber: call.phoneNumber }));
    expect(contacts).toMatchObject([{ deleted: true, status: 1, callCount: 2 }]);
  });

  it('stay with the number when the contact gets another one', async () => {
    const call = await aCall({ maxDialCount: 5 });
    await report(call.callId);
    const other = await renumber(call);
    const later = await dialing.leaseOne({ taskId: call.id });
    expect(later.phoneNumber).toBe(other);
    await report(later.callId);
    const { id: another } = await api.aTaskIn(1, { dataSourceId: call.dataSourceId });
    const last = await dialing.leaseOne({ taskId: another });
    await report(last.callId);
    expect(await callsTo(call.phoneNumber)).toEqual([[[call.callId]]]);
    expect((await callsTo(other)).map((tasks) => tasks.toSorted())).toEqual([
      [[later.callId], [last.callId]].toSorted(),
    ]);
    await erase(call.phoneNumber);
    expect(await detail(call.callId)).toMatchObject(erased);
    expect(await detail(later.callId)).toMatchObject({ phoneNumber: other, summary: learned.summary });
  });

  it.each(['deleted', 'renumbered'])(
    'name the number that was called when the contact was %s meanwhile',
    async (how) => {
      const call = await aCall();
      if (how === 'deleted') await remove(call);
      else for (let times = 0; times < 2; times++) await renumber(call);
      expect(await callsTo(call.phoneNumber)).toEqual([]);
      await report(call.callId);
      expect(await detail(call.callId)).toMatchObject({ phoneNumber: call.phoneNumber });
      expect(await callsTo(call.phoneNumber)).toEqual([[[call.callId]]]);
      if (how === 'deleted') return;
      await renumber(call, call.phoneNumber);
      expect(await callsTo(call.phoneNumber), 'it has its number again').toEqual([[[call.callId]]]);
    },
  );

  it('say nothing that a dialer learned after the person was erased', async () => {
    const call = await aCall();
    expect(await erase(call.phoneNumber)).toMatchObject({ contactCount: 1, taskCount: 1 });
    await report(call.callId);
    expect(await detail(call.callId)).toMatchObject(erased);
    expect(await api.database.get(keys.dataNames(call.id))).toBeUndefined();
    const annotation = { callId: call.callId, summary: 'again' };
    expect((await api.post('/api/dialer/annotate', annotation)).status).toBe(409);
    expect(succeeded(await api.get(`/api/task/${call.id}/stat`))).toMatchObject({ callCount: 1 });
  });

  it('keep a declared disposition when the person is erased', async () => {
    const call = await aCall({ dispositions: [{ code: 'rude' }] });
    await report(call.callId);
    await erase(call.phoneNumber);
    expect(await detail(call.callId)).toMatchObject({ ...erased, disposition: 'rude' });
  });

  it('are found after the data source was deleted, as long as its task is there', async () => {
    const call = await aCall({ maxDialCount: 1 });
    await report(call.callId);
    succeeded(await api.post('/api/task/close', { id: call.id }));
    succeeded(await api.post('/api/dataSource/delete', { id: call.dataSourceId }));
    clock.advance(quietSeconds);
    await sweepRemovals(api, clock.now);
    expect(await callsTo(call.phoneNumber)).toEqual([[[call.callId]]]);
    succeeded(await api.post('/api/task/delete', { id: call.id }));
    clock.advance(quietSeconds);
    await sweepRemovals(api, clock.now);
    expect((await api.get(`/api/call/detail/${call.callId}`)).status).toBe(404);
    const parts = await Promise.all(
      [0, 1, 2, 3].map((part) => api.database.queryAll(partitionRange(keys.callPart(call.id, part)))),
    );
    expect(parts.flat()).toEqual([]);
  });
});

it('records of calls are removed when they are older than the service keeps them', async () => {
  const clock = new TestClock();
  const api = await startApi({ now: clock.now, keepCallsDays: 2 });
  try {
    const dialing = new DialingApi(api);
    const { id } = await api.aTaskOf(9, { maxDialCount: 1 });
    const from = api.timeIn(clock.now());
    const calls = await dialing.lease({ taskId: id });
    for (const { callId } of calls.slice(0, 6)) await dialing.report(callId, 'success');
    clock.advance(86_400);
    for (const { callId } of calls.slice(6)) await dialing.report(callId, 'success');
    const shown = async (query = {}) =>
      (succeeded(await api.get(`/api/task/${id}/calls`, query)).rows as unknown[]).length;
    const stored = async () =>
      (
        await Promise.all(
          [0, 1, 2, 3].map((part) => api.database.queryAll(partitionRange(keys.callPart(id, part)))),
        )
      ).flat().length;
    clock.advance(86_400 + 1);
    expect([await shown(), await shown({ from }), await stored()]).toEqual([3, 3, 9]);
    expect((await api.get(`/api/call/detail/${calls[0]?.callId}`)).status).toBe(404);
    // The first run is out of time when it has begun, and the next one goes on at once.
    let left = 1;
    await sweepRemovals(api, clock.now, { keepCallsDays: 2, isTimeUp: () => left-- <= 0 });
    expect(await stored()).toBe(9);
    await sweepRemovals(api, clock.now, { keepCallsDays: 2 });
    expect((await new Agenda(api.database).find(oldCallsWork))?.due).toBe(clock.now() + 86_400_000);
    expect([await shown(), await stored()]).toEqual([3, 3]);
    expect(succeeded(await api.get(`/api/task/${id}/stat`))).toMatchObject({ callCount: 9 });
  } finally {
    await api.stop();
  }
});
