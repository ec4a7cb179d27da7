import { describe, expect, it } from 'vitest';
import type { Task } from '../../../../shared/domain/tasks/task.ts';
import { Pace } from '../../../../shared/store/pace/index.ts';
import { minute, newId, second, start } from '../../../support/dialing/dialing.ts';
import { engines } from '../../../support/engines/engines.ts';

const task = { id: newId(), maxConcurrentCalls: 2, limitedSince: 1 } as Task;
const inProgress = async () => new Map();

describe.each(engines)('channels on $name', ({ open }) => {
  it('are not taken under limits that were set anew since they were read', async () => {
    const { database, close } = await open();
    const pace = new Pace({ database, maxConcurrentCalls: 0, inProgress });
    const request = async (limited: Task) => {
      const asked = await pace.forRequest({ now: start, until: start + minute });
      await asked.join(limited);
      return (count: number) => asked.take([{ task: limited, count }]);
    };
    const before = await request(task);
    await request({ ...task, limitedSince: 2 });
    expect(await before(1)).toEqual([0]);
    await close();
  });

  it.each(['a task', 'the service'])(
    'of %s that are given back after they were free by themselves make no room',
    async (whose) => {
      const { database, close } = await open();
      const isTask = whose === 'a task';
      const limited = isTask ? task : ({ id: task.id } as Task);
      const pace = new Pace({ database, maxConcurrentCalls: isTask ? 0 : 2, inProgress });
      const request = async (now: number) => {
        const asked = await pace.forRequest({ now, until: now + minute });
        await asked.join(limited);
        return {
          take: async (count: number) => (await asked.take([{ task: limited, count }]))[0],
          giveBack: (count: number) => asked.giveBack(limited, count),
        };
      };
      const slow = await request(start);
      expect(await slow.take(2)).toBe(2);
      const later = start + minute + 10 * second;
      expect(await (await request(later)).take(1)).toBe(1);
      const [first, next] = [await request(later), await request(later)];
      await slow.giveBack(2);
      expect([await first.take(1), await next.take(1), await (await request(later)).take(1)]).toEqual([
        1, 0, 0,
      ]);
      await close();
    },
  );
});
