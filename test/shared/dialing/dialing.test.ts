import { describe, expect, it, vi } from 'vitest';
import { contactId } from '../../../shared/contacts/rules.ts';
import { type Database, keys, packBytes, seqsPerPage } from '../../../shared/platform/table/index.ts';
import { status } from '../../../shared/tasks/rules.ts';
import {
  aDraft,
  leaseFrom,
  minute,
  move,
  newId,
  reportAll,
  type Service,
  second,
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { openDialing } from '../../support/dialing/open-dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { contactAndGuard, seedEmptyDataSource } from '../../support/engines/seed-contacts.ts';

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
