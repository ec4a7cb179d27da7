import { describe, expect, it } from 'vitest';
import {
  callParts,
  counterGroups,
  freedParts,
  type Item,
  keys,
  mustExpire,
} from '../../../shared/platform/table/keys.ts';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { refusalOf } from '../../support/dialing/state-table.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';
import { quietSeconds, sweepRemovals, watched } from '../../support/service/removal.ts';

const states = [0, 1, 2, 3, 4, 5, 6];
const deletable = [0, 6];

describe.each(engines)('deleting a task on $name', (engine) => {
  const table = watched(engine);
  const { clock, api, dialing } = useDialing({ engine: table });
  const remove = (id: unknown) => api.post('/api/task/delete', { id });

  it.each(states)('in state %i: allowed in DRAFT and CLOSED', async (state) => {
    const { id } = await api.aTaskIn(state);
    const answer = await remove(id);
    if (deletable.includes(state)) {
      expect(answer.body).toEqual({ code: 0, message: 'success', data: null });
      return;
    }
    const move = { operation: 'delete', from: deletable, to: () => state };
    expectError(answer, 405, refusalOf(move, state));
    expect(answer.headers.get('x-error-code')).toBe('TASK_STATE');
    succeeded(await api.get(`/api/task/detail/${id}`));
  });

  it('frees its name, and the task is found nowhere', async () => {
    const { id, taskName, dataSourceId } = await api.aTaskIn(6);
    const before = succeeded(await api.get('/api/task/list', { pageSize: 500 }));
    succeeded(await remove(id));
    const after = succeeded(await api.get('/api/task/list', { pageSize: 500 }));
    expect(after).toEqual({ total: before.total - 1, rows: before.rows.filter((row) => row.id !== id) });
    expect(succeeded(await api.get('/api/task/list', { taskName: String(taskName) })).total).toBe(0);
    for (const path of ['overview', 'timeline', 'contacts', 'history', 'stat', 'export'])
      expectError(await api.get(`/api/task/${id}/${path}`), 404, /^task does not exist$/);
    expectError(await api.get(`/api/task/detail/${id}`), 404, /^task does not exist$/);
    expect(succeeded(await api.get('/api/task/overviews', { ids: `${id},x` })).total).toBe(0);
    for (const move of ['update', 'publish', 'pause', 'resume', 'stop', 'close', 'delete'])
      expectError(await api.post(`/api/task/${move}`, { id }), 404, /^task does not exist$/);
    expectError(await dialing.recall(id), 404, /^task does not exist$/);
    expectError(
      await api.post('/api/dialer/fail', { taskId: id, reason: 'x' }),
      404,
      /^task does not exist$/,
    );
    const again = succeeded(await api.post('/api/task/add', { taskName, dataSourceId }));
    expect(succeeded(await api.get(`/api/task/detail/${again.id}`)).taskName).toBe(taskName);
  });

  it('repeated with its key is answered the same, also when the name is in use again', async () => {
    const { id, taskName, dataSourceId } = await api.aTask();
    const send = () =>
      api.send({
        method: 'POST',
        path: '/api/task/delete',
        headers: { 'content-type': 'application/json', 'idempotency-key': `delete-${id}` },
        body: JSON.stringify({ id }),
      });
    expect(succeeded(await send())).toBeNull();
    const { id: next } = await api.aTask({ taskName, dataSourceId });
    expect(succeeded(await send())).toBeNull();
    succeeded(await api.get(`/api/task/detail/${next}`));
  });

  it('refuses results of its calls, and a repeated result', async () => {
    const { id } = await dialing.aRunningTask(2);
    const [one, other] = await dialing.lease({ taskId: id, limit: 2, leaseSeconds: 10 });
    await dialing.report(one!.callId, 'success');
    succeeded(await dialing.operate('stop', id));
    clock.advance(11);
    succeeded(await dialing.operate('close', id));
    succeeded(await remove(id));
    expectError(await dialing.result(other!.callId, 'success'), 404, /does not exist/);
    clock.advance(quietSeconds);
    await sweepRemovals(table.table, clock.now);
    for (const { callId } of [one!, other!])
      expectError(await dialing.result(callId, 'success'), 404, /does not exist/);
  });

  it('removes all its items in the background except its calls by day, and nothing else', async () => {
    const { id, dataSourceId } = await dialing.aRunningTask(5, {
      maxDialCount: 2,
      callInterval: 0,
      maxConcurrentCalls: 5,
    });
    const kept = await api.aTaskIn(6, { dataSourceId });
    for (const outcome of ['failed', 'success', 'noAnswer'])
      for (const { callId } of await dialing.lease({ taskId: id, limit: 2 }))
        await dialing.report(callId, outcome);
    succeeded(await dialing.recall(id, {}));
    await dialing.lease({ taskId: id, limit: 1, leaseSeconds: 10 });
    succeeded(await dialing.operate('stop', id));
    clock.advance(11);
    succeeded(await dialing.operate('close', id));
    // As a large task has them, with calls at many moments.
    const each = (count: number, of: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => of(at));
    const partitions = [
      ...[keys.intakes(id), keys.aheads(id), keys.agendaEntry('callbacks', id, id).pk],
      ...each(freedParts, (part) => keys.wideFreedPart(keys.taskPace(id), part)),
      ...each(callParts, (part) => keys.callPart(id, part)),
      ...each(counterGroups, (group) => keys.counterGroup(id, group)),
    ];
    const ttl = Math.ceil(clock.now() / 1000) + 3600;
    const item = (pk: string) => ({ pk, sk: '0', ...(mustExpire({ pk, sk: '0' }) && { ttl }) });
    await api.database.putAll(partitions.map(item));
    const isOf = ({ pk, sk, owner }: Item) => `${pk} ${sk} ${owner}`.includes(id);
    expect((await table.items()).filter(isOf).length).toBeGreaterThan(8);
    const others = (await table.items()).filter((item) => !isOf(item) && !item.pk.startsWith('ROLL#'));
    succeeded(await remove(id));
    await sweepRemovals(table.table, clock.now);
    expect((await table.items()).filter(isOf).length, 'writers may still be at work').toBeGreaterThan(8);
    clock.advance(quietSeconds);
    await sweepRemovals(table.table, clock.now);
    const left = await table.items();
    const days = [keys.dayOfTask(0, '').pk.slice(0, 4), keys.timeline(id)];
    expect(left.filter(isOf).filter(({ pk }) => !days.some((day) => pk.startsWith(day)))).toEqual([]);
    expect(
      left.filter(({ pk, sk }) => pk === keys.timeline(id) && !sk.startsWith(keys.timelineDays)),
    ).toEqual([]);
    expect(left.filter(({ pk }) => pk === 'REMOVALS')).toEqual([]);
    expect(left.filter((item) => !isOf(item) && !item.pk.startsWith('ROLL#'))).toEqual(others);
    succeeded(await api.get(`/api/task/${kept.id}/overview`));
  });
});
