import { expect, it, vi } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import { splitCounter } from '../../../shared/dialing/split-counters.ts';
import { readCounters } from '../../../shared/dialing/task-counters.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { partitionRange } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  reportAll,
  second,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { opened } from '../../support/dialing/open-dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { atEveryCall, heldUp, overtaken, watchedBy } from '../../support/engines/overtaken.ts';

const engine = engines[0]!;
const shards = 12;
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

const splitAll = (database: Database, taskId: string) =>
  Promise.all(upTo(shards).map((seq) => splitCounter(database, { taskId, seq })));

const groupsOf = async (database: Database, taskId: string) =>
  (
    await Promise.all(
      upTo(4).map((group) => database.queryAll(partitionRange(keys.counterGroup(taskId, group)))),
    )
  ).flat();

it('counts exactly before, while and after its counters are split, and reads the same when they are joined', async () => {
  const { database, service } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 60, maxDialCount: 1 });
  const calls = await leaseFrom(service, task, start, { limit: 50 });
  await reportAll(service, calls.slice(0, 20), 'failed', start, 3);
  await splitAll(database, task.id);
  await reportAll(service, calls.slice(20, 35), 'success', start + minute, 5);
  await reportAll(service, calls.slice(35), 'failed', start + minute, 2);
  const before = await readCounters(database, task.id);
  expect(before).toMatchObject({
    settled: 50,
    tally: { callCount: 50, successCount: 15, failCount: 35, duration: 165, lastCallTime: start + minute },
    ended: { success: 15, failed: 35 },
  });
  const { timeline } = openStores(database);
  const rows = await timeline.read(task.id, 'minute', start + minute);
  expect(rows?.map(({ success, failed }) => [success, failed])).toEqual([
    [0, 20],
    [15, 15],
  ]);
  await move(service, task, 'stop');
  await service.dialer.ends.close(task.id, start + 2 * minute);
  const after = await readCounters(database, task.id);
  expect({ ...after, recallNumbers: [] }).toEqual({ ...before, recallNumbers: [] });
  expect(await timeline.read(task.id, 'minute', start + minute)).toEqual(rows);
  const parts = await groupsOf(database, task.id);
  expect(parts.every(({ isClosed }) => isClosed)).toBe(true);
});

it('recalls the contacts that failed in the parts of split counters, and each only once', async () => {
  const { database, service } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 30, maxDialCount: 1 });
  const first = await leaseFrom(service, task, start, { limit: 30 });
  await splitAll(database, task.id);
  await reportAll(service, first.slice(0, 24), 'failed', start);
  expect(await service.dialer.recalls.recall(task.id, { priority: 1 }, start)).toMatchObject({
    recallCount: 24,
  });
  // They fail under the number of the recall: it does not recall them.
  await reportAll(service, first.slice(24), 'failed', start);
  const again = await leaseFrom(service, task, start + minute, { limit: 50 });
  expect(seqsOf(again).sort((a, b) => a - b)).toEqual(upTo(24));
  await reportAll(service, again, 'success', start + minute);
  expect(await readCounters(database, task.id)).toMatchObject({ settled: 30, failed: new Map([[1, 6]]) });
  expect(await service.tasks.find(task.id)).toMatchObject({ status: status.completed });
});

it('counts what fails after a recall in counters that are split then', async () => {
  const { database, service } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 2, maxDialCount: 1, callInterval: 0 });
  await reportAll(service, await leaseFrom(service, task, start), 'failed', start);
  await service.dialer.recalls.recall(task.id, { priority: 1 }, start);
  await splitAll(database, task.id);
  await reportAll(service, await leaseFrom(service, task, start), 'failed', start);
  expect(await readCounters(database, task.id)).toMatchObject({ settled: 2, failed: new Map([[1, 2]]) });
});

it('recalls what failed before, wherever the recall overtakes a split of the counter', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const settings = { contactCount: shards + 1, maxDialCount: 1, callInterval: 0 };
    const task = await aRunningTask(table.database, service, settings);
    const calls = await leaseFrom(service, task, start, { limit: shards + 1 });
    const [before, after] = [calls[0]!, calls[shards]!];
    await reportAll(service, [before], 'failed', start);
    let recalled: number[] = [];
    overtake(async () => {
      await service.dialer.recalls.recall(task.id, { priority: 1 }, start);
      recalled = seqsOf([before]);
    });
    await splitCounter(slow, { taskId: task.id, seq: 0 });
    await reportAll(service, [after], 'failed', start);
    expect(seqsOf(await leaseFrom(service, task, start))).toEqual(recalled);
  });
});

it('pauses itself with one of many results, while its counters are split', async () => {
  const { database, service } = await opened();
  const pauseWhen = { failedPercent: 100, calls: 10 };
  const task = await aRunningTask(database, service, { contactCount: 20, pauseWhen });
  const calls = await leaseFrom(service, task, start, { limit: 12 });
  await splitAll(database, task.id);
  const random = vi.spyOn(Math, 'random');
  const states = [];
  for (const [at, call] of calls.entries()) {
    random.mockReturnValue(at === 11 ? 1 / 16 - 0.001 : 1 / 16);
    states.push(...(await reportAll(service, [call], 'failed', start)));
  }
  random.mockRestore();
  expect(states.map(({ taskStatus }) => taskStatus)).toEqual([...Array(11).fill(1), 2]);
});

