import { describe, expect, it } from 'vitest';
import { succeeded, useApi } from '../../support/service/api.ts';

/** What a form or a generated client sends for a field that was not filled in. */
describe('an optional value that is empty', () => {
  const api = useApi();

  const added = async (body: object) =>
    succeeded(await api.post('/api/task/add', { dataSourceId: (await api.aDataSource()).id, ...body }));
  const overview = async (id: string) => {
    const { taskName, ...rest } = succeeded(await api.get(`/api/task/${id}/overview`));
    return rest;
  };

  it('counts as not given when it is null in the body of a new task', async () => {
    const plain = await added({ taskName: 'plain' });
    const nulls = await added({
      taskName: 'nulls',
      ...{ taskDesc: null, priority: null, maxDialCount: null, callInterval: null, dailyStartTime: null },
      ...{ dailyEndTime: null, timeZone: null, weekdays: null, breaks: null, excludedDates: null },
    });
    const { id, dataSourceId, dataSourceName, createTime, ...settings } = await overview(plain.id);
    expect(await overview(nulls.id)).toMatchObject(settings);
  });

  it('leaves a task and a data source as they are when it is null in an update', async () => {
    const task = await added({ taskName: 'kept', taskDesc: 'as it was', priority: 2 });
    succeeded(
      await api.post('/api/task/update', { id: task.id, taskName: null, taskDesc: null, priority: null }),
    );
    expect(succeeded(await api.get(`/api/task/detail/${task.id}`))).toMatchObject({
      ...{ taskName: 'kept', taskDesc: 'as it was', priority: 2 },
    });
    const source = await api.aDataSource({ dataSourceDesc: 'as it was' });
    const nulls = { id: source.id, dataSourceName: null, dataSourceDesc: null };
    expect(succeeded(await api.post('/api/dataSource/update', nulls)).dataSourceDesc).toBe('as it was');
  });

  it('counts as not given when it is null in the body of a dialer, a stop and a recall', async () => {
    const nulls = { limit: null, leaseSeconds: null, taskId: null };
    expect(succeeded(await api.post('/api/dialer/lease', nulls)).calls).toEqual([]);
    const { id } = await api.aTaskIn(1);
    succeeded(await api.post(`/api/task/${id}/recall`, { contactIds: null, priority: null }));
    succeeded(await api.post('/api/task/stop', { id, reason: null }));
  });

  it('counts as not given when it is empty in the query', async () => {
    const { id } = await api.aTask();
    const exported = await api.file(`/api/task/${id}/export`, { format: '', status: '' });
    expect(exported.headers.get('content-disposition')).toContain('.xlsx');
    await exported.arrayBuffer();
    const path = `/api/task/${id}/contacts`;
    expect(succeeded(await api.get(path, { outcome: '', pageSize: '', pageToken: '' }))).toEqual(
      succeeded(await api.get(path)),
    );
    expect(succeeded(await api.get(`/api/task/${id}/timeline`, { bucket: '' })).bucket).toBe('hour');
  });
});
