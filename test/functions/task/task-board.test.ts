import { describe, expect, it } from 'vitest';
import type { TaskBoard } from '../../../client/client.ts';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { expectError, succeeded } from '../../support/service/api.ts';

describe('a board of tasks', () => {
  const { clock, api, dialing } = useDialing();
  const boardOf = async (query: object = {}) =>
    succeeded(await api.get('/api/task/board', { ...query })) as unknown as TaskBoard;
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

  it('is a page of overviews, with the number of tasks in each state and the calls of the last minutes', async () => {
    const draft = await api.aTask({ taskName: 'June draft' });
    const paused = await api.aTaskIn(2, { taskName: 'June paused' });
    const running = await dialing.aRunningTask(9, { taskName: 'June running' });
    const call = async (outcome = 'success') => {
      const { callId } = await dialing.leaseOne({ taskId: running.id, limit: 1 });
      await dialing.report(callId, outcome, 20);
    };
    for (const [minutes, outcome] of [[0], [14], [1], [5, 'failed'], [0, 'noAnswer']] as const) {
      clock.advance(minutes * 60);
      await call(outcome);
    }
    const all = await boardOf();
    expect(all.total).toBe(3);
    expect(idsOf(all.rows)).toEqual([running.id, paused.id, draft.id]);
    expect(all.rows[0]).toEqual(succeeded(await api.get(`/api/task/${running.id}/overview`)));
    expect(all.byStatus).toEqual({
      ...{ draft: 1, running: 1, paused: 1, stopped: 0, completed: 0, failed: 0, closed: 0 },
    });
    expect(all.attention).toEqual([]);
    expect(all.minutes).toEqual({
      [String(running.id)]: [
        { time: '2026-05-04 10:14:00', total: 1, success: 1, failed: 0, noAnswer: 0 },
        { time: '2026-05-04 10:15:00', total: 1, success: 1, failed: 0, noAnswer: 0 },
        { time: '2026-05-04 10:20:00', total: 2, success: 0, failed: 1, noAnswer: 1 },
      ],
    });
    const second = await boardOf({ pageNum: 2, pageSize: 2 });
    expect([second.total, idsOf(second.rows)]).toEqual([3, [draft.id]]);
    const filtered = await boardOf({ status: 1, taskName: 'JUNE', attention: true });
    expect([filtered.total, idsOf(filtered.rows)]).toEqual([1, [running.id]]);
    expect(filtered.byStatus).toEqual(all.byStatus);
    expect(idsOf(filtered.attention)).toEqual([paused.id]);
    const none = await boardOf({ taskName: 'July', attention: true });
    expect([none.total, none.byStatus.draft, idsOf(none.attention)]).toEqual([0, 0, [paused.id]]);
    expectError(await api.get('/api/task/board', { pageSize: 101 }), 400, /^pageSize: /);
    const [stopped, failed] = [await api.aTaskIn(3), await api.aTaskIn(5)];
    const { attention } = await boardOf({ attention: true });
    expect(idsOf(attention)).toEqual([paused.id, stopped.id, failed.id]);
  });

  it('is refreshed by overviews, which bring the calls of the day where calls have ended', async () => {
    const { id } = await dialing.aRunningTask(3);
    const overviews = async (query: object) =>
      succeeded(await api.get('/api/task/overviews', { ids: id, ...query }));
    const day = '2026-05-04';
    expect(await overviews({ day, calls: 0 })).toEqual(await overviews({}));
    const { callId } = await dialing.leaseOne({ taskId: id, limit: 1 });
    await dialing.report(callId, 'success', 20);
    const told = await overviews({ day, calls: 0 });
    expect(told.day).toEqual(succeeded(await api.get('/api/service/day', { date: day })));
    expect(await overviews({ day, calls: 1 })).not.toHaveProperty('day');
    expect((await boardOf({ day })).day).toEqual(told.day);
    expect(await boardOf()).not.toHaveProperty('day');
    expectError(await api.get('/api/task/overviews', { ids: id, day: '2026-02-30' }), 400, /^day: /);
  });
});
