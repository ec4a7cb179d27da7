import { describe, expect, it, onTestFinished } from 'vitest';
import { doDueWork } from '../../../functions/events/do-due-work.ts';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { withWebhooks } from '../../../shared/app/runtime/webhooks.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { serviceSettings } from '../../../shared/platform/settings/settings.ts';
import type { Task, TaskInput } from '../../../shared/tasks/rules/task.ts';
import {
  aRunningTask,
  leaseFrom,
  minute,
  move,
  reportAll,
  second,
  sleepingTasks,
  start,
} from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';

const context = { getRemainingTimeInMillis: () => minute };

describe('tasks without a dialer', () => {
  const opened = async () => {
    const { database, client, close } = await engines[0]!.open();
    onTestFinished(close);
    const clock = { now: start };
    const runtime = createRuntime({ ...serviceSettings({}), now: () => clock.now }, database);
    const parts = { ...withWebhooks(runtime), wakes: { wake: async () => {} } };
    const measured: object[] = [];
    const run = doDueWork(parts, (values) => void measured.push(values));
    /** What the function measures at that time, in minutes from the start. */
    const countAt = async (minutes: number) => {
      clock.now = start + minutes * minute;
      await run(undefined, context);
      return (measured.pop() as { TasksWithoutDialer: number }).TasksWithoutDialer;
    };
    const task = (settings: Parameters<typeof aRunningTask>[2] = {}) =>
      aRunningTask(database, runtime, settings);
    const lease = (minutes: number, of?: Task, limit = 1, leaseSeconds = 120) =>
      leaseFrom(runtime, of, start + minutes * minute, { limit, leaseSeconds });
    const extend = ({ callId }: LeasedCall, minutes: number) => {
      const now = start + minutes * minute;
      return runtime.dialer.liveLeases.extend({ callId, until: now + 120 * second }, now);
    };
    return { database, client, runtime, countAt, task, lease, extend };
  };

  it('are counted once they had a contact to call for ten minutes', async () => {
    const { countAt, task } = await opened();
    await task();
    expect([await countAt(9.9), await countAt(10)]).toEqual([0, 1]);
    await task();
    expect(await countAt(11)).toBe(2);
  });

  it('are none while dialers ask for any task', async () => {
    const { countAt, task, lease } = await opened();
    await task();
    await lease(5);
    expect([await countAt(10), await countAt(15.9)]).toEqual([0, 0]);
    expect(await countAt(16.1)).toBe(1);
  });

  it('are those whose own dialers died, though other tasks have theirs', async () => {
    const { countAt, task, lease } = await opened();
    const [served, left] = [await task({ contactCount: 30 }), await task({ contactCount: 30 })];
    for (const each of [served, left]) await lease(0, each);
    for (let minutes = 1; minutes <= 20; minutes++) await lease(minutes, served);
    expect(await countAt(20)).toBe(1);
    await lease(20, left);
    expect(await countAt(20)).toBe(0);
  });

  const minutesTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

  it('are none while the one line of a dialer is in a long call, which it extends', async () => {
    const { countAt, task, lease, extend } = await opened();
    await task();
    const [call] = await lease(0);
    const counts: number[] = [];
    for (const minutes of minutesTo(20)) {
      await extend(call!, minutes);
      counts.push(await countAt(minutes));
    }
    expect(counts).toEqual(counts.map(() => 0));
    expect([await countAt(30.9), await countAt(31.1)]).toEqual([0, 1]);
  });

  it('are all but the task of a dialer that asks for this task alone and extends its call', async () => {
    const { countAt, task, lease, extend } = await opened();
    const [served] = [await task(), await task()];
    const [call] = await lease(0, served);
    for (const minutes of minutesTo(12)) await extend(call!, minutes);
    expect(await countAt(12)).toBe(1);
  });

  it('are none for ten minutes after a result', async () => {
    const { countAt, task, lease, runtime } = await opened();
    const [call] = await lease(0, await task(), 1, 600);
    await reportAll(runtime, [call!], 'success', start + 8 * minute);
    expect([await countAt(12), await countAt(18.9), await countAt(19.1)]).toEqual([0, 0, 1]);
  });

  it('are found behind more tasks than one run looks at', async () => {
    const { countAt, task, lease } = await opened();
    const served: Task[] = [];
    for (let count = 0; count < 14; count++) served.push(await task({ contactCount: 5 }));
    await task();
    for (const each of served) await lease(10, each);
    const counts: number[] = [];
    for (const minutes of [15, 16, 17]) counts.push(await countAt(minutes));
    expect(counts.sort()).toEqual([0, 0, 1]);
  });

  it('are none in the first ten minutes after a resume', async () => {
    const { countAt, task, runtime } = await opened();
    const paused = await move(runtime, await task(), 'pause', start);
    expect(await countAt(30)).toBe(0);
    await move(runtime, paused, 'resume', start + 30 * minute);
    expect([await countAt(39), await countAt(41)]).toEqual([0, 1]);
  });

  it.each<[string, Partial<TaskInput> & { contactCount?: number }]>([
    ['closed by the hours of its task', { dailyStartTime: '08:00', dailyEndTime: '18:00' }],
    ['not in the list', { contactCount: 0, keepOpen: true }],
    ['not yet begun', { callFrom: '2023-11-15 08:00' }],
  ])('are none where a contact is %s', async (_, settings) => {
    const { countAt, task } = await opened();
    await task(settings);
    expect(await countAt(60)).toBe(0);
  });

  it('are none ten minutes after their hours open, and counted then', async () => {
    const { countAt, task } = await opened();
    // 46 minutes and 40 seconds after the start.
    await task({ dailyStartTime: '23:00', dailyEndTime: '23:59' });
    expect([await countAt(56), await countAt(57)]).toEqual([0, 1]);
  });

  it('are none while all contacts wait for their retry', async () => {
    const { countAt, task, lease, runtime } = await opened();
    const calls = await lease(0, await task({ contactCount: 1, callInterval: 3600 }));
    await reportAll(runtime, calls, 'noAnswer', start + second);
    expect([await countAt(60), await countAt(71)]).toEqual([0, 1]);
  });

  it('cost at most 10 reads, however many tasks run, and one while dialers ask for any task', async () => {
    const { database, client, countAt, task, lease } = await opened();
    const { measure } = meter(client);
    await lease(0);
    const other = await measure(() => countAt(1));
    // Half a unit for the dialers, the rest for the other work of the function.
    expect(other.rcu).toBeLessThanOrEqual(4);
    const { dataSourceId } = await task({ contactCount: 0, keepOpen: true });
    await database.putAll(sleepingTasks(database, dataSourceId, 100, start));
    expect((await measure(() => countAt(20))).rcu - other.rcu).toBeLessThanOrEqual(10);
    await lease(20);
    expect((await measure(() => countAt(21))).rcu).toBe(other.rcu);
    expect(await countAt(60)).toBe(0);
  });
});
