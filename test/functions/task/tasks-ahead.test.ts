import { beforeEach, describe, expect, it } from 'vitest';
import { succeeded, useApi } from '../../support/service/api.ts';

type Call = { callId: string; taskId: string };
type Ahead = { taskId: string; taskName: string; priority: number };
type Dialing = { reason: string | null; behind: Ahead[] };

describe('a task behind others', () => {
  let now = Date.parse('2026-05-01T12:00:00Z');
  const api = useApi({ now: () => now });
  const running = new Set<string>();
  const dialingOf = async (id: string) =>
    succeeded(await api.get(`/api/task/${id}/overview`)).dialing as Dialing;
  const lease = async (limit: number, more = {}) =>
    succeeded(await api.post('/api/dialer/lease', { limit, ...more })).calls as Call[];
  const aTask = async (priority: number, contacts: number, settings = {}) => {
    now += 1000;
    const task = await api.aTaskOf(contacts, { priority, ...settings });
    running.add(task.id);
    return { taskId: task.id as string, taskName: String(task.taskName), priority };
  };
  const served = { active: true, reason: null, behind: [] };
  const behind = (...tasks: object[]) => ({ active: false, reason: 'BEHIND_OTHERS', behind: tasks });

  beforeEach(async () => {
    for (const id of running) succeeded(await api.post('/api/task/stop', { id }));
    running.clear();
    now += 3_600_000;
  });

  it('says which tasks are served first, as long as they have contacts to call', async () => {
    const [low, high] = [await aTask(4, 2), await aTask(2, 3)];
    expect(await dialingOf(low.taskId)).toMatchObject({ reason: 'NO_DIALER', behind: [] });
    expect((await lease(2)).map(({ taskId }) => taskId)).toEqual([high.taskId, high.taskId]);
    expect(await dialingOf(low.taskId)).toMatchObject(behind(high));
    expect(await dialingOf(low.taskId)).toHaveProperty('nextTime', '2026-05-01 13:00:02');
    expect(await dialingOf(high.taskId)).toMatchObject(served);
    await lease(1);
    expect(await dialingOf(high.taskId)).toMatchObject({ reason: 'ALL_IN_CALL' });
    expect(await dialingOf(low.taskId)).toMatchObject(served);
  });

  it('is behind a retry of a task of a smaller priority number, once the retry is due', async () => {
    const high = await aTask(1, 1, { callInterval: 30 });
    const low = await aTask(2, 5);
    const [call] = await lease(1);
    succeeded(await api.post('/api/dialer/result', { callId: call!.callId, outcome: 'failed' }));
    expect(await dialingOf(low.taskId)).toMatchObject(served);
    now += 30_000;
    expect(await dialingOf(low.taskId)).toMatchObject(behind(high));
  });

  it('is behind a contact whose first lease ran out, and behind a recall of all', async () => {
    const low = await aTask(3, 5);
    const high = await aTask(2, 1, { maxDialCount: 1, callInterval: 0 });
    const [call] = await lease(1, { leaseSeconds: 10 });
    expect(await dialingOf(low.taskId)).toMatchObject(served);
    now += 11_000;
    expect(await dialingOf(low.taskId)).toMatchObject(behind(high));
    succeeded(await api.post('/api/dialer/result', { callId: call!.callId, outcome: 'failed' }));
    expect(await dialingOf(low.taskId)).toMatchObject(served);
    succeeded(await api.post(`/api/task/${high.taskId}/recall`, { priority: 1 }));
    expect(await dialingOf(low.taskId)).toMatchObject(behind({ ...high, priority: 1 }));
  });

  it('is not behind tasks of its own priority, nor behind tasks that may not call', async () => {
    const [low, equal, paused] = [await aTask(3, 1), await aTask(3, 1), await aTask(1, 1)];
    await aTask(1, 1, { dailyStartTime: '01:00', dailyEndTime: '02:00' });
    await aTask(1, 0);
    succeeded(await api.post('/api/task/pause', { id: paused.taskId }));
    running.delete(paused.taskId);
    await lease(1);
    const reasons = await Promise.all([low, equal].map(async ({ taskId }) => dialingOf(taskId)));
    expect(reasons.map(({ reason }) => String(reason)).sort()).toEqual(['ALL_IN_CALL', 'null']);
    succeeded(await api.post('/api/task/stop', { id: paused.taskId }));
  });

  it('is not behind others where a dialer asks for its calls alone', async () => {
    const [low] = [await aTask(3, 3), await aTask(1, 9)];
    await lease(1);
    await lease(1, { taskId: low.taskId });
    expect(await dialingOf(low.taskId)).toMatchObject(served);
    now += 61_000;
    await lease(1);
    expect(await dialingOf(low.taskId)).toMatchObject({ reason: 'BEHIND_OTHERS' });
  });

  it('is not behind others with contacts that a recall made as urgent', async () => {
    const [low, high] = [await aTask(3, 2), await aTask(1, 9)];
    await lease(1);
    expect(await dialingOf(low.taskId)).toMatchObject(behind(high));
    const { rows } = succeeded(await api.get(`/api/task/${low.taskId}/contacts`));
    const contactIds = [rows[0]!.contactId];
    succeeded(await api.post(`/api/task/${low.taskId}/recall`, { contactIds, priority: 1 }));
    expect(await dialingOf(low.taskId)).toMatchObject(served);
  });

  it('names at most five of them, the most urgent first, alone and among several tasks', async () => {
    const low = await aTask(5, 1);
    const ahead: Ahead[] = [];
    for (const priority of [4, 2, 4, 1, 3, 4]) ahead.push(await aTask(priority, 2));
    await lease(1);
    const [a, b, c, d] = [3, 1, 4, 0].map((i) => ahead[i]);
    const { behind: named } = await dialingOf(low.taskId);
    expect(named).toEqual([a, b, c, d, ahead[2]]);
    const ids = [low, ahead[1]!, ahead[3]!].map(({ taskId }) => taskId);
    const { rows } = succeeded(await api.get('/api/task/overviews', { ids: ids.join() }));
    expect(rows.map(({ dialing }) => (dialing as Dialing).behind)).toEqual([named, [a], []]);
  });
});
