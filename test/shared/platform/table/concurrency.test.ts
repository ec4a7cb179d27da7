import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { concurrently, KeyedQueue, readAhead } from '../../../../shared/platform/table/concurrency.ts';

it('jobs of one key run one after another, also after one that failed, and those of other keys meanwhile', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const job = (key: string, name: string) =>
    queue.run(key, async () => {
      log.push(`${name} begins`);
      await setImmediate();
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
    for (let turn = 0; turn < each % 3; turn++) await setImmediate();
    running--;
    return each * 2;
  });
  expect(most).toBe(3);
  expect(results).toEqual([...Array(20).keys()].map((each) => each * 2));
});

/** Jobs that begin in their order and end when the test says so. */
const heldJobs = () => {
  const begun: { end: () => void; fail: () => void }[] = [];
  const job = () =>
    new Promise<void>((end, reject) => {
      begun.push({ end, fail: () => reject(new Error('failed')) });
    });
  return { begun, job };
};

it('after an error no further job begins, and the error is thrown when the jobs under way have ended', async () => {
  const { begun, job } = heldJobs();
  let isTold = false;
  const all = concurrently([0, 1, 2, 3, 4], 3, job).finally(() => {
    isTold = true;
  });
  const failed = expect(all).rejects.toThrow('failed');
  begun[1]!.fail();
  await setImmediate();
  begun[0]!.end();
  await setImmediate();
  expect([isTold, begun.length]).toEqual([false, 3]);
  begun[2]!.end();
  await failed;
});

it('a reader that stops early waits for what was read ahead', async () => {
  const { begun, job } = heldJobs();
  const results = readAhead([0, 1, 2, 3], 2, job);
  const first = results.next();
  begun[0]!.end();
  await first;
  let isLeft = false;
  const left = results.return(undefined).then(() => {
    isLeft = true;
  });
  begun[1]!.end();
  await setImmediate();
  expect(isLeft).toBe(false);
  begun[2]!.fail();
  await left;
  expect(begun).toHaveLength(3);
});
