import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

describe.each(engines)('tasks on $name', (engine) => {
  const api = useApi({ engine });

  const detailOf = async (id: string) => succeeded(await api.get(`/api/task/detail/${id}`));
  const statOf = async (id: string) => succeeded(await api.get(`/api/task/${id}/stat`));
  const rowOf = async (id: string) =>
    succeeded(await api.get('/api/task/list', { pageSize: 500 })).rows.find((row) => row.id === id);

  it('are added as drafts with the contact count of their data source', async () => {
    const source = await api.aDataSource();
    await api.aContact(source.id);
    const body = { taskName: 'June', taskDesc: 'first round', dataSourceId: source.id };
    expect(succeeded(await api.post('/api/task/add', body))).toEqual({
      id: expect.any(String),
      ...body,
      status: 0,
      contactCount: 1,
      createTime: timestamp,
    });
  });

  it('show every field of the contract in list, detail and statistics', async () => {
    const { id, dataSourceId, createTime } = await api.aTask({ taskName: 'all fields' });
    const calls = { callCount: 0, successCount: 0 };
    const others = { failCount: 0, noAnswerCount: 0, dialRate: 0, successRate: 0 };
    const shared = { taskName: 'all fields', status: 0 };
    const fields = { id, ...shared, taskDesc: '', dataSourceId, contactCount: 0, ...calls, createTime };
    expect(await rowOf(id)).toEqual({ ...fields, startTime: null, endTime: null });
    const durations = { callDuration: 0, avgCallDuration: 0 };
    const rules = { priority: 3, maxDialCount: 3 };
    const unset = { startTime: null, updateTime: null };
    expect(await detailOf(id)).toEqual({ ...fields, ...others, ...durations, ...rules, ...unset });
    const sums = { totalContacts: 0, totalDuration: 0, avgDuration: 0, lastUpdateTime: createTime };
    expect(await statOf(id)).toEqual({ taskId: id, ...shared, ...calls, ...others, ...sums });
  });

  it('keep the settings they are added with', async () => {
    const settings = { priority: 1, maxDialCount: 10, callInterval: 0, dailyStartTime: '09:00' };
    const { id } = await api.aTask(settings);
    expect(await detailOf(id)).toMatchObject({ priority: 1, maxDialCount: 10 });
    expect(await api.storedTask(id)).toMatchObject({ ...settings, dailyEndTime: '24:00' });
    const plain = await api.aTask();
    expect(await api.storedTask(plain.id)).toMatchObject({
      callInterval: 60,
      dailyStartTime: '00:00',
      dailyEndTime: '24:00',
    });
  });

  it('need a name and an existing data source', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    expectError(await api.post('/api/task/add', { dataSourceId }), 400, /taskName.*required/);
    expectError(await api.post('/api/task/add', { taskName: ' ', dataSourceId }), 400, /taskName.*empty/);
    expectError(await api.post('/api/task/add', { taskName: 'x' }), 400, /dataSourceId.*required/);
    for (const unknown of ['0'.repeat(16), '', 'no id', 'x'.repeat(5000), '__proto__']) {
      const body = { taskName: 'nowhere', dataSourceId: unknown };
      expectError(await api.post('/api/task/add', body), 400, /dataSourceId.*does not exist/);
    }
  });

  it('may exclude their own data source, which is named once', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const { id } = await api.aTask({ dataSourceId, excludedDataSourceIds: [dataSourceId] });
    succeeded(
      await api.post('/api/task/update', { id, excludedDataSourceIds: [dataSourceId, 'do-not-call'] }),
    );
  });

  it.each([
    ['priority', [1, 5]],
    ['maxDialCount', [1, 10]],
    ['callInterval', [0, 86_400]],
  ])('take %s up to both of its bounds', async (field, values) => {
    for (const value of values) {
      const { id } = await api.aTask({ [field]: value });
      expect(await api.storedTask(id)).toMatchObject({ [field]: value });
    }
  });

  it('have a daily window that begins before it ends', async () => {
    for (const [dailyStartTime, dailyEndTime] of [
      ['18:00', '09:00'],
      ['09:00', '09:00'],
      ['24:00', '24:00'],
    ]) {
      const { id: dataSourceId } = await api.aDataSource();
      const body = { taskName: 'swapped', dataSourceId, dailyStartTime, dailyEndTime };
      expectError(await api.post('/api/task/add', body), 400, /dailyStartTime.*before dailyEndTime/);
    }
    const { id: dataSourceId } = await api.aDataSource();
    const early = { taskName: 'ends at 00:00', dataSourceId, dailyEndTime: '00:00' };
    expectError(await api.post('/api/task/add', early), 400, /dailyStartTime/);
  });

  it('have the window that results from an update checked', async () => {
    const { id } = await api.aTask({ dailyStartTime: '09:00', dailyEndTime: '18:00' });
    const update = (window: object) => api.post('/api/task/update', { id, ...window });
    expectError(await update({ dailyStartTime: '18:00' }), 400, /18:00 is not before 18:00/);
    expectError(await update({ dailyEndTime: '08:59' }), 400, /09:00 is not before 08:59/);
    succeeded(await update({ dailyStartTime: '19:00', dailyEndTime: '20:00' }));
    succeeded(await update({ dailyStartTime: '19:59' }));
    expect(await api.storedTask(id)).toMatchObject({ dailyStartTime: '19:59', dailyEndTime: '20:00' });
  });

  it('change only in the fields an update supplies', async () => {
    const { id, taskName } = await api.aTask({ taskDesc: 'old', priority: 2, callInterval: 5 });
    const before = await api.storedTask(id);
    const updated = succeeded(await api.post('/api/task/update', { id, taskDesc: '' }));
    expect(updated).toEqual({ id, taskName, updateTime: timestamp });
    const after = await api.storedTask(id);
    expect(after).toEqual({ ...before, taskDesc: '', updateTime: after.updateTime });
    expect(await detailOf(id)).toMatchObject({ taskDesc: '', priority: 2, updateTime: updated.updateTime });
  });

  it('ignore unknown fields and fields that only the service sets', async () => {
    const { id, dataSourceId } = await api.aTask();
    const whole = await detailOf(id);
    const other = await api.aDataSource();
    const body = { ...whole, status: 6, contactCount: 99, dataSourceId: other.id, colour: 'blue' };
    succeeded(await api.post('/api/task/update', body));
    expect(await detailOf(id)).toMatchObject({ status: 0, contactCount: 0, dataSourceId });
    expect(await api.storedTask(id)).not.toHaveProperty('colour');
  });

  it('set startTime at publishing, and endTime and the reason at stopping', async () => {
    const { id } = await api.aTask();
    const published = succeeded(await api.post('/api/task/publish', { id }));
    expect(published).toEqual({ id, status: 1, startTime: timestamp });
    expect(await rowOf(id)).toMatchObject({ status: 1, startTime: published.startTime, endTime: null });
    const stopped = await api.post('/api/task/stop', { id, reason: 'withdrawn' });
    expect(succeeded(stopped)).toEqual({ id, status: 3 });
    expect(await rowOf(id)).toMatchObject({ startTime: published.startTime, endTime: timestamp });
    expect(await api.storedTask(id)).toMatchObject({ reason: 'withdrawn' });
  });

  it('count the contacts of their data source until they end, and no longer', async () => {
    const { id, dataSourceId } = await api.aTask();
    const counts = async () => [
      (await detailOf(id)).contactCount,
      (await statOf(id)).totalContacts,
      (await rowOf(id))?.contactCount,
    ];
    const { id: contactId } = await api.aContact(String(dataSourceId));
    expect(await counts()).toEqual([1, 1, 1]);
    succeeded(await api.post('/api/task/publish', { id }));
    await api.aContact(String(dataSourceId));
    expect(await counts()).toEqual([2, 2, 2]);
    succeeded(await api.post('/api/task/stop', { id }));
    await api.aContact(String(dataSourceId));
    succeeded(await api.post(`/api/dataSource/${dataSourceId}/contact/delete`, { contactId }));
    expect(await counts()).toEqual([2, 2, 2]);
  });
});
