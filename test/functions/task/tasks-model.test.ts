import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moves, refusalOf } from '../../support/dialing/state-table.ts';
import { randomRuns } from '../../support/run/extent.ts';
import { expectError, succeeded, useApi } from '../../support/service/api.ts';

/** The dialer's doing comes rarely, or most sequences would end at once. */
const dialer = fc.constantFrom('complete' as const, 'fail' as const);
const step = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...moves) }, { weight: 1, arbitrary: dialer });
const fromOfDialer = { complete: [1], fail: [1, 2] };
const toOfDialer = { complete: 4, fail: 5 };

describe('task operations over HTTP against the state table', () => {
  const api = useApi();

  it('never differ', async () => {
    const { id: dataSourceId } = await api.aDataSource();
    const reached = new Set<number>();
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const { id } = await api.aTask({ dataSourceId });
        tried++;
        let state = 0;
        let renamed = 0;
        for (const each of steps) {
          if (typeof each === 'string') {
            if (!fromOfDialer[each].includes(state)) continue;
            await api.endTask(id, each);
            state = toOfDialer[each];
            continue;
          }
          const change = each.operation === 'update' ? { taskName: `${id} ${++renamed}` } : {};
          const answer = await api.post(`/api/task/${each.operation}`, { id, ...change });
          if (!each.from.includes(state)) {
            expectError(answer, 405, refusalOf(each, state));
            continue;
          }
          state = each.to(state);
          const shown = succeeded(answer);
          if (each.operation === 'update') expect(shown.taskName).toBe(change.taskName);
          else expect(shown.status).toBe(state);
        }
        reached.add(state);
        const { status, startTime } = succeeded(await api.get(`/api/task/detail/${id}`));
        expect(status).toBe(state);
        expect(startTime === null).toBe(state === 0);
        expect((await api.storedTask(id)).endTime === null).toBe(state < 3);
      }),
      randomRuns(60, 200),
    );
    if (tried >= 60) expect(reached.size).toBeGreaterThan(5);
  });
});
