import { expect, it } from 'vitest';
import type { LeasedCall } from '../../../../shared/domain/dialing/call.ts';
import { ServiceError } from '../../../../shared/domain/errors.ts';
import { endTask, isAmongContacts, type Task } from '../../../../shared/domain/tasks/task.ts';
import { adjustTask } from '../../../../shared/domain/tasks/task-adjustments.ts';
import { status } from '../../../../shared/domain/tasks/task-states.ts';
import { openStores } from '../../../../shared/store/stores.ts';
import { type Database, keys } from '../../../../shared/store/table/index.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  move,
  newId,
  reportAll,
  type Service,
  second,
  start,
} from '../../../support/dialing/dialing.ts';
import { DialingInvariants } from '../../../support/dialing/dialing-invariants.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { atEveryCall, heldUp } from '../../../support/engines/overtaken.ts';
import { writeAndCommit } from '../../../support/files/imports.ts';

const engine = engines[0]!;
const serviceLimit = 3;
const limited = (database: Database) => aService(database, 'UTC', undefined, 0, serviceLimit);

it.each([
  ['the service', null],
  ['its task', 2],
])('a lease keeps to the limit of %s, wherever another lease overtakes it', async (_, taskLimit) => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = limited(table.database);
    const task = await aRunningTask(table.database, service, {
      contactCount: 8,
      maxConcurrentCalls: taskLimit,
    });
    const other = await aRunningTask(table.database, service, { contactCount: 8 });
    const most = taskLimit ?? serviceLimit;
    const faster = taskLimit ? task : other;
    let overtaking = 0;
    overtake(async () => {
      overtaking = (await leaseFrom(service, faster, start, { limit: most })).length;
    });
    const calls = await leaseFrom(limited(slow), task, start, { limit: most });
    expect(calls.length + overtaking, 'calls at once').toBeLessThanOrEqual(most);
  });
});

/** An import that has reserved its numbers, and waits to write its rows until the answer is called. */
const aHalfImport = async (table: OpenTable, dataSourceId: string, phones: readonly string[]) => {
  const contacts = keys.contactPartition(dataSourceId, 0);
  const { database, reached, resume } = heldUp(table, ({ written }) =>
    written.some(({ pk }) => pk === contacts),
  );
  const [records, importId] = [openStores(database).importRecords, newId()];
  const file = { objectKey: importId, fileName: 'contacts.csv', fileSize: 10 };
  await records.create({ importId, dataSourceId, ...file, createTime: start });
  const hold = { owner: importId, now: start, until: start + hour };
  const { import: found } = await records.begin(dataSourceId, importId, hold);
  const rows = phones.map((phoneNumber, at) => ({ line: at + 2, phoneNumber, fields: {} }));
  const importing = writeAndCommit(
    openStores(database).importedContacts,
    found,
    { rows, importCount: rows.length },
    start,
  );
  await reached;
  return () => {
    resume();
    return importing;
  };
};

it('every row of an import is called, wherever the import overtakes a lease', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxDialCount: 1 });
    const phones = ['13900000000', '13900000001'];
    let goOn = async (): Promise<unknown> => undefined;
    let imported: readonly string[] = [];
    overtake(async () => {
      goOn = await aHalfImport(table, task.dataSourceId, phones);
      imported = phones;
    });
    const calls = await leaseFrom(aService(slow), task, start);
    await goOn();
    calls.push(...(await leaseFrom(service, task, start)));
    expect(calls.map(({ phoneNumber }) => phoneNumber)).toEqual(expect.arrayContaining([...imported]));
    expect(calls).toHaveLength(2 + imported.length);
  });
});

it('a stopped task counts the contacts that are among its own, wherever an import ends', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2 });
    const goOn = await aHalfImport(table, task.dataSourceId, ['13900000000']);
    let imported: Promise<unknown> | undefined;
    const end = () => (imported ??= goOn());
    overtake(end);
    const { contacts, tasks } = aService(slow);
    const stopped = await tasks.move(task.id, 'stop', async (current) =>
      endTask(current, await contacts.readHeld(task.dataSourceId), start),
    );
    await end();
    const { rows } = await service.contacts.page(task.dataSourceId, { offset: 0, limit: 9 });
    expect(rows).toHaveLength(3);
    expect(stopped.contactCount).toBe(rows.filter((contact) => isAmongContacts(stopped, contact)).length);
  });
});

const adjusted = (changes: Partial<Task>) => (service: Service, task: Task) =>
  service.dialer.adjust(task.id, async (read) => adjustTask(read, changes, { calls: 0, failed: 0 }, start));
const tomorrow = start + 2 * hour;
/** Nothing that was read is so new that an index may not show it yet. */
const later = start + 20 * second;

/** What the service does to a task by itself, and what an operator does so that it must not. */
const ends: [
  name: string,
  settings: Partial<Task> & { contactCount: number },
  decide: (service: Service, task: Task, callId: string) => Promise<unknown>,
  operate: (service: Service, task: Task) => Promise<unknown>,
  after: number,
][] = [
  [
    'completes with its last result, unless it is kept open',
    { contactCount: 1 },
    ({ dialer }, _, callId) => dialer.result({ callId, outcome: 'success', duration: 1 }, start),
    adjusted({ keepOpen: true }),
    status.completed,
  ],
  [
    'is stopped at its callUntil, unless it was moved',
    { contactCount: 2, callUntil: '2023-11-15 00:00:00' },
    (service, task) => leaseFrom(service, task, tomorrow),
    adjusted({ callUntil: '2023-11-20 00:00:00' }),
    status.stopped,
  ],
  [
    'is paused by too many failures, unless it was resumed',
    { contactCount: 11, pauseWhen: { failedPercent: 100, calls: 10 } },
    ({ dialer }, _, callId) => dialer.result({ callId, outcome: 'failed', duration: 1 }, start),
    async (service, task) => {
      await move(service, task, 'pause');
      await move(service, task, 'resume');
    },
    status.paused,
  ],
];

