import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules.ts';
import { keys } from '../../../shared/platform/table/index.ts';
import type { Task, TaskInput } from '../../../shared/tasks/rules.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  reportAll,
  type Service,
  second,
  start,
} from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { itemSize } from '../../support/engines/item-size.ts';
import { meter } from '../../support/engines/meter.ts';

const perLease = 10;
const unlimited = { maxConcurrentCalls: null, callsPerMinute: null };
const limits = { maxConcurrentCalls: 10_000, callsPerMinute: 60_000 };

/** What a lease of ten and their results cost, once the task is under way. */
const costsOf = async (settings: Partial<TaskInput>, maxConcurrentCalls = 0) => {
  const { database, client, close } = await engines[0]!.open();
  const service = aService(database, 'UTC', undefined, 0, maxConcurrentCalls);
  const task = await aRunningTask(database, service, { contactCount: 100, maxDialCount: 1, ...settings });
  const { measure } = meter(client);
  const calls: LeasedCall[] = [];
  const ask = async (now: number) =>
    void calls.push(...(await leaseFrom(service, task, now, { limit: perLease })));
  await ask(start);
  const lease = await measure(() => ask(start + second));
  expect(calls).toHaveLength(2 * perLease);
  await reportAll(service, calls.splice(0, perLease), 'success', start + second);
  const result = await measure(() => reportAll(service, calls, 'success', start + second));
  await close();
  return { lease, result };
};

describe('what pace costs', () => {
  let costs: Record<'off' | 'on' | 'service', Awaited<ReturnType<typeof costsOf>>>;

  beforeAll(async () => {
    costs = {
      off: await costsOf(unlimited),
      on: await costsOf(limits),
      service: await costsOf(unlimited, 10_000),
    };
  });

  it('is nothing without a limit', async () => {
    const { off } = costs;
    expect(off.lease.wcu / perLease).toBeLessThanOrEqual(2.5);
    // The task enters the day of the service with the first call of each shard.
    expect(off.result.wcu / perLease).toBeLessThan(9.5);
  });

  it.each(['on', 'service'] as const)('is one write unit a lease request and one a result (%s)', (kind) => {
    const { off, [kind]: paced } = costs;
    expect(paced.lease.wcu - off.lease.wcu).toBe(1);
    expect((paced.result.wcu - off.result.wcu) / perLease).toBe(1);
    expect(paced.lease.rcu - off.lease.rcu).toBeLessThanOrEqual(2);
    expect(paced.lease.depth - off.lease.depth).toBeLessThanOrEqual(2);
  });
});

describe('a task that is at its limit', () => {
  let table: OpenTable;
  let service: Service;
  beforeAll(async () => {
    table = await engines[0]!.open();
    service = aService(table.database);
  });
  afterAll(() => table.close());

  it('costs an idle poll nothing, however many there are', async () => {
    const { measure } = meter(table.client);
    const tasks: Task[] = [];
    for (let at = 0; at < 30; at++) {
      tasks.push(
        await aRunningTask(table.database, service, { contactCount: 3, maxConcurrentCalls: 1, priority: 2 }),
      );
    }
    const calls = await leaseFrom(service, undefined, start, { limit: 100, leaseSeconds: 3600 });
    expect(calls).toHaveLength(30);
    await leaseFrom(service, undefined, start + 11 * second);
    const idle = await measure(() => leaseFrom(service, undefined, start + 12 * second));
    expect(idle.rcu).toBeLessThanOrEqual(10);
    expect(idle.depth).toBeLessThanOrEqual(3);
    expect(idle.wcu).toBe(0);
    await reportAll(service, calls.slice(7, 8), 'success', start + minute);
    expect(await leaseFrom(service, undefined, start + minute)).toMatchObject([{ taskId: calls[7]!.taskId }]);
  });

  it('counts in an item of one write unit, with a call in each second', async () => {
    const task = await aRunningTask(table.database, service, {
      contactCount: 300,
      maxDialCount: 1,
      maxConcurrentCalls: 500,
      callsPerMinute: 500,
    });
    for (let at = 0; at < 150; at++) {
      await leaseFrom(service, task, start + at * second, { limit: 1, leaseSeconds: 120 });
    }
    const { database, tableName, sdk } = table;
    const Key = marshall(keys.taken(keys.taskPace(task.id)));
    const { Item } = await sdk.send(new GetItemCommand({ TableName: tableName, Key }));
    expect(itemSize(Item)).toBeLessThanOrEqual(1024);
    const freed = await database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.taskPace(task.id) },
    });
    expect(freed).toHaveLength(1);
    await leaseFrom(service, task, start + hour, { limit: 1 });
    const item = await database.get(keys.taken(keys.taskPace(task.id)));
    const counts = Object.keys(item!).filter((name) => /^[tb]\w{6}$/.test(name));
    expect(counts, 'of the last call only').toHaveLength(2);
  });
});