it('counts each result once, wherever a close of the task overtakes it', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxDialCount: 1 });
    const [call] = await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 10 });
    await splitAll(table.database, task.id);
    await move(service, task, 'stop');
    overtake(() => service.dialer.ends.close(task.id, start + minute));
    const sent = { callId: call!.callId, outcome: 'failed', duration: 9 } as const;
    const isCounted = await aService(slow)
      .dialer.results.report(sent, start + minute)
      .then(
        () => true,
        () => false,
      );
    const { tally } = await readCounters(table.database, task.id);
    expect(tally.callCount).toBe(isCounted ? 1 : 0);
  });
});

it('reads every result, wherever a close of the task joins its counters', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 3, maxDialCount: 1 });
    const calls = await leaseFrom(service, task, start, { limit: 3 });
    await splitAll(table.database, task.id);
    await reportAll(service, calls, 'failed', start);
    overtake(() => service.dialer.ends.close(task.id, start + minute));
    expect((await readCounters(slow, task.id)).tally.callCount).toBe(3);
  });
});

it.each([
  ['another', 'success', true],
  ['another', 'success', false],
  ['another', 'failed', false],
  ['another', 'noAnswer', false],
  ['the same', 'failed', false],
] as const)(
  'closes a task whose counters hold every result, wherever a result overtakes the close: of %s contact, %s, after a split: %s',
  async (contact, outcome, splitsAgain) => {
    await atEveryCall(engine, async ({ table, slow, overtake }) => {
      const service = aService(table.database);
      const settings = { contactCount: shards + 1, maxDialCount: 2, callInterval: 0 };
      const task = await aRunningTask(table.database, service, settings);
      const calls = await leaseFrom(service, task, start, { limit: shards + 1, leaseSeconds: 10 });
      const split = () => splitCounter(table.database, { taskId: task.id, seq: 0 });
      await split();
      await reportAll(service, calls.slice(0, 1), 'failed', start);
      const again = await leaseFrom(service, task, start, { leaseSeconds: 10 });
      await move(service, task, 'stop');
      let counted = 1;
      overtake(async () => {
        if (splitsAgain) await split();
        const report = reportAll(
          service,
          contact === 'another' ? calls.slice(shards) : again,
          outcome,
          start,
        );
        counted += (await report.catch(() => [])).length;
      });
      await aService(slow).dialer.ends.close(task.id, start + minute);
      await split();
      const { tally } = await readCounters(table.database, task.id);
      expect(tally.callCount).toBe(counted);
      const counters = await table.database.batchGet(upTo(shards).map((at) => keys.taskCounter(task.id, at)));
      expect(counters.filter((counter) => counter?.isSplit)).toEqual([]);
    });
  },
);

it('closes a task with the time of its last call, wherever a result of before the split overtakes the close', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: shards + 1, maxDialCount: 1 });
    const calls = await leaseFrom(service, task, start, { limit: shards + 1, leaseSeconds: 10 });
    const held = heldUp(table, ({ name }) => name === 'TransactWrite');
    let lastCallTime = start + minute;
    const late = reportAll(aService(held.database), calls.slice(0, 1), 'failed', start + 2 * minute).then(
      () => {
        lastCallTime = start + 2 * minute;
      },
      ({ word }) => expect(word).toBe('TASK_CLOSED'),
    );
    await held.reached;
    await splitCounter(table.database, { taskId: task.id, seq: 0 });
    await reportAll(service, calls.slice(shards), 'failed', start + minute);
    await move(service, task, 'stop');
    const goOn = () => {
      held.resume();
      return late;
    };
    overtake(goOn);
    await aService(slow).dialer.ends.close(task.id, start + 3 * minute);
    await goOn();
    expect((await readCounters(table.database, task.id)).tally).toMatchObject({ lastCallTime });
  });
});

it('splits the counter of a contact whose result meets others again and again', async () => {
  const { database, service, ...table } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 1, maxDialCount: 1 });
  const [call] = await leaseFrom(service, task, start);
  let left = 2;
  const { TransactionCanceledException } = await import('@aws-sdk/client-dynamodb');
  const contended = watchedBy({ ...table }, ({ name, written }) => {
    if (name !== 'TransactWrite' || !written.some(({ sk }) => sk === 'CNT#00') || left-- <= 0) return;
    throw new TransactionCanceledException({
      message: 'made up by a test',
      $metadata: {},
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
  });
  await aService(contended).dialer.results.report(
    { callId: call!.callId, outcome: 'success', duration: 1 },
    start,
  );
  expect(await database.get(keys.taskCounter(task.id, 0))).toMatchObject({ isSplit: true });
  expect(await readCounters(database, task.id)).toMatchObject({ tally: { callCount: 1 } });
  expect(await service.tasks.find(task.id), 'the last result still ends it').toMatchObject({
    status: status.completed,
  });
});

