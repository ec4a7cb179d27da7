import { describe, expect, it } from 'vitest';
import { moves, refusalOf, stateNames } from '../../support/dialing/state-table.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

describe.each(engines)('the state table on $name', (engine) => {
  const api = useApi({ engine });
  const shown = async (id: string) => succeeded(await api.get(`/api/task/detail/${id}`));

  it.each(stateNames.map((name, state) => ({ name, state })))(
    'holds for every operation on a task that is $name',
    async ({ state }) => {
      let task = await api.aTaskIn(state);
      for (const move of moves) {
        const answer = await api.post(`/api/task/${move.operation}`, { id: task.id });
        if (!move.from.includes(state)) {
          expectError(answer, 405, refusalOf(move, state));
          expect((await shown(task.id)).status).toBe(state);
          continue;
        }
        expect(succeeded(answer).id).toBe(task.id);
        expect((await shown(task.id)).status).toBe(move.to(state));
        task = await api.aTaskIn(state);
      }
    },
  );

  it.each(stateNames.map((name, state) => ({ name, state })))(
    'never stops a task that is $name from being read',
    async ({ name, state }) => {
      const { id } = await api.aTaskIn(state, { taskName: `to be read: ${name}` });
      expect((await shown(id)).status).toBe(state);
      expect(succeeded(await api.get(`/api/task/${id}/stat`)).status).toBe(state);
      const listed = succeeded(await api.get('/api/task/list', { taskName: `read: ${name}`, status: state }));
      expect(listed).toMatchObject({ total: 1, rows: [{ id, status: state }] });
      expect(listed.rows[0]?.endTime === null).toBe(state < 3);
    },
  );

  it('leaves a refused task as it was', async () => {
    const { id } = await api.aTaskIn(6);
    const before = await api.storedTask(id);
    for (const { operation } of moves) {
      const changes = operation === 'update' ? { taskName: 'other' } : {};
      expectError(await api.post(`/api/task/${operation}`, { id, ...changes }), 405, /CLOSED/);
    }
    expect(await api.storedTask(id)).toEqual(before);
  });

  it('lets a name go neither by stopping nor by closing', async () => {
    const { dataSourceId, taskName } = await api.aTaskIn(6);
    expectError(await api.post('/api/task/add', { taskName, dataSourceId }), 409, /already exists/);
  });

  it('answers 404 for a task that is not there, whatever the operation', async () => {
    for (const { operation } of moves) {
      expectError(
        await api.post(`/api/task/${operation}`, { id: '0'.repeat(16) }),
        404,
        /task does not exist/,
      );
      expectError(await api.post(`/api/task/${operation}`, {}), 400, /id: is required/);
    }
  });
});
