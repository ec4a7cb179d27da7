import { describe, expect, it, vi } from 'vitest';
import { withFiles } from '../../../shared/app/runtime/files.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import { type Call, phoneOf, useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { contactsCsv, phoneAt } from '../../support/files/contact-files.ts';
import { expectError, succeeded } from '../../support/service/api.ts';
import { anObjectStore } from '../../support/service/object-store.ts';

describe.each(engines)('a task that is closed on $name', (engine) => {
  const { clock, api, dialing } = useDialing({ engine });

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

  it('exports each contact that it called, although it ended by a clock that was behind', async () => {
    const { id } = await dialing.aRunningTask(1);
    const { callId } = await dialing.leaseOne({ taskId: id });
    clock.advance(-2);
    await dialing.report(callId, 'success');
    clock.advance(2);
    succeeded(await dialing.operate('close', id));
    expect([...(await dialing.exported(String(id))).keys()]).toEqual([phoneOf(0)]);
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

  /**
   * Runs an import of five rows. `meanwhile` happens when all of them are written and none is
   * visible.
   */
  const anImport = async (dataSourceId: string, meanwhile: () => Promise<unknown>) => {
    const { objects } = anObjectStore();
    const stores = createRuntime({ ...serviceSettings({}), now: clock.now }, api.database);
    const { importer } = withFiles(stores, { database: api.database, objects: async () => objects });
    const importId = '0'.repeat(16);
    const objectKey = `imports/${dataSourceId}/${importId}/x.csv`;
    await importer.register({ dataSourceId, importId, objectKey, fileName: 'x.csv', fileSize: 16 });
    await objects.put(objectKey, await contactsCsv(5), 'text/csv');
    const put = objects.put.bind(objects);
    vi.spyOn(objects, 'put').mockImplementation(async (key, ...content) => {
      if (key.endsWith('.outcome.json')) await meanwhile();
      return put(key, ...content);
    });
    await importer.run(dataSourceId, importId);
  };

  it('or has ended otherwise leaves out the contacts of an import that was running then', async () => {
    const { id: task, dataSourceId: source } = await dialing.aRunningTask(2);
    const [id, dataSourceId] = [String(task), String(source)];
    const fail = () => api.post('/api/dialer/fail', { taskId: id, reason: 'no trunk' });
    await anImport(dataSourceId, async () => succeeded(await fail()));
    const had = [phoneOf(0), phoneOf(1)];
    const numbersOf = async (query: object) => {
      const { total, rows } = succeeded(await api.get(`/api/task/${id}/contacts`, { ...query }));
      return {
        total,
        numbers: (rows as never as { phoneNumber: string }[]).map(({ phoneNumber }) => phoneNumber),
      };
    };
    const tasksOf = async (phoneNumber: string) => {
      const { contacts } = succeeded(await api.post('/api/contact/find', { phoneNumber }));
      return (contacts as never as { tasks: unknown[] }[]).map(({ tasks }) => tasks.length);
    };
    expect(await dialing.contacts(dataSourceId)).toHaveLength(7);
    expect(await dialing.statistics(id)).toMatchObject({ totalContacts: 2 });
    expect([...(await dialing.exported(id)).keys()]).toEqual(had);
    expect(await numbersOf({})).toEqual({ total: 2, numbers: had });
    expect(await numbersOf({ phoneNumber: '0' })).toEqual({ total: 2, numbers: had });
    expect(await tasksOf(phoneAt(0))).toEqual([0]);
    succeeded(await dialing.recall(id));
    expect(await tasksOf(phoneAt(0))).toEqual([1]);
    expect(await dialing.statistics(id)).toMatchObject({ totalContacts: 7 });
    succeeded(await dialing.operate('stop', id));
    expect([...(await dialing.exported(id)).keys()]).toHaveLength(7);
  });
});
