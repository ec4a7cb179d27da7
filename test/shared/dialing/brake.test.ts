import { describe, expect, it } from 'vitest';
import { readCounters } from '../../../shared/dialing/records/task-counters.ts';
import { keys } from '../../../shared/platform/table/index.ts';
import type { Outcome } from '../../../shared/tasks/rules.ts';
import { aRunningTask, aService, leaseFrom, reportAll, start } from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';

describe.each(engines)('a task that pauses itself on $name', (engine) => {
  const opened = async (settings: object, contactCount = 60) => {
    const { database, client, close } = await engine.open();
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount, callInterval: 0, ...settings });
    /** Reports the next call; answers the task's state after it. */
    const call = async (outcome: Outcome) => {
      const [leased] = await leaseFrom(service, task, start, { limit: 1 });
      if (leased === undefined) return undefined;
      const result = { callId: leased.callId, outcome, duration: 1 };
      return (await service.dialer.results.report(result, start)).taskStatus;
    };
    const callAll = async (outcomes: readonly Outcome[]) => {
      const states = [];
      for (const outcome of outcomes) states.push(await call(outcome));
      return states;
    };
    const lastChange = async () => (await service.tasks.history(task.id, 0, 1)).rows[0];
    return { database, client, close, service, task, call, callAll, lastChange };
  };
  const times = (count: number, outcome: Outcome): Outcome[] => Array(count).fill(outcome);

  it('is stopped by many dialers not many calls later than by one', async () => {
    const contactCount = engine.sized(400, 120);
    const [dialers, perLease, calls] = [engine.sized(32, 8), 2, 20];
    const { database, task, lastChange, service, close } = await opened(
      { pauseWhen: { failedPercent: 50, calls } },
      contactCount,
    );
    let reported = 0;
    const dial = async () => {
      const own = aService(database);
      for (;;) {
        const leased = await leaseFrom(own, task, start, { limit: perLease });
        if (leased.length === 0) return;
        await Promise.all(
          leased.map(async ({ callId }) => {
            await own.dialer.results.report({ callId, outcome: 'failed', duration: 1 }, start);
            reported++;
          }),
        );
      }
    };
    await Promise.all(Array.from({ length: dialers }, dial));
    expect((await service.tasks.find(task.id)).status).toBe(2);
    expect(await lastChange()).toMatchObject({ operation: 'pause', by: 'service' });
    // Those in flight when the measure was full, and those that were leased by then.
    expect(reported).toBeGreaterThanOrEqual(calls);
    expect(reported).toBeLessThanOrEqual(calls + 2 * dialers * perLease);
    await close();
  });

  it('pays one write unit a result, and another task none', async () => {
    const pauseWhen = { failedPercent: 100, calls: 1000 };
    const costs = [];
    for (const settings of [{}, { pauseWhen }]) {
      const { client, service, task, callAll, close } = await opened(settings);
      await callAll(times(20, 'success'));
      const [leased] = await leaseFrom(service, task, start, { limit: 1 });
      const { measure } = meter(client);
      const result = { callId: leased!.callId, outcome: 'success', duration: 1 } as const;
      costs.push((await measure(() => service.dialer.results.report(result, start))).wcu);
      await close();
    }
    expect(costs[1]! - costs[0]!).toBe(1);
  });
});

it('the last calls of a task are all kept, wherever another result overtakes a result', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const pauseWhen = { failedPercent: 90, calls: 50 };
    const task = await aRunningTask(table.database, service, { contactCount: 3, pauseWhen });
    const calls = await leaseFrom(service, task, start);
    await reportAll(service, calls.slice(0, 1), 'failed', start);
    overtake(() => reportAll(service, calls.slice(1, 2), 'failed', start));
    await reportAll(aService(slow), calls.slice(2), 'failed', start);
    const { tally } = await readCounters(table.database, task.id);
    expect(await table.database.get(keys.recentCalls(task.id))).toMatchObject({ calls: tally.callCount });
  });
});
