import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime } from '../../../../shared/app/runtime/runtime.ts';
import type { CallReader } from '../../../../shared/insight/index.ts';
import { serviceSettings } from '../../../../shared/platform/settings/index.ts';
import { aRunningTask, aService, leaseFrom, second, start } from '../../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { meter } from '../../../support/engines/meter.ts';

const calls = 160;
/** With them a record is a little below 1 KB. */
const said = {
  summary: 'x'.repeat(600),
  data: { paysOn: '2026-05-08', amount: 120 },
  disposition: 'promised',
};

describe('what the records of calls cost', () => {
  let table: OpenTable;
  let measure: ReturnType<typeof meter>['measure'];
  let reader: CallReader;
  let taskId: string;
  let results: { wcu: number }[];
  let last: string;

  beforeAll(async () => {
    table = await engines[0]!.open();
    const { database } = table;
    const service = aService(database);
    const task = await aRunningTask(database, service, { contactCount: calls, maxDialCount: 1 });
    taskId = task.id;
    reader = createRuntime(serviceSettings({}), database).callReader;
    ({ measure } = meter(table.client));
    results = [];
    for (let made = 0; made < calls; made += 40) {
      for (const { callId } of await leaseFrom(service, task, start, { limit: 40 })) {
        const at = start + results.length * second;
        const report = { callId, outcome: 'success' as const, duration: 30, ...said };
        results.push(await measure(() => service.dialer.results.report(report, at)));
        last = callId;
      }
    }
  });
  afterAll(() => table.close());

  it('is at most 10 write units for a result with a record below 1 KB', () => {
    // The first results of a task enter its day, and remember its names of data.
    expect(Math.max(...results.slice(40, -1).map(({ wcu }) => wcu))).toBeLessThanOrEqual(10);
  });

  it('is at most 12 read units for a page of 20, anywhere', async () => {
    let before: string | undefined;
    for (let page = 0; page < 5; page++) {
      let next: string | null = null;
      const { rcu } = await measure(async () => {
        const found = await reader.page(taskId, { pageSize: 20, before }, {}, start);
        expect(found.calls).toHaveLength(20);
        next = found.next;
      });
      expect(rcu).toBeLessThanOrEqual(12);
      before = next ?? undefined;
    }
  });

  it('is at most 3 read units for one call', async () => {
    const { rcu } = await measure(() => reader.detail(last, start));
    expect(rcu).toBeLessThanOrEqual(3);
  });
});
