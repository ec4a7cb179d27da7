import { expect, it } from 'vitest';
import { readCounters } from '../../../shared/dialing/task-counters.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import { aRunningTask, aService, leaseFrom, move, reportAll, start } from '../../support/dialing/dialing.ts';
import { opened } from '../../support/dialing/open-dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';

it.each(engines)('a brake pays one write unit a result on $name', async (engine) => {
  const costs = [];
  for (const settings of [{}, { pauseWhen: { failedPercent: 100, calls: 1000 } }]) {
    const { database, client, service } = await opened(engine);
    const task = await aRunningTask(database, service, { contactCount: 25, ...settings });
    const [measured, ...others] = await leaseFrom(service, task, start, { limit: 25 });
    await reportAll(service, others, 'success', start);
    const { measure } = meter(client);
    costs.push((await measure(() => reportAll(service, [measured!], 'success', start))).wcu);
  }
  expect(costs[1]! - costs[0]!).toBe(1);
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

it('a task that is resumed while a result is about to pause it goes on', async () => {
  await atEveryCall(engines[0]!, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const pauseWhen = { failedPercent: 100, calls: 10 };
    const task = await aRunningTask(table.database, service, { contactCount: 11, pauseWhen });
    const [first, ...others] = await leaseFrom(service, task, start, { limit: 11 });
    overtake(async () => {
      for (const call of others) await reportAll(service, [call], 'failed', start);
      await move(service, task, 'resume');
    });
    await reportAll(aService(slow), [first!], 'failed', start);
    expect((await service.tasks.find(task.id)).status).toBe(status.running);
  });
});
