import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LeasedCall } from '../../../../shared/calls/rules/call.ts';
import { contactId } from '../../../../shared/contacts/rules/contact.ts';
import { Database, type TableClient } from '../../../../shared/platform/table/database.ts';
import { keys, seqsPerPage } from '../../../../shared/platform/table/keys.ts';
import { packBytes } from '../../../../shared/platform/table/packed-bytes.ts';
import type { Task } from '../../../../shared/tasks/rules/task.ts';
import { status } from '../../../../shared/tasks/rules/task-states.ts';
import {
  aDataSource,
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  newId,
  reportAll,
  type Service,
  second,
  seqsOf,
  sleepingTasks,
  start,
} from '../../../support/dialing/dialing.ts';
import { openDialing, opened } from '../../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { meter } from '../../../support/engines/meter.ts';
import { contactAndGuard, seedEmptyDataSource } from '../../../support/engines/seed-contacts.ts';
import { sizeOf } from '../../../support/run/extent.ts';

describe.each(engines)('dialing on $name', ({ open, sized }) => {
  let database: Database;
  let service: Service;
  const running = openDialing('all', { open }, (opened, its) => {
    [database, service] = [opened.database, its];
  });
  const statusOf = async ({ id }: { id: string }) => (await service.tasks.find(id)).status;

  it('a lease finds contacts however far apart the others were deleted', async () => {
    const dataSourceId = newId();
    const first = Array.from({ length: 16 }, (_, page) => page * seqsPerPage);
    await seedEmptyDataSource(database, dataSourceId);
    await database.putAll(
      first.flatMap((seq, page) => [
        {
          ...keys.directoryPage(dataSourceId, page),
          bytes: packBytes(Uint8Array.of(1)),
          v: 1,
          next: seqsPerPage,
        },
        ...contactAndGuard(dataSourceId, seq),
      ]),
    );
    const task = await move(service, await aDraft(service, dataSourceId), 'publish');
    expect(seqsOf(await leaseFrom(service, task, start, { limit: 100 }))).toEqual(first);
  });

  it('a lease that runs out frees its contacts at once, however many others ended before it', async () => {
    const half = sized(65, 20);
    const task = await running({ contactCount: 2 * half });
    const calls = [];
    for (let at = 0; at < 2 * half; at += 10) calls.push(...(await leaseFrom(service, task, start)));
    const [early, late] = [calls.slice(0, half), calls.slice(half)];
    await reportAll(service, [...early.slice(0, -5), ...late.slice(0, -5)], 'success', start);
    const freed = await leaseFrom(service, task, start + 2 * minute, { limit: 100 });
    expect(seqsOf(freed)).toEqual(seqsOf([...early.slice(-5), ...late.slice(-5)]));
  });

  it('a lease that runs out frees its contacts at its own time, wherever the cursor has got to', async () => {
    const task = await running({ contactCount: 50, maxDialCount: 1 });
    const leaseSeconds = [40, 10, 25];
    for (let at = 0; at < 9; at++)
      await leaseFrom(service, task, start, { limit: 2, leaseSeconds: leaseSeconds[at % 3]! });
    await leaseFrom(service, task, start, { limit: 32 });
    const freedAt = async (seconds: number) =>
      seqsOf(await leaseFrom(service, task, start + seconds * second));
    expect(await freedAt(9)).toEqual([]);
    expect(await freedAt(10)).toEqual([2, 3, 8, 9, 14, 15]);
    expect(await freedAt(24)).toEqual([]);
    expect(await freedAt(25)).toEqual([4, 5, 10, 11, 16, 17]);
    expect(await freedAt(40)).toEqual([0, 1, 6, 7, 12, 13]);
  });

  it('the order of calls is kept where the next in line were deleted', async () => {
    const task = await running({ contactCount: 12, callInterval: 0 });
    await reportAll(service, await leaseFrom(service, task, start, { limit: 12 }), 'failed', start);
    for (let seq = 0; seq < 4; seq++)
      await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, seq), start);
    // A dialer that stepped aside for others would take the last it may.
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.99);
    expect(seqsOf(await leaseFrom(service, task, start, { limit: 1 }))).toEqual([4]);
    random.mockRestore();
  });

  it('what a task tells its dialer comes with each call, and a contact is always called from the same number', async () => {
    const callerNumbers = ['+49 30 1234', '(030) 5678', '+49301234'];
    const callSettings = { flow: 'renewal', 'agent name': '莉' };
    const task = await running({ contactCount: 4, callInterval: 0, callSettings, callerNumbers });
    const callers = async () => {
      const calls = await leaseFrom(service, task, start);
      for (const call of calls) expect(call.task).toEqual({ taskName: task.taskName, callSettings });
      await reportAll(service, calls, 'failed', start);
      return new Map(calls.map(({ contactId, callerNumber }) => [contactId, callerNumber]));
    };
    const first = await callers();
    expect([...first.values()].sort()).toEqual(['+49301234', '+49301234', '0305678', '0305678']);
    expect(await callers()).toEqual(first);
  });

  it('a task of an empty data source waits for contacts', async () => {
    const task = await running({ contactCount: 0 });
    expect(await leaseFrom(service, task, start)).toEqual([]);
    expect(await statusOf(task)).toBe(status.running);
    await service.contacts.add(task.dataSourceId, { phoneNumber: '110', fields: {} }, start);
    await reportAll(service, await leaseFrom(service, task, start), 'success', start);
    expect(await statusOf(task)).toBe(status.completed);
  });

  it('a task is not complete while an import is under way', async () => {
    const task = await running({ contactCount: 1 });
    const openImport = keys.openRange(task.dataSourceId, 128);
    await database.transact([
      database.putOf({ ...openImport, importId: 'x', endSeq: 256 }),
      database.updateOf(keys.directoryPage(task.dataSourceId, 0), {
        UpdateExpression: 'SET #next = :next',
        ExpressionAttributeNames: { '#next': 'next' },
        ExpressionAttributeValues: { ':next': 256 },
      }),
    ]);
    await reportAll(service, await leaseFrom(service, task, start), 'success', start);
    expect(await statusOf(task)).toBe(status.running);
    await database.delete(openImport);
    await leaseFrom(service, task, start);
    expect(await statusOf(task)).toBe(status.completed);
  });
});

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

  it('within a task, has a retry first that is due, however many contacts were never called', async () => {
    const contactCount = sizeOf(600, sized(10_000, 300));
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

  it('within a task, has retries and recalls by the time they came due, then the others as they were added', async () => {
    const task = await running({ contactCount: 8, callInterval: 60 });
    const [one, two, three] = await leaseFrom(service, task, start, { limit: 3 });
    await reportAll(service, [three!], 'failed', start);
    await reportAll(service, [one!], 'failed', start + second);
    await reportAll(service, [two!], 'failed', start + 2 * second);
    const recalled = { contactIds: [contactId(task.dataSourceId, 6)], priority: task.priority };
    await service.dialer.recalls.recall(task.id, recalled, start + 3 * second);
    const order = seqsOf(await leaseFrom(service, task, start + hour));
    expect(order).toEqual([6, 2, 0, 1, 3, 4, 5, 7]);
  });

  it('within a task, has retries last where the task says so', async () => {
    const task = await running({ contactCount: 5, callInterval: 0, retryOrder: 'last' });
    await reportAll(service, await leaseFrom(service, task, start, { limit: 2 }), 'failed', start);
    expect(seqsOf(await leaseFrom(service, task, start + minute, { limit: 4 }))).toEqual([2, 3, 4, 0]);
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

    it.each([1, 10])('is even, %i at a time, however long their lists are', async (limit) => {
      const own = await open();
      service = aService(own.database);
      const publish = (contactCount: number) =>
        aRunningTask(own.database, service, { contactCount, priority: 2 });
      const large = await publish(sizeOf(200, sized(3000, 200)));
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
      const count = sized(105, 20);
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

it('a lease of one call among 20 tasks makes at most twice the requests for a call that a lease of ten makes', async () => {
  const { database, client, service } = await opened();
  for (let i = 0; i < 20; i++) await aRunningTask(database, service, { contactCount: 40 });
  const { measure } = meter(client);
  const lease = (limit: number) => service.dialer.leases.lease({ limit, leaseSeconds: 600 }, start);
  // The first contacts of each task are taken up.
  await lease(20);
  const counted = async (limit: number) => {
    const { calls } = await measure(async () => {
      expect((await lease(limit)).calls).toHaveLength(limit);
    });
    return calls / limit;
  };
  const ten = await counted(10);
  const one = await counted(1);
  expect(one).toBeLessThanOrEqual(2 * ten);
});

it.each([
  ['has a key', {}, { id: 'one', now: start / 1000, expires: start / 1000 + 60 }],
  ['takes a channel', { maxConcurrentCalls: 5 }, undefined],
])(
  'a lease that %s answers its calls, though the answers to their writes got lost',
  async (_, limits, key) => {
    const { database, client, tableName, service } = await opened();
    const task = await aRunningTask(database, service, { contactCount: 2, ...limits });
    const isLease = ({ input }: { input: { Item?: { state?: string } } }) => input.Item?.state === 'leased';
    // The SDK sends it again, and finds its own write.
    const send = async (command: never) => {
      if (isLease(command)) await client.send(command);
      return client.send(command);
    };
    const forgetful = aService(new Database({ send } as unknown as TableClient, tableName));
    const { calls } = await forgetful.dialer.leases.lease(
      { limit: 2, leaseSeconds: 60, taskId: task.id },
      start,
      key,
    );
    expect(calls).toHaveLength(2);
  },
);