it.each(ends)('a task %s, wherever the operator overtakes', async (_, settings, decide, operate, after) => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { maxDialCount: 1, ...settings });
    const [last, ...others] = await leaseFrom(service, task, start, { limit: 10 });
    await reportAll(service, others.slice(0, 9), 'failed', start);
    let expected = after;
    overtake(async () => {
      // Refused once the service has done it.
      if (
        await operate(service, task).then(
          () => true,
          () => false,
        )
      )
        expected = status.running;
    });
    await decide(aService(slow), task, last!.callId);
    expect(await service.tasks.find(task.id)).toMatchObject({ status: expected });
  });
});

it('a call in progress keeps its lease, wherever it overtakes a request that would defer its contact', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const hours = { dailyStartTime: '20:00', dailyEndTime: '23:30' };
    const task = await aRunningTask(table.database, service, { contactCount: 0, callInterval: 0, ...hours });
    const { dataSourceId } = task;
    const added = { phoneNumber: '13900000000', fields: { timeZone: 'UTC' } };
    const { id } = await service.contacts.add(dataSourceId, added, start);
    await reportAll(service, await leaseFrom(service, task, start), 'failed', start);
    const moveTo = (timeZone: string) =>
      service.contacts.update(dataSourceId, id, { changes: new Map([['timeZone', timeZone]]) }, start);
    await moveTo('Asia/Tokyo');
    const calls: LeasedCall[] = [];
    overtake(async () => {
      await moveTo('UTC');
      calls.push(...(await leaseFrom(service, task, start)));
    });
    calls.push(...(await leaseFrom(aService(slow), task, start)));
    expect(calls.length).toBeLessThanOrEqual(1);
    for (const { callId } of calls) await service.dialer.extend({ callId, until: start + hour }, start);
  });
});

it('an extension holds, wherever the contact gets another number meanwhile', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 1 });
    const [call] = await leaseFrom(service, task, start, { leaseSeconds: 60 });
    const { dataSourceId, contactId, callId } = call!;
    const patch = { phoneNumber: '+491', changes: new Map() };
    overtake(() => service.contacts.update(dataSourceId, contactId, patch, start));
    await aService(slow).dialer.extend({ callId, until: start + hour }, start);
    expect(await leaseFrom(service, task, start + hour - 1)).toEqual([]);
  });
});

it.each(['an added contact', 'a result', 'a recall'])(
  '%s is called at once, wherever it overtakes a request that finds its task idle',
  async (what) => {
    await atEveryCall(engine, async ({ table, slow, overtake }) => {
      const service = aService(table.database);
      const contactCount = what === 'an added contact' ? 0 : 1;
      const settings = { contactCount, callInterval: 0, maxDialCount: what === 'a recall' ? 1 : 9 };
      const task = await aRunningTask(table.database, service, { ...settings, keepOpen: true });
      const lease = () => leaseFrom(service, task, start, { leaseSeconds: 3600 });
      const called = contactCount === 0 ? [] : await lease();
      if (what === 'a recall') await reportAll(service, called, 'failed', start);
      let expected = 0;
      overtake(async () => {
        expected = 1;
        const { dataSourceId } = task;
        const added = { phoneNumber: '13900000000', fields: {} };
        if (what === 'an added contact') await service.contacts.add(dataSourceId, added, later);
        else if (what === 'a result') await reportAll(service, called, 'failed', later);
        else {
          const contactIds = called.map(({ contactId }) => contactId);
          await service.dialer.recall(task.id, { contactIds, priority: task.priority }, later);
        }
      });
      const calls = await leaseFrom(aService(slow), undefined, later);
      calls.push(...(await leaseFrom(service, undefined, later + second)));
      expect(calls).toHaveLength(expected);
    });
  },
);

it.each([
  ['deleted and passed', true],
  ['passed', false],
])(
  'a contact that comes to match the filter is counted right, wherever it is %s meanwhile',
  async (_, isDeleted) => {
    await atEveryCall(engine, async ({ table, slow, overtake }) => {
      const service = aService(table.database);
      const { contacts } = service;
      const contactFilter = [{ field: 'plan', is: 'equal', value: 'gold' } as const];
      const task = await aRunningTask(table.database, service, { contactCount: 0, contactFilter });
      const { dataSourceId } = task;
      const add = (phoneNumber: string, fields: Record<string, string>) =>
        contacts.add(dataSourceId, { phoneNumber, fields }, start);
      const { id } = await add('13900000000', {});
      // The cursor goes on to it.
      await add('13900000001', { plan: 'gold' });
      overtake(async () => {
        if (isDeleted) await contacts.remove(dataSourceId, id, start);
        await leaseFrom(service, task, start);
      });
      const { contacts: slowly, dialer } = aService(slow);
      const changed = await slowly
        .update(dataSourceId, id, { changes: new Map([['plan', 'gold']]) }, start)
        // It was deleted before.
        .catch((error: unknown) => {
          if (!(error instanceof ServiceError)) throw error;
        });
      if (changed) await dialer.reconsider(changed, false, start);
      const invariants = new DialingInvariants(table.database, task);
      await invariants.check(start, false);
      await leaseFrom(service, task, start);
      await invariants.check(start, false);
      await invariants.checkEnd();
    });
  },
);
