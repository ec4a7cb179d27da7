import { describe, expect, it } from 'vitest';
import { Pace, readTaskRoom } from '../../../shared/dialing/pace.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { hour, minute, newId, second, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';

const task = { id: newId(), maxConcurrentCalls: 2, limitedSince: 1 } as Task;

describe.each(engines)('channels on $name', ({ open }) => {
  const opened = async (maxConcurrentCalls = 0) => {
    const { database, close } = await open();
    const pace = new Pace({ database, maxConcurrentCalls, inProgress: async () => new Map() });
    /** What a lease request does with the channels of a task. */
    const request = async (limited: Task, now = start) => {
      const asked = await pace.forRequest({ now, until: now + minute });
      await asked.join(limited);
      return {
        take: async (count: number) => (await asked.take([{ task: limited, count }]))[0],
        giveBack: (count: number) => asked.giveBack(limited, count),
        free: (seq: number) =>
          pace.free({ taskId: limited.id, seq, channels: asked.channelsOf(limited) }, now),
      };
    };
    return { database, request, pace, close };
  };

  it('are not taken under limits that were set anew since they were read', async () => {
    const { database, request, close } = await opened();
    const [before, anew] = [await request(task), { ...task, limitedSince: 2 }];
    expect(await before.take(1)).toBe(1);
    expect(await readTaskRoom(database, anew, start)).toMatchObject({ calls: 2 });
    await request(anew);
    expect(await before.take(1)).toBe(0);
    await close();
  });

  it('are forgotten some time after the last call', async () => {
    const { database, request, pace, close } = await opened();
    const asked = await request(task);
    await asked.take(2);
    await asked.free(0);
    const call = { taskId: task.id, seq: 1, channels: { task: start + minute } };
    await pace.keep(call, start + hour, start + minute / 2, async () => undefined);
    const items = await database.queryAll(partitionRange(keys.taskPace(task.id)));
    const days = items.map(({ sk, ttl }) => [sk.split('#')[0], Number(ttl) - (start + 48 * hour) / second]);
    expect(days).toEqual([
      ['FREED', 0],
      ['TAKEN', 30],
    ]);
    await close();
  });

  it('that calls have freed are taken, one after the other and by a request that read before', async () => {
    const { request, close } = await opened();
    for (const each of [await request(task), await request(task)]) {
      expect(await each.take(2)).toBe(2);
      for (const seq of [0, 1]) await each.free(seq);
    }
    const { take } = await request(task);
    expect([await take(1), await take(1), await take(1)]).toEqual([1, 1, 0]);
    await close();
  });

  it('of a task are given back where the service has less room', async () => {
    const { database, request, close } = await opened(1);
    expect(await (await request(task)).take(2)).toBe(1);
    expect(await readTaskRoom(database, task, start)).toMatchObject({ calls: 1 });
    await close();
  });

  it('of the service are given back for calls that were not leased after all', async () => {
    const { request, close } = await opened(2);
    const free = { id: task.id } as Task;
    const asked = await request(free);
    expect(await asked.take(2)).toBe(2);
    await asked.giveBack(1);
    const { take } = await request(free);
    expect([await take(1), await take(1)]).toEqual([1, 0]);
    await close();
  });

  it.each(['a task', 'the service'])(
    'of %s that are given back after they were free by themselves make no room',
    async (whose) => {
      const isTask = whose === 'a task';
      const limited = isTask ? task : ({ id: task.id } as Task);
      const { request, close } = await opened(isTask ? 0 : 2);
      const slow = await request(limited);
      expect(await slow.take(2)).toBe(2);
      const later = start + minute + 10 * second;
      const at = () => request(limited, later);
      expect(await (await at()).take(1)).toBe(1);
      const [first, next] = [await at(), await at()];
      await slow.giveBack(2);
      expect([await first.take(1), await next.take(1), await (await at()).take(1)]).toEqual([1, 0, 0]);
      await close();
    },
  );
});
