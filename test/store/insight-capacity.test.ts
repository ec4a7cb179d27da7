import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime } from '../../shared/runtime/core.ts';
import { serviceSettings } from '../../shared/runtime/environment.ts';
import { createInsightRuntime } from '../../shared/runtime/insight.ts';
import type { TaskInsight } from '../../shared/store/task-insight.ts';
import { aDraft, aService, leaseFrom, move, newId, reportAll, second, start } from '../support/dialing.ts';
import { engines, type OpenTable } from '../support/engines.ts';
import { meter } from '../support/meter.ts';
import { seedSparsely } from '../support/seed-contacts.ts';

const contactCount = 1_000_000;
const underWay = 100;

describe('what seeing a task of a million contacts costs with 100 calls under way', () => {
  let table: OpenTable;
  let insight: TaskInsight;
  let taskId: string;
  let measure: ReturnType<typeof meter>['measure'];
  const now = start + 60 * second;

  beforeAll(async () => {
    table = await engines[0]!.open();
    const service = aService(table.database);
    const dataSourceId = newId();
    await seedSparsely(
      table.database,
      dataSourceId,
      contactCount,
      Array.from({ length: 400 }, (_, seq) => seq),
    );
    const task = await aDraft(service, dataSourceId, { callInterval: 3600 });
    taskId = task.id;
    await move(service, task, 'publish');
    await reportAll(service, await leaseFrom(service, task, start, { limit: 100 }), 'failed', start);
    await leaseFrom(service, task, now, { limit: underWay });
    const { database } = table;
    ({ insight } = createInsightRuntime(createRuntime({ database, ...serviceSettings({}) }), database));
    ({ measure } = meter(table.client));
  });
  afterAll(() => table.close());

  it('is at most 12 read units for an overview', async () => {
    const { standing } = await insight.overview(taskId, now);
    expect(standing).toMatchObject({ inCall: underWay, waiting: underWay });
    const { rcu } = await measure(() => insight.overview(taskId, now));
    expect(rcu).toBeLessThanOrEqual(12);
  });

  it.each(['all', 'inCall', 'waiting', 'notDialed'] as const)(
    'is at most 25 read units for a page of those who are %s, anywhere',
    async (outcome) => {
      for (const pageToken of ['0', '150', '320']) {
        const query = { outcome, pageSize: 20, pageToken };
        const { rcu } = await measure(() => insight.contacts(taskId, query, now));
        expect(rcu, pageToken).toBeLessThanOrEqual(25);
      }
    },
  );
});
