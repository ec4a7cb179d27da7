import { describe, expect, it } from 'vitest';
import type { Database } from '../../../shared/platform/table/index.ts';
import {
  aDataSource,
  aRunningTask,
  minute,
  move,
  reportAll,
  type Service,
  second,
  sleepingTasks,
  start,
} from '../../support/dialing/dialing.ts';
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';

const idle = 15;

describe.each([
  ['any task', false],
  ['one task', true],
] as const)('what a lease of %s says about asking again', (_, ofOne) => {
  let table: OpenTable;
  let database: Database;
  let service: Service;
  openDialing('each', engines[0]!, (opened, its) => {
    [table, service] = [opened, its];
    database = table.database;
  });

  const ask = async (task: { id: string }, now: number, { limit = 10, leaseSeconds = 3600 } = {}) =>
    service.dialer.leases.lease({ limit, leaseSeconds, taskId: ofOne ? task.id : undefined }, now);
  /** Asked until nothing is left to find out: a task that gave calls is checked once more. */
  const settled = async (task: { id: string }, now: number) => {
    await ask(task, now);
    return (await ask(task, now)).retryAfterSeconds;
  };

  it('is at once where all the calls came that were asked for', async () => {
    const task = await aRunningTask(database, service, { contactCount: 3 });
    const { calls, retryAfterSeconds } = await ask(task, start, { limit: 2 });
    expect([calls.length, retryAfterSeconds]).toEqual([2, 0]);
  });

  it('is a second where fewer came: the rest is not known yet', async () => {
    const task = await aRunningTask(database, service, { contactCount: 3 });
    const { calls, retryAfterSeconds } = await ask(task, start);
    expect([calls.length, retryAfterSeconds]).toEqual([3, 1]);
  });

  it('is the time until the next attempt is due', async () => {
    const task = await aRunningTask(database, service, { contactCount: 1, callInterval: 20 });
    const { calls } = await ask(task, start);
    await reportAll(service, calls, 'failed', start);
    // Reports of the last three seconds may not show yet.
    expect(await settled(task, start + second)).toBe(1);
    expect(await settled(task, start + 10 * second)).toBe(10);
    expect(await settled(task, start + 19.5 * second)).toBe(1);
    expect((await ask(task, start + 20 * second)).calls).toHaveLength(1);
  });

  it('is the time until a lease ends that no result came for, 15 seconds at most', async () => {
    const task = await aRunningTask(database, service, { contactCount: 1 });
    await ask(task, start, { leaseSeconds: 60 });
    expect(await settled(task, start + 5 * second)).toBe(idle);
    expect(await settled(task, start + 52 * second)).toBe(8);
    expect((await ask(task, start + minute)).calls).toHaveLength(1);
  });

  it('is 15 seconds at most outside the hours of the task', async () => {
    const task = await aRunningTask(database, service, {
      dailyStartTime: '22:14',
      dailyEndTime: '23:00',
    });
    expect((await ask(task, start + 30 * second)).retryAfterSeconds).toBe(10);
    expect((await ask(task, start)).retryAfterSeconds).toBe(idle);
  });

  it('is 15 seconds where no task is running', async () => {
    const task = await aRunningTask(database, service);
    await move(service, task, 'pause');
    expect(await settled(task, start)).toBe(idle);
  });

  it('costs an idle dialer no write and at most 10 read units, whatever comes due in the next seconds', async () => {
    const task = await aRunningTask(database, service, { contactCount: 1 });
    await ask(task, start);
    const source = await aDataSource(database, 0);
    for (const item of sleepingTasks(database, source, 200, start + minute + 10 * second))
      await database.put(item);
    await settled(task, start + minute);
    const { measure } = meter(table.client);
    const { rcu, wcu } = await measure(() => ask(task, start + minute));
    expect(rcu).toBeLessThanOrEqual(10);
    expect(wcu).toBe(0);
  });
});
