import { describe, expect, it } from 'vitest';
import { expectError, succeeded, useApi } from '../support/api.ts';

describe('a task at a glance', () => {
  const api = useApi();
  const overviewOf = async (id: string) => succeeded(await api.get(`/api/task/${id}/overview`));

  it('shows all its settings, those of defaults too', async () => {
    const { id, dataSourceId } = await api.aTask({ taskDesc: 'x', callInterval: 5 });
    expect(await overviewOf(id)).toMatchObject({
      ...{
        id,
        taskDesc: 'x',
        status: 0,
        dataSourceId,
        dataSourceName: expect.stringMatching(/^data source/),
      },
      ...{ priority: 3, maxDialCount: 3, callInterval: 5, dailyStartTime: '00:00', dailyEndTime: '24:00' },
      ...{ timeZone: 'UTC', weekdays: [1, 2, 3, 4, 5, 6, 7], excludedDates: [], breaks: [] },
      ...{ excludedDataSourceIds: [], startTime: null, endTime: null, updateTime: null, reason: null },
      dialing: { active: false, reason: 'DRAFT', nextTime: null, lastLeaseTime: null },
    });
    const rules = {
      ...{ timeZone: 'Asia/Tokyo', weekdays: [2], excludedDates: ['2026-01-01'] },
      ...{ breaks: [{ start: '12:00', end: '13:00' }], excludedDataSourceIds: ['do-not-call'] },
    };
    expect(await overviewOf((await api.aTask(rules)).id)).toMatchObject(rules);
  });

  it('is one of several, in the order asked', async () => {
    const [a, b] = [await api.aTask(), await api.aTask()];
    const { rows, total } = succeeded(await api.get('/api/task/overviews', { ids: `${b.id},none,${a.id}` }));
    expect([total, rows.map(({ id }) => id)]).toEqual([2, [b.id, a.id]]);
    expect(rows[1]).toEqual(await overviewOf(a.id));
    expect(succeeded(await api.get('/api/task/overviews', { ids: 'none' }))).toEqual({ total: 0, rows: [] });
    const many = Array.from({ length: 51 }, (_, i) => String(i)).join(',');
    expectError(await api.get('/api/task/overviews', { ids: many }), 400, /^ids: .*50/);
    expectError(await api.get('/api/task/overviews'), 400, /^ids: /);
  });

  it('says why it was stopped', async () => {
    const { id } = await api.aTaskIn(1);
    succeeded(await api.post('/api/task/stop', { id, reason: 'enough' }));
    expect(await overviewOf(id)).toMatchObject({ reason: 'enough', dialing: { reason: 'ENDED' } });
  });

  it('is 404 where there is no such task', async () => {
    for (const part of ['overview', 'timeline', 'contacts', 'history']) {
      expectError(await api.get(`/api/task/none/${part}`), 404, /task does not exist/);
    }
  });
});
