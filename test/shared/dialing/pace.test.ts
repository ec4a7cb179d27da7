import { describe, expect, it } from 'vitest';
import type { LeasedCall } from '../../../shared/calls/rules.ts';
import { taskContactOf } from '../../../shared/dialing/records/dialing-items.ts';
import { TaskContacts } from '../../../shared/dialing/records/task-contacts.ts';
import { isInCall, newTaskContact } from '../../../shared/dialing/rules/task-contact.ts';
import {
  concurrently,
  freedParts,
  keys,
  partitionRange,
  setAttributes,
} from '../../../shared/platform/table/index.ts';
import { changeTask, status, type Task, type TaskInput } from '../../../shared/tasks/rules.ts';
import {
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  reportAll,
  type Service,
  second,
  start,
} from '../../support/dialing/dialing.ts';
import { openDialing, type RunningTaskSettings } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { watchedBy } from '../../support/engines/overtaken.ts';
import { seededPhone } from '../../support/engines/seed-contacts.ts';
import { sizeOf } from '../../support/run/extent.ts';

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

  it('never has an eighth call with many dialers and a limit of 7', async () => {
    const dialers = Array.from({ length: sizeOf(12, sized(32, 6)) }, () => aService(table.database));
    const [contactCount, limit] = [sizeOf(60, sized(200, 24)), 7];
    const task = await running({ contactCount, maxConcurrentCalls: limit });
    const inHand = new Set<LeasedCall>();
    let called = 0;
    let now = start;
    const dial = async (dialer: Service, at: number) => {
      while (called < contactCount && now < start + hour) {
        now += 20;
        const only = at % 2 === 0 ? task : undefined;
        const calls = await leaseFrom(dialer, only, now, { limit: 1 + (at % 4), leaseSeconds: 3600 });
        for (const call of calls) inHand.add(call);
        expect(inHand.size).toBeLessThanOrEqual(limit);
        expect(await liveIn(task, now)).toBeLessThanOrEqual(limit);
        for (const call of calls) {
          if (at % 5 === 4 && called % 3 === 0) {
            inHand.delete(call);
            called++;
            await dialer.dialer.liveLeases.release({ callId: call.callId, notBefore: now + 2 * hour }, now);
          } else {
            inHand.delete(call);
            called++;
            await dialer.dialer.results.report({ callId: call.callId, outcome: 'success', duration: 1 }, now);
          }
        }
      }
    };
    await Promise.all(dialers.map(dial));
    expect(called).toBe(contactCount);
    expect(await liveIn(task, now)).toBe(0);
  });

  it('gives a line back with the result, with a release, and when the lease of a dead dialer ends', async () => {
    const task = await running({ contactCount: 20, maxConcurrentCalls: 3 });
    const calls = await lease(task, start, 10, 10);
    expect(calls).toHaveLength(3);
    expect(await lease(task, start + second)).toEqual([]);
    await report(calls[0]!, start + second);
    const [next, ...none] = await lease(undefined, start + second, 10, 10);
    expect([next, none]).toEqual([expect.objectContaining({ taskId: task.id }), []]);
    await service.dialer.liveLeases.release(
      { callId: calls[1]!.callId, notBefore: start + hour },
      start + 2 * second,
    );
    expect(await lease(undefined, start + 2 * second, 10, 10)).toHaveLength(1);
    // Its call was made all the same. The line was given back before.
    await report(calls[1]!, start + 3 * second);
    // Nobody reports the third. It is free when its lease has ended.
    expect(await lease(undefined, start + 10 * second - 1)).toEqual([]);
    expect(await lease(undefined, start + 10 * second)).toHaveLength(1);
  });

  const limits = [
    ['its task', 1, 0],
    ['the service', null, 1],
  ] as const;
  const until = start + hour;

  it.each(
    limits.flatMap(
      (limit) =>
        [
          [...limit, 'shortly before its end', until - 10 * second, until],
          [...limit, 'by far', start + second, until + hour],
        ] as const,
    ),
  )('of %s frees the line of a lease that was extended %4$s', async (_, own, all, __, now, longer) => {
    const limited = aService(table.database, 'UTC', undefined, 0, all);
    const task = await running({ contactCount: 2, maxConcurrentCalls: own }, limited);
    const [call] = await leaseFrom(limited, task, start, { leaseSeconds: 3600 });
    await limited.dialer.liveLeases.extend({ callId: call!.callId, until: longer }, now);
    expect(await leaseFrom(limited, task, longer - 1)).toEqual([]);
    await report(call!, longer - 1);
    expect(await leaseFrom(limited, task, longer - 1)).toHaveLength(1);
  });

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
      await table.database.update(keys.taken(pace), setAttributes({ isWide: true }));
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

  it('calls back within its limit too', async () => {
    const task = await running({ contactCount: 20, maxConcurrentCalls: 2, maxDialCount: 3 });
    const [one, two] = await lease(task, start, 2, 3600);
    const wish = {
      callId: one!.callId,
      outcome: 'failed',
      duration: 1,
      callbackTime: start + minute,
    } as const;
    await service.dialer.results.report(wish, start);
    const [three] = await lease(undefined, start, 2, 3600);
    expect(await lease(undefined, start + minute)).toEqual([]);
    expect(await lease(undefined, start + 2 * minute)).toEqual([]);
    await report(three!, start + 2 * minute);
    expect(await lease(undefined, start + 2 * minute)).toMatchObject([{ contactId: one!.contactId }]);
    await report(two!, start + 2 * minute);
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

  it('frees the line of the service, too, for a call that its task counts since its limit was set', async () => {
    const limited = aService(table.database, 'UTC', undefined, 0, 1);
    const task = await running({ contactCount: 2 }, limited);
    const [call] = await leaseFrom(limited, task, start);
    await adjust(task, { maxConcurrentCalls: 5 }, start + second);
    expect(await leaseFrom(limited, task, start + second)).toEqual([]);
    await report(call!, start + second);
    expect(await leaseFrom(limited, task, start + second)).toHaveLength(1);
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

  it('has a limit of the service over all tasks', async () => {
    service = aService(table.database, 'UTC', undefined, 0, 5);
    const tasks = [await running({ contactCount: 20 }), await running({ contactCount: 20 })];
    const calls = await lease(undefined, start, 4);
    expect(new Set(calls.map(({ taskId }) => taskId)).size).toBe(2);
    expect(await service.dialer.leases.lease({ limit: 10, leaseSeconds: 120 }, start)).toMatchObject({
      calls: { length: 1 },
      retryAfterSeconds: 15,
    });
    expect(await lease(tasks[0], start)).toEqual([]);
    await report(calls[0]!, start + second);
    await service.dialer.liveLeases.release({ callId: calls[1]!.callId }, start + second);
    expect(await lease(undefined, start + second)).toHaveLength(2);
    expect(await lease(undefined, start + 2 * second)).toEqual([]);
    await expect(lease({ ...tasks[0]!, id: '0000000000000000' }, start)).rejects.toMatchObject({
      word: 'TASK_NOT_FOUND',
    });
    // The leases of dead dialers end.
    expect(await lease(undefined, start + 4 * minute)).toHaveLength(5);
  });

  it('never has more calls of all tasks than the limit of the service, with many dialers', async () => {
    const dialers = Array.from({ length: sizeOf(10, sized(16, 6)) }, () =>
      aService(table.database, 'UTC', undefined, 0, 5),
    );
    const contactCount = sizeOf(15, 30);
    const tasks = [await running({ contactCount, maxConcurrentCalls: 3 }), await running({ contactCount })];
    const inHand = new Set<LeasedCall>();
    let called = 0;
    let now = start;
    const dial = async (dialer: Service) => {
      while (called < 2 * contactCount && now < start + hour) {
        now += 20;
        const calls = await leaseFrom(dialer, undefined, now, { limit: 2, leaseSeconds: 3600 });
        for (const call of calls) inHand.add(call);
        expect(inHand.size).toBeLessThanOrEqual(5);
        expect(await liveIn(tasks[0]!, now)).toBeLessThanOrEqual(3);
        called += calls.length;
        for (const call of calls) inHand.delete(call);
        await reportAll(dialer, calls, 'success', now);
      }
    };
    await Promise.all(dialers.map(dial));
    expect(called).toBe(2 * contactCount);
    for (const { id } of tasks)
      expect((await service.tasks.find(id)).status, 'of a task whose calls are over').toBe(status.completed);
  });

  it('uses no line for a contact that is blocked or lost to another dialer', async () => {
    const excluded = await aDraft(service, (await running({ contactCount: 6 })).dataSourceId);
    const draft = await aDraft(service, (await running({ contactCount: 12 })).dataSourceId, {
      maxDialCount: 1,
      maxConcurrentCalls: 4,
      excludedDataSourceIds: [excluded.dataSourceId],
    });
    const task = await move(service, draft, 'publish');
    // The first six have the numbers of the other list.
    const calls = await lease(task, start, 10, 3600);
    expect(calls).toHaveLength(4);
    await reportAll(service, calls, 'success', start);
    expect(await lease(task, start, 10, 3600)).toHaveLength(2);
    expect(await liveIn(task, start)).toBe(2);
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
