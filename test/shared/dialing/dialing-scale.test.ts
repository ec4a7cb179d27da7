import { describe, expect, it } from 'vitest';
import { failedItems } from '../../../bench/task-seeds.ts';
import type { Task } from '../../../shared/tasks/rules/task.ts';
import { aDraft, leaseFrom, move, type Service } from '../../support/dialing/dialing.ts';
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter, type Usage } from '../../support/engines/meter.ts';
import { seedSparsely, seedTime } from '../../support/engines/seed-contacts.ts';

const sizes = [1_000, 1_000_000];
const calls = 10;
/** Enough for the cursor to move. */
const leases = 3;
const seqs = Array.from({ length: 200 }, (_, seq) => seq);

describe('what dialing costs', () => {
  let table: OpenTable;
  let service: Service;
  let measure: ReturnType<typeof meter>['measure'];

  openDialing('all', engines[0]!, (opened, its) => {
    [table, service] = [opened, its];
    ({ measure } = meter(table.client));
  });

  const aTaskOf = async (count: number): Promise<Task> => {
    const dataSourceId = `${count}`.padStart(16, '0');
    await seedSparsely(table.database, dataSourceId, count, seqs);
    return move(service, await aDraft(service, dataSourceId, { maxDialCount: 1 }), 'publish', seedTime);
  };

  /** A lease and a result after the task's first ones, which also write what is written once. */
  const usageAt = async (count: number): Promise<{ lease: Usage; result: Usage }> => {
    const task = await aTaskOf(count);
    await leaseFrom(service, task, seedTime, { limit: calls });
    const leased: Awaited<ReturnType<typeof leaseFrom>> = [];
    const lease = await measure(async () => {
      for (let at = 0; at < leases; at++)
        leased.push(...(await leaseFrom(service, task, seedTime, { limit: calls })));
    });
    expect(leased).toHaveLength(leases * calls);
    const report = { callId: leased[0]!.callId, outcome: 'failed' as const, duration: 9 };
    return { lease, result: await measure(() => service.dialer.results.report(report, seedTime)) };
  };

  it('is 3 write units a lease and 10 a result, at a million contacts as at a thousand', async () => {
    const [small, large] = [await usageAt(sizes[0]!), await usageAt(sizes[1]!)];
    for (const { lease, result } of [small, large]) {
      expect(lease.wcu / (leases * calls)).toBeLessThanOrEqual(3);
      expect(result.wcu).toBeLessThanOrEqual(10);
    }
    for (const operation of ['lease', 'result'] as const) {
      for (const figure of ['rcu', 'wcu', 'calls', 'bytes'] as const) {
        expect(large[operation][figure] / small[operation][figure]).toBeLessThanOrEqual(1.1);
      }
    }
  });

  it('is 24 write units for a recall of 100,000 contacts', async () => {
    const task = await aTaskOf(200_000);
    const listed = 10_000;
    await table.database.putAll([...failedItems(task.id, task.dataSourceId, 100_000, listed)]);
    const usage = await measure(async () => {
      const { recallCount, recallIds } = await service.dialer.recalls.recall(
        task.id,
        { priority: 5 },
        seedTime,
      );
      expect([recallCount, recallIds.length]).toEqual([100_000, listed]);
    });
    expect(usage.wcu).toBeLessThanOrEqual(24);
    expect(usage.calls).toBeLessThanOrEqual(50);
  });
});
