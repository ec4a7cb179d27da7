import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules.ts';
import { contactId } from '../../../shared/contacts/rules.ts';
import type { Task } from '../../../shared/tasks/rules.ts';
import {
  aRunningTask,
  aService,
  leaseFrom,
  move,
  reportAll,
  type Service,
  second,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { sizeOf } from '../../support/run/extent.ts';

describe.each(engines)('the order of calls on $name', ({ open, sized }) => {
  let table: OpenTable;
  let service: Service;

  beforeAll(async () => {
    table = await open();
  });
  beforeEach(() => {
    service = aService(table.database);
  });
  afterAll(() => table.close());

  const running = (settings: Parameters<typeof aRunningTask>[2]) =>
    aRunningTask(table.database, service, settings);

  describe('within a task', () => {
    it('has a retry first that is due, however many contacts were never called', async () => {
      const contactCount = sizeOf(2000, sized(10_000, 300));
      const retryRules = [{ reasons: ['busy' as const], waitSeconds: 300, attempts: 3 }];
      const task = await running({ contactCount, callInterval: 3600, retryRules });
      const [busy, ...others] = await leaseFrom(service, task, start, { limit: 5 });
      const result = { callId: busy!.callId, outcome: 'noAnswer', reason: 'busy', duration: 0 } as const;
      await service.dialer.results.report(result, start);
      await reportAll(service, others, 'success', start);
      const next = (now: number) => leaseFrom(service, task, now, { limit: 1 });
      expect(seqsOf(await next(start + 300 * second - 1))).toEqual([5]);
      expect(seqsOf(await next(start + 300 * second))).toEqual(seqsOf([busy!]));
    });
  });

  it('has a recall first that was asked for while its task was paused', async () => {
    const own = await open();
    service = aService(own.database);
    const low = await aRunningTask(own.database, service, { contactCount: 1, priority: 4 });
    const high = await aRunningTask(own.database, service, { contactCount: 1, priority: 2 });
    await move(service, low, 'pause');
    const recall = { contactIds: [contactId(low.dataSourceId, 0)], priority: 1 };
    await service.dialer.recalls.recall(low.id, recall, start);
    await move(service, low, 'resume');
    const order = (await leaseFrom(service, undefined, start)).map(({ taskId }) => taskId);
    expect(order).toEqual([low.id, high.id]);
    await own.close();
  });

  describe('among tasks of one priority', () => {
    const share = (calls: readonly LeasedCall[], { id }: Task) =>
      calls.filter(({ taskId }) => taskId === id).length;

    it.each([1, 3, 10, 100])('is even, %i at a time, however long their lists are', async (limit) => {
      const own = await open();
      service = aService(own.database);
      const publish = (contactCount: number) =>
        aRunningTask(own.database, service, { contactCount, priority: 2 });
      const large = await publish(sizeOf(600, sized(3000, 200)));
      const small = await Promise.all([40, 40, 40, 40].map(publish));
      const low = await aRunningTask(own.database, service, { contactCount: 40, priority: 3 });
      const calls: LeasedCall[] = [];
      while (calls.length < 100) calls.push(...(await leaseFrom(service, undefined, start, { limit })));
      for (const task of small) expect(share(calls, task)).toBeGreaterThanOrEqual(10);
      expect(share(calls, large)).toBeGreaterThanOrEqual(10);
      expect(share(calls, low)).toBe(0);
      await own.close();
    });

    it('reaches every task, also where more are running than one request serves or reads', async () => {
      const own = await open();
      service = aService(own.database);
      const count = sized(130, 20);
      const published = Array.from({ length: count }, () =>
        aRunningTask(own.database, service, { contactCount: 3 }),
      );
      const tasks = await Promise.all(published);
      const calls: LeasedCall[] = [];
      for (let request = 0; request < 2 * count; request += 5)
        calls.push(...(await leaseFrom(service, undefined, start, { limit: 5 })));
      expect(new Set(calls.map(({ taskId }) => taskId)).size).toBe(tasks.length);
      await own.close();
    });
  });
});
