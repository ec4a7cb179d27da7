import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { concurrently, KeyedQueue } from '../../../../shared/store/table/index.ts';

it('jobs of one key run one after another, also after one that failed, and those of other keys meanwhile', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const job = (key: string, name: string) =>
    queue.run(key, async () => {
      log.push(`${name} begins`);
      await sleep(1);
      log.push(`${name} ends`);
      if (name === 'a1') throw new Error('failed');
    });
  const first = job('a', 'a1').catch(() => undefined);
  const others = [job('a', 'a2'), job('b', 'b1')];
  await first;
  await Promise.all([...others, job('a', 'a3')]);
  const ofA = log.filter((line) => line.startsWith('a'));
  expect(ofA).toEqual(['a1', 'a2', 'a3'].flatMap((name) => [`${name} begins`, `${name} ends`]));
  expect(log.indexOf('b1 begins')).toBeLessThan(log.indexOf('a1 ends'));
});

it('of many jobs no more run at once than allowed, and their results come in order', async () => {
  let [running, most] = [0, 0];
  const results = await concurrently([...Array(20).keys()], 3, async (each) => {
    most = Math.max(most, ++running);
    await sleep(each % 3);
    running--;
    return each * 2;
  });
  expect(most).toBe(3);
  expect(results).toEqual([...Array(20).keys()].map((each) => each * 2));
});
