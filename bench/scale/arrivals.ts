import type { VirtualTime } from './virtual-time.ts';

/**
 * Begins jobs at random, `perSecond` of them on average, until the time `end`: an open loop, in
 * which no job waits for another. Ends when all jobs have ended.
 */
export const arrivals = async (
  time: VirtualTime,
  { perSecond, end }: { perSecond: number; end: number },
  job: (at: number) => Promise<unknown>,
): Promise<void> => {
  const jobs: Promise<unknown>[] = [];
  for (;;) {
    // The time to the next arrival of a Poisson process.
    await time.sleep((-1000 * Math.log(1 - Math.random())) / perSecond);
    if (time.now >= end) break;
    jobs.push(job(jobs.length));
  }
  await Promise.all(jobs);
};