it('requests that compete for the same contacts share the next ones', async () => {
  const { database, service, ...table } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 200 });
  await leaseFrom(service, task, start, { limit: 1 });
  let isOver = false;
  const slow = watchedBy(table, async ({ name, written }) => {
    const isLease = written.some(({ pk }) => pk.startsWith(keys.taskContactPartition(task.id, 0)));
    if (isOver || name !== 'Put' || !isLease) return;
    isOver = true;
    await leaseFrom(service, task, start, { limit: 31 });
  });
  expect(await leaseFrom(aService(slow), task, start, { limit: 1 })).toHaveLength(1);
  expect(await database.get(keys.dialState(task.id))).toMatchObject({ stretch: { size: 64 } });
});

/** A process that finds the cursor moved by another each time it moves it, for the first moves. */
const aSlowCursor = (
  table: Parameters<typeof watchedBy>[0],
  faster: () => Promise<unknown>,
  times: number,
) => {
  let left = times;
  return watchedBy(table, async ({ name, written }) => {
    if (name === 'TransactWrite' && written.some(({ sk }) => sk === 'DIAL') && left-- > 0) await faster();
  });
};

it('a request that lost the cursor moves it further, and other requests are handed their own contacts', async () => {
  const { database, service, ...table } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 200 });
  const slow = aService(aSlowCursor(table, () => leaseFrom(service, task, start, { limit: 32 }), 2));
  const first = await leaseFrom(slow, task, start, { limit: 10 });
  expect(await database.get(keys.dialState(task.id))).toMatchObject({ stretch: { size: 64 } });
  // The rest is handed out: each contact to one request, also where they ask together.
  const others = await Promise.all(
    upTo(5).map(() => leaseFrom(aService(database), task, start, { limit: 10 })),
  );
  expect(others.map(({ length }) => length)).toEqual([10, 10, 10, 10, 10]);
  const seqs = [...first, ...others.flat()].flatMap((call) => seqsOf([call]));
  expect(new Set(seqs).size).toBe(60);
});

it('contacts that were handed to a process that died are called by others, and all of them once', async () => {
  const { database, service, ...table } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 128, maxDialCount: 1 });
  const slow = aService(aSlowCursor(table, () => leaseFrom(service, task, start, { limit: 32 }), 2));
  const called = await leaseFrom(slow, task, start, { limit: 10 });
  const dead = watchedBy(table, ({ written }) => {
    if (written.some(({ pk }) => pk.startsWith(keys.taskContactPartition(task.id, 0))))
      throw new Error('it died');
  });
  await expect(leaseFrom(aService(dead), task, start, { limit: 10 })).rejects.toThrow('it died');
  for (let at = start; at < start + 10 * second; at += second)
    called.push(...(await leaseFrom(service, task, at, { limit: 20 })));
  const own = await database.batchGet(upTo(128).map((seq) => keys.taskContact(task.id, seq)));
  expect(own.filter((contact) => contact?.state === 'leased').length).toBe(128);
  expect(new Set(seqsOf(called)).size).toBe(called.length);
});

it('a request is handed nothing of contacts that others have called meanwhile', async () => {
  const { database, service, ...table } = await opened();
  const task = await aRunningTask(database, service, { contactCount: 128, maxDialCount: 1 });
  const slow = aService(aSlowCursor(table, () => leaseFrom(service, task, start, { limit: 32 }), 2));
  await leaseFrom(slow, task, start, { limit: 10 });
  const late = overtaken(
    { database, ...table },
    ({ name, written }) => name === 'Update' && written[0]?.pk === keys.intakes(task.id),
    async () => {
      for (let at = start; at < start + 10 * second; at += second)
        await leaseFrom(service, task, at, { limit: 100 });
    },
  );
  expect(await leaseFrom(aService(late.database), task, start, { limit: 10 })).toEqual([]);
  expect(late.isOvertaken()).toBe(true);
  expect(await leaseFrom(service, task, start + hour)).toHaveLength(10);
});

it('frees the channels of a pace at a high rate under several keys, and keeps to the limit', async () => {
  const { database, service } = await opened();
  // More than 300 calls in a second.
  const [limit, some] = [310, 30];
  const task = await aRunningTask(database, service, {
    contactCount: limit + 3 * some,
    maxDialCount: 1,
    maxConcurrentCalls: limit,
  });
  const ask = (now: number) => leaseFrom(service, task, now, { limit: 100, leaseSeconds: 20 });
  const calls = [];
  for (let at = 0; at < 4; at++) calls.push(...(await ask(start)));
  expect(calls).toHaveLength(limit);
  const pace = keys.taskPace(task.id);
  expect(await database.get(keys.taken(pace))).toMatchObject({ isWide: true });
  await reportAll(service, calls.slice(0, some), 'success', start + second);
  const more = await ask(start + second);
  expect(more, 'as many as have ended').toHaveLength(some);
  await reportAll(service, more, 'success', start + 2 * second);
  const parts = await Promise.all(
    upTo(4).map((part) => database.queryAll(partitionRange(keys.wideFreedPart(pace, part)))),
  );
  expect(parts.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  expect(await ask(start + 2 * second)).toHaveLength(some);
});
