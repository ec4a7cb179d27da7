import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

const by = 'local-developer';

describe.each(engines)('the history of a task on $name', (engine) => {
  let now = Date.parse('2026-05-01T10:00:00Z');
  // A second passes with each look at the clock.
  const api = useApi({
    engine,
    now: () => {
      now += 1000;
      return now;
    },
  });

  const historyOf = async (id: string, query = {}) =>
    succeeded(await api.get(`/api/task/${id}/history`, query));
  const told = ({ rows }: { rows: Record<string, unknown>[] }) =>
    rows.map(({ operation, from, to, by: who, reason }) => [operation, from, to, who, reason]);

  it('tells every move, newest first: what, when, from where to where, by whom and why', async () => {
    const { id } = await api.aTask();
    const move = async (operation: string, also = {}) =>
      succeeded(await api.post(`/api/task/${operation}`, { id, ...also }));
    await move('update', { taskDesc: 'new' });
    await move('publish');
    await move('pause');
    await move('resume');
    succeeded(await api.post(`/api/task/${id}/recall`, {}));
    succeeded(await api.post('/api/dialer/fail', { taskId: id, reason: 'no trunk' }));
    succeeded(await api.post(`/api/task/${id}/recall`, {}));
    await api.endTask(id, 'complete');
    succeeded(await api.post(`/api/task/${id}/recall`, {}));
    await move('stop', { reason: 'enough' });
    await move('close');
    const history = await historyOf(id);
    expect(told(history as never)).toEqual([
      ['close', 3, 6, by, null],
      ['stop', 1, 3, by, 'enough'],
      ['recall', 4, 1, by, null],
      ['complete', 1, 4, 'service', null],
      ['recall', 5, 1, by, null],
      ['fail', 1, 5, by, 'no trunk'],
      ['recall', 1, 1, by, null],
      ['resume', 2, 1, by, null],
      ['pause', 1, 2, by, null],
      ['publish', 0, 1, by, null],
      ['update', 0, 0, by, null],
      ['add', null, 0, by, null],
    ]);
    expect(history.total).toBe(12);
    for (const pageNum of [1, 2, 3, 4]) {
      const rows = history.rows.slice(5 * (pageNum - 1), 5 * pageNum);
      expect(await historyOf(id, { pageNum, pageSize: 5 })).toEqual({ total: 12, rows });
    }
    const published = history.rows.find(({ operation }) => operation === 'publish');
    expect(published?.time).toBe(succeeded(await api.get(`/api/task/detail/${id}`)).startTime);
  });

  it('tells nothing of what was refused', async () => {
    const { id } = await api.aTask();
    expectError(await api.post('/api/task/pause', { id }), 405, /pause/);
    expectError(await api.post('/api/task/update', { id, timeZone: 'x' }), 400, /timeZone/);
    expect((await historyOf(id)).total).toBe(1);
    expectError(await api.get('/api/task/unknown/history'), 404, /task does not exist/);
  });

  it('has one entry for each of many moves at once that succeeded', async () => {
    const { id } = await api.aTaskIn(1);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => api.post(`/api/task/${i % 2 ? 'resume' : 'pause'}`, { id })),
    );
    const moved = answers.filter(({ status }) => status === 200).length;
    expect((await historyOf(id)).total).toBe(2 + moved);
  });
});
