import { describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { taskContactOf } from '../../../shared/dialing/dialing-items.ts';
import { isInCall, newTaskContact } from '../../../shared/dialing/rules/task-contact.ts';
import { TaskContacts } from '../../../shared/dialing/task-contacts.ts';
import { concurrently } from '../../../shared/platform/table/concurrency.ts';
import { partitionRange, setAttributes } from '../../../shared/platform/table/expressions.ts';
import { freedParts, keys } from '../../../shared/platform/table/keys.ts';
import { changeTask, type Task, type TaskInput } from '../../../shared/tasks/rules/task.ts';
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
import { openDialing, type RunningTaskSettings } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { watchedBy } from '../../support/engines/overtaken.ts';
import { seededPhone } from '../../support/engines/seed-contacts.ts';

const unused = 60 * minute;

describe.each(engines)('the pace of calls, on $name', ({ open, sized }) => {
  let table: OpenTable;
  let service: Service;
  openDialing('each', { open }, (opened, its) => {
    [table, service] = [opened, its];
  });

  const running = (settings: RunningTaskSettings, by = service) =>
    aRunningTask(table.database, by, { maxDialCount: 1, callInterval: 0, ...settings });

  const liveIn = async ({ id }: Task, now: number): Promise<number> => {
    const items = await table.database.queryAll(partitionRange(keys.taskContactPartition(id, 0)));
    return items.map(taskContactOf).filter((contact) => isInCall(contact, now)).length;
  };

  /** As an operator who adjusts a running task. */
  const adjust = async (task: Task, changes: Partial<TaskInput>, now: number) => {
    const { version, ...record } = (await table.database.get(keys.task(task.id)))!;
    const changed = changeTask(record as never, changes, now);
    await table.database.put({ ...changed, ...keys.task(task.id), version });
    return changed;
  };

  const lease = (task: Task | undefined, now: number, limit = 10, leaseSeconds = 120) =>
    leaseFrom(service, task, now, { limit, leaseSeconds });
  const report = ({ callId }: LeasedCall, now: number) =>
    service.dialer.results.report({ callId, outcome: 'success', duration: 1 }, now);

  const limits = [
    ['its task', 1, 0],
    ['the service', null, 1],
  ] as const;

  it.each(limits)('of %s frees a line under the keys that its lease names', async (_, own, all) => {
    const limited = aService(table.database, 'UTC', undefined, 0, all);
    const task = await running({ contactCount: 3, maxConcurrentCalls: own }, limited);
    const pace = all ? keys.servicePace : keys.taskPace(task.id);
    for (const isWide of [false, true]) {
      const [call] = await leaseFrom(limited, task, start);
      await report(call!, start);
      const wide = Array.from({ length: freedParts }, (__, part) => keys.wideFreedPart(pace, part));
      const found = await Promise.all(wide.map((pk) => table.database.queryAll(partitionRange(pk))));
      expect(found.flat()).toHaveLength(isWide ? 1 : 0);
      const widened = setAttributes({ isWide: true, ttl: (start + hour) / second });
      await table.database.update(keys.taken(pace), widened);
    }
    expect(await leaseFrom(limited, task, start)).toHaveLength(1);
  });

  it('tells a dialer when to ask again', async () => {
    const task = await running({ contactCount: 20, callsPerMinute: 2 });
    const ask = (now: number) => service.dialer.leases.lease({ limit: 5, leaseSeconds: 120 }, now);
    expect(await ask(start)).toMatchObject({ calls: { length: 2 }, retryAfterSeconds: 15 });
    const one = await service.dialer.leases.lease(
      { limit: 5, leaseSeconds: 10, taskId: task.id },
      start + 55 * second,
    );
    expect(one).toMatchObject({ calls: [], retryAfterSeconds: 6 });
    expect(await ask(start + 55 * second)).toMatchObject({ calls: [], retryAfterSeconds: 6 });
    expect(await ask(start + 61 * second)).toMatchObject({ calls: { length: 2 } });
  });

  it('steps aside for other tasks at its limit, whatever its priority', async () => {
    const first = await running({ contactCount: 20, priority: 1, maxConcurrentCalls: 2 });
    const other = await running({ contactCount: 20, priority: 4 });
    const calls = await lease(undefined, start, 6);
    expect(calls.map(({ taskId }) => taskId)).toEqual([
      ...[first.id, first.id],
      ...[other.id, other.id, other.id, other.id],
    ]);
    await report(calls[0]!, start + minute);
    const [next] = await lease(undefined, start + minute, 1);
    expect(next).toMatchObject({ taskId: first.id });
  });

  it('counts the calls in progress when a limit is set, and frees their lines with their results', async () => {
    const task = await running({ contactCount: 40, maxDialCount: 3 });
    const calls = await lease(task, start, 10, 3600);
    await reportAll(service, calls.splice(0, 4), 'success', start);
    // One of them is in line: it was called before.
    const [again] = calls.splice(0, 1);
    await service.dialer.results.report({ callId: again!.callId, outcome: 'failed', duration: 1 }, start);
    calls.push(...(await lease(task, start + second, 1, 3600)));
    expect(await liveIn(task, start + second)).toBe(6);
    await adjust(task, { maxConcurrentCalls: 5 }, start + 2 * second);
    expect(await lease(undefined, start + 3 * second)).toEqual([]);
    await reportAll(service, calls.splice(0, 2), 'success', start + 4 * second);
    expect(await lease(undefined, start + 5 * second)).toHaveLength(1);
    await adjust(task, { maxConcurrentCalls: null }, start + 6 * second);
    expect(await lease(task, start + 7 * second, 3, 3600)).toHaveLength(3);
    await adjust(task, { maxConcurrentCalls: 8 }, start + 8 * second);
    expect(await lease(task, start + 9 * second)).toEqual([]);
    await reportAll(service, calls.splice(0, 2), 'success', start + 10 * second);
    expect(await lease(task, start + 11 * second)).toHaveLength(2);
    expect(await liveIn(task, start + 11 * second)).toBe(8);
  });

  it('counts a call that was leased without a limit, though its contact had a line before', async () => {
    const task = await running({ contactCount: 2, maxConcurrentCalls: 5 });
    await lease(task, start, 1, 10);
    await adjust(task, { maxConcurrentCalls: null }, start + minute);
    expect(await lease(task, start + minute, 1, 3600)).toMatchObject([{ phoneNumber: seededPhone(0) }]);
    await adjust(task, { maxConcurrentCalls: 1 }, start + 2 * minute);
    expect(await lease(task, start + 2 * minute)).toEqual([]);
  });

  it('counts the calls in progress behind any number of waiting contacts, when it gets its first limit', async () => {
    const waiting = sized(600, 520);
    const task = await running({ contactCount: 40 + waiting, maxDialCount: 2 });
    await reportAll(service, await lease(task, start, 20), 'failed', start);
    const calls = await lease(task, start + second, 20, 3600);
    expect(calls).toHaveLength(20);
    const ahead = Array.from({ length: waiting }, (_, at) => newTaskContact(task, 40 + at, start - hour));
    const taskContacts = new TaskContacts(table.database);
    await concurrently(ahead, 16, (contact) => taskContacts.write(contact));
    await adjust(task, { maxConcurrentCalls: 21 }, start + 2 * second);
    expect(await lease(task, start + 3 * second, 10, 3600)).toHaveLength(1);
    expect(await liveIn(task, start + 3 * second)).toBe(21);
  });

  it('loses lines of a request that dies, until its leases would have ended', async () => {
    const task = await running({ contactCount: 20, maxConcurrentCalls: 4 });
    let isDead = false;
    const dying = aService(
      watchedBy(table, ({ name, written }) => {
        if (isDead) throw new Error('dead');
        isDead = name === 'Update' && written.some(({ pk }) => pk === keys.taskPace(task.id));
      }),
    );
    await expect(leaseFrom(dying, task, start, { limit: 3, leaseSeconds: 60 })).rejects.toThrow('dead');
    expect(await liveIn(task, start)).toBe(0);
    expect(await lease(task, start, 10, 3600)).toHaveLength(1);
    expect(await lease(task, start + 59 * second)).toEqual([]);
    expect(await lease(task, start + 63 * second)).toHaveLength(3);
  });

  it('takes a result though its line cannot be freed: it is free by itself', async () => {
    const task = await running({ contactCount: 2, maxConcurrentCalls: 1 });
    const [call] = await lease(task, start, 1, 60);
    const broken = watchedBy(table, ({ written }) => {
      if (written.some(({ sk }) => sk.startsWith('FREED'))) throw new Error('no answer');
    });
    await reportAll(aService(broken), [call!], 'success', start);
    expect(await lease(task, start + 59 * second)).toEqual([]);
    expect(await lease(task, start + 63 * second)).toHaveLength(1);
  });

  it('answers a repeated request with its calls, and takes no further lines', async () => {
    const task = await running({ contactCount: 20, maxConcurrentCalls: 4 });
    const requestKey = { id: 'key', now: start / second, expires: start / second + 3600 };
    const request = { limit: 3, leaseSeconds: 120, taskId: task.id };
    const first = await service.dialer.leases.lease(request, start, requestKey);
    const again = await service.dialer.leases.lease(request, start + second, requestKey);
    expect(again.calls.map(({ callId }) => callId).sort()).toEqual(
      first.calls.map(({ callId }) => callId).sort(),
    );
    expect(await lease(task, start + second)).toHaveLength(1);
  });

  it('is not postponed while its calls keep ending, and is later', async () => {
    const task = await running({ contactCount: 20, maxConcurrentCalls: 1 });
    const entry = () => table.database.get(keys.agendaEntry('calls', task.dataSourceId, task.id));
    const before = await entry();
    const [call] = await lease(undefined, start, 5, 3600);
    await lease(undefined, start + 5 * second);
    expect(await entry()).toEqual(before);
    await lease(undefined, start + 11 * second);
    expect(Number.parseInt((await entry())!.gsi1sk as string, 10)).toBeGreaterThan(start + unused - 1);
    await report(call!, start + 12 * second);
    expect(await lease(undefined, start + 12 * second)).toHaveLength(1);
  });
});
