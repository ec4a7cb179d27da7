import { expect, it } from 'vitest';
import { openStores } from '../../../shared/app/runtime/imports.ts';
import type { LeasedCall } from '../../../shared/calls/rules/call.ts';
import { type Contact, contactId } from '../../../shared/contacts/rules/contact.ts';
import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { readTaskRoom } from '../../../shared/dialing/pace.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { ServiceError } from '../../../shared/platform/rules/errors.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { setAttributes } from '../../../shared/platform/table/expressions.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { endTask, isAmongContacts, type Task } from '../../../shared/tasks/rules/task.ts';
import { adjustTask } from '../../../shared/tasks/rules/task-changes.ts';
import { assertAllowed, status } from '../../../shared/tasks/rules/task-states.ts';
import { callbacksOf } from '../../../shared/tasks/task-work.ts';
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
  seqsOf,
  start,
} from '../../support/dialing/dialing.ts';
import { DialingInvariants } from '../../support/dialing/dialing-invariants.ts';
import { opened } from '../../support/dialing/open-dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { atEveryCall, heldUp, overtaken } from '../../support/engines/overtaken.ts';
import { seedEmptyDataSource, seededPhone } from '../../support/engines/seed-contacts.ts';
import { writeAndCommit } from '../../support/files/imports.ts';
import { between } from '../../support/service/crash-point.ts';

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

/**
 * An import that has reserved its numbers, and waits to write its rows until the answer is called.
 */
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
  service.selection.adjust(task.id, async (read) =>
    adjustTask(read, changes, { calls: 0, failed: 0 }, start),
  );
const tomorrow = start + 2 * hour;
/** Nothing that was read is so new that an index may not show it yet. */
const later = start + 20 * second;
const hourLong = { leaseSeconds: 3600 };

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
    ({ dialer }, _, callId) => dialer.results.report({ callId, outcome: 'success', duration: 1 }, start),
    adjusted({ keepOpen: true }),
    status.completed,
  ],
  [
    'completes with its last result, unless a contact was added before',
    { contactCount: 1 },
    ({ dialer }, _, callId) => dialer.results.report({ callId, outcome: 'success', duration: 1 }, start),
    async ({ contacts, tasks }, { id, dataSourceId }) => {
      assertAllowed('complete', (await tasks.find(id)).status);
      await contacts.add(dataSourceId, { phoneNumber: '13900000000', fields: {} }, start);
    },
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
    ({ dialer }, _, callId) => dialer.results.report({ callId, outcome: 'failed', duration: 1 }, start),
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
    for (const { callId } of calls)
      await service.dialer.liveLeases.extend({ callId, until: start + hour }, start);
  });
});

it('a corrected time zone counts, wherever another correction overtakes it', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const hours = { dailyStartTime: '20:00', dailyEndTime: '23:30' };
    const task = await aRunningTask(table.database, service, { contactCount: 0, callInterval: 0, ...hours });
    const { dataSourceId } = task;
    const added = { phoneNumber: '13900000000', fields: { timeZone: 'Asia/Tokyo' } };
    const { id } = await service.contacts.add(dataSourceId, added, start);
    expect(await leaseFrom(service, task, start)).toEqual([]);
    const moveTo = async (timeZone: string, by: Service) => {
      const changes = new Map([['timeZone', timeZone]]);
      await by.contacts.update(dataSourceId, id, { changes }, start);
      await by.dialer.deferred.reconsiderOne({ dataSourceId, seq: 0 } as Contact, true, start);
    };
    overtake(() => moveTo('UTC', service));
    await moveTo('Europe/London', aService(slow));
    expect(await leaseFrom(service, task, start)).toHaveLength(1);
  });
});

it.each(['an extension', 'a release'])(
  '%s counts, wherever the contact gets another number meanwhile',
  async (which) => {
    await atEveryCall(engine, async ({ table, slow, overtake }) => {
      const service = aService(table.database);
      const task = await aRunningTask(table.database, service, { contactCount: 1 });
      const [call] = await leaseFrom(service, task, start, { leaseSeconds: 60 });
      const { dataSourceId, contactId, callId } = call!;
      const patch = { phoneNumber: '+491', changes: new Map() };
      overtake(() => service.contacts.update(dataSourceId, contactId, patch, start));
      const { dialer } = aService(slow);
      if (which === 'a release') await dialer.liveLeases.release({ callId }, start);
      else await dialer.liveLeases.extend({ callId, until: start + hour }, start);
      expect(await leaseFrom(service, task, start + hour - 1)).toHaveLength(which === 'a release' ? 1 : 0);
    });
  },
);

it('a result brings no contact back that is deleted just before it is counted', async () => {
  const { service, ...table } = await opened();
  const task = await aRunningTask(table.database, service, { contactCount: 1 });
  const [call] = await leaseFrom(service, task, start);
  const { dataSourceId, contactId } = call!;
  const held = heldUp(table, ({ name }) => name === 'TransactWrite');
  const deletion = aService(held.database).contacts.remove(dataSourceId, contactId, start);
  await held.reached;
  const late = overtaken(
    table,
    ({ name }) => name === 'TransactWrite',
    () => {
      held.resume();
      return deletion;
    },
  );
  await reportAll(aService(late.database), [call!], 'success', start);
  expect(await table.database.get(keys.contact(dataSourceId, 0))).toBeUndefined();
});

it('a call keeps no line, wherever its result overtakes an extension of its lease', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxConcurrentCalls: 1 });
    const [call] = await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 60 });
    let next = 0;
    overtake(async () => {
      await reportAll(service, [call!], 'success', start);
      next = 1;
    });
    await aService(slow)
      .dialer.liveLeases.extend({ callId: call!.callId, until: start + hour }, start)
      .catch(({ word }) => expect(word).toBe('ALREADY_REPORTED'));
    expect(await leaseFrom(service, task, start)).toHaveLength(next);
  });
});

/** Another writer at the task contact: it changes nothing but the version. */
const touch = async ({ database }: OpenTable, task: Task, seq: number) => {
  const { taskContacts } = openStores(database);
  const [contact] = await taskContacts.read(task.id, [seq]);
  if (contact !== undefined) await taskContacts.write(contact);
};

type Idle = {
  settings: Partial<Task> & { contactCount: number };
  /** How the calls of all contacts ended before the request. */
  ended?: 'failed';
  prepare?: (service: Service, task: Task, table: OpenTable, called: LeasedCall[]) => Promise<unknown>;
  /** Answers how many calls it has got itself. */
  act: (service: Service, task: Task, called: LeasedCall[], table: OpenTable) => Promise<unknown>;
  /** Then, and without it. */
  calls: [number, number];
  isCompleted?: true;
};

/** What may happen while a request finds nothing to call, or less than there is. */
const idle: Record<string, Idle> = {
  'an added contact is called at once': {
    settings: { contactCount: 0 },
    act: ({ contacts }, { dataSourceId }) =>
      contacts.add(dataSourceId, { phoneNumber: '13900000000', fields: {} }, later),
    calls: [1, 0],
  },
  'who was taken up with another contact is called at once': {
    settings: { contactCount: 0 },
    act: async (service, { dataSourceId }) => {
      for (const phoneNumber of ['13900000000', '13900000001'])
        await service.contacts.add(dataSourceId, { phoneNumber, fields: {} }, later);
      return (await leaseFrom(service, undefined, later, { limit: 1 })).length;
    },
    calls: [2, 0],
  },
  'a contact is called again at once after its result': {
    settings: { contactCount: 1, callInterval: 0 },
    act: (service, _, called) => reportAll(service, called, 'failed', later),
    calls: [1, 0],
  },
  'a recalled contact is called at once': {
    settings: { contactCount: 1, callInterval: 0, maxDialCount: 1 },
    ended: 'failed',
    act: ({ dialer }, { id, priority }, called) =>
      dialer.recalls.recall(id, { contactIds: called.map(({ contactId }) => contactId), priority }, later),
    calls: [1, 0],
  },
  'a contact is called once for a recall of all': {
    settings: { contactCount: 1, callInterval: 0, maxDialCount: 1 },
    ended: 'failed',
    prepare: ({ dialer }, { id, priority }) => dialer.recalls.recall(id, { priority }, start),
    act: async (service) => {
      const calls = await leaseFrom(service, undefined, later);
      await reportAll(service, calls, 'failed', later);
      return calls.length;
    },
    calls: [1, 1],
  },
  'all that are recalled are called within a second': {
    settings: { contactCount: 2, callInterval: 0, maxDialCount: 1 },
    ended: 'failed',
    prepare: ({ dialer }, { id, priority }) => dialer.recalls.recall(id, { priority }, start),
    act: (_, task, __, table) => touch(table, task, 0),
    calls: [2, 2],
  },
  'an agreed callback is made on time': {
    settings: { contactCount: 1 },
    prepare: async (service, task, { database }) => {
      await leaseFrom(service, undefined, start);
      await new Agenda(database).schedule(callbacksOf(task), start);
    },
    act: ({ dialer }, _, [call]) => {
      const asked = { outcome: 'failed', duration: 0, callbackTime: later + second } as const;
      return dialer.results.report({ callId: call!.callId, ...asked }, later);
    },
    calls: [1, 0],
  },
  'a contact that is given back is called at once': {
    settings: { contactCount: 1 },
    act: ({ dialer }, _, [call]) => dialer.liveLeases.release(call!, later),
    calls: [1, 0],
  },
  'a callback that is given back is made at once': {
    settings: { contactCount: 1 },
    prepare: async (service, task, _, [call]) => {
      const asked = { outcome: 'failed', duration: 0, callbackTime: start + second } as const;
      await service.dialer.results.report({ callId: call!.callId, ...asked }, start);
      call!.callId = (await leaseFrom(service, task, start + second, hourLong))[0]!.callId;
    },
    act: ({ dialer }, _, [call]) => dialer.liveLeases.release(call!, later),
    calls: [1, 0],
  },
  'the next contact is called once a channel is free': {
    settings: { contactCount: 2, maxDialCount: 1, maxConcurrentCalls: 1 },
    act: (service, _, called) => reportAll(service, called, 'failed', later),
    calls: [1, 0],
  },
  'an agreed callback is made once a channel is free': {
    settings: { contactCount: 2, maxConcurrentCalls: 1 },
    prepare: async (service, _, __, [call]) => {
      const asked = { outcome: 'failed', duration: 0, callbackTime: start + second } as const;
      await service.dialer.results.report({ callId: call!.callId, ...asked }, start);
      call!.callId = (await leaseFrom(service, undefined, start, hourLong))[0]!.callId;
    },
    act: ({ dialer }, _, [call]) => dialer.liveLeases.release({ ...call!, notBefore: later + hour }, later),
    calls: [1, 0],
  },
  'a task ends with the deletion of its last contact': {
    settings: { contactCount: 2, callInterval: 3600, keepOpen: false },
    ended: 'failed',
    // After a deletion the entry of the task is due so early that another one does not write it.
    prepare: ({ contacts }, { dataSourceId }) =>
      contacts.remove(dataSourceId, contactId(dataSourceId, 0), start),
    act: ({ contacts }, { dataSourceId }) => contacts.remove(dataSourceId, contactId(dataSourceId, 1), later),
    calls: [0, 0],
    isCompleted: true,
  },
};

it.each(Object.entries(idle))(
  '%s, wherever that overtakes a request for calls',
  async (_, { settings, ended, prepare, act, calls: [expected, without], isCompleted = false }) => {
    await atEveryCall(engine, async ({ table, slow, overtake }) => {
      const service = aService(table.database);
      const task = await aRunningTask(table.database, service, { keepOpen: true, ...settings });
      const called = settings.contactCount === 0 ? [] : await leaseFrom(service, task, start, hourLong);
      if (ended) await reportAll(service, called, ended, start);
      await prepare?.(service, task, table, called);
      let [isOver, own] = [false, 0];
      overtake(async () => {
        isOver = true;
        own = Number(await act(service, task, called, table)) || 0;
      });
      const calls = await leaseFrom(aService(slow), undefined, later, hourLong);
      calls.push(...(await leaseFrom(service, undefined, later + second, hourLong)));
      expect(calls.length + own).toBe(isOver ? expected : without);
      const { status: after } = await service.tasks.find(task.id);
      expect(after).toBe(isOver && isCompleted ? status.completed : status.running);
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
      if (changed) await dialer.deferred.reconsiderOne(changed, false, start);
      const invariants = new DialingInvariants(table.database, task);
      await invariants.check(start, false);
      await leaseFrom(service, task, start);
      await invariants.check(start, false);
      await invariants.checkEnd();
    });
  },
);

it('a contact that an adjusted filter selects is called, wherever the adjust overtakes a lease that leaves it out', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const planned = (value: string) => ({ contactFilter: [{ field: 'plan', is: 'equal' as const, value }] });
    const task = await aRunningTask(table.database, service, { contactCount: 0, ...planned('gold') });
    const added = { phoneNumber: '13900000000', fields: { plan: 'gold' } };
    const { id } = await service.contacts.add(task.dataSourceId, added, start);
    for (const call of await leaseFrom(service, task, start))
      await service.dialer.liveLeases.release(call, start);
    await service.contacts.update(task.dataSourceId, id, { changes: new Map([['plan', 'tin']]) }, start);
    let expected = 0;
    overtake(async () => {
      await adjusted(planned('tin'))(service, task);
      expected = 1;
    });
    const calls = await leaseFrom(aService(slow), task, later);
    await reportAll(service, calls, 'success', later);
    // A lease that could not be taken back has run out by then.
    calls.push(...(await leaseFrom(service, task, later + hour)));
    expect(calls).toHaveLength(expected);
  });
});

it('a lease keeps to the limit, wherever another writer comes before it takes back a blocked contact', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxConcurrentCalls: 1 });
    await seedEmptyDataSource(table.database, doNotCall.id);
    await service.contacts.add(doNotCall.id, { phoneNumber: seededPhone(0), fields: {} }, start);
    overtake(() => touch(table, task, 0));
    await leaseFrom(aService(slow), task, start);
    await new DialingInvariants(table.database, task).checkPace(start);
  });
});

it('a call frees its channel, wherever two requests begin to count the channels', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2 });
    const called = await leaseFrom(service, task, start, { limit: 1, leaseSeconds: 3600 });
    await adjusted({ maxConcurrentCalls: 1 })(service, task);
    overtake(() => leaseFrom(service, task, start + second));
    expect(await leaseFrom(aService(slow), task, later)).toEqual([]);
    await reportAll(service, called, 'success', later);
    expect(await leaseFrom(service, task, later)).toHaveLength(1);
  });
});

it('a reading never shows more room than there is, wherever a call begins and ends meanwhile', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 2, maxConcurrentCalls: 2 });
    await leaseFrom(service, task, start, { limit: 1 });
    // So many calls begin that freed channels are counted under several keys.
    const wide = setAttributes({ isWide: true, ttl: (start + hour) / second });
    await table.database.update(keys.taken(keys.taskPace(task.id)), wide);
    overtake(async () => reportAll(service, await leaseFrom(service, task, start), 'success', start));
    expect((await readTaskRoom(slow, task, start)).calls).toBeLessThanOrEqual(1);
  });
});

it('a task that waits for an import is checked every five seconds', async () => {
  const { service, ...table } = await opened();
  const task = await aRunningTask(table.database, service, { contactCount: 1 });
  await leaseFrom(service, task, start, hourLong);
  const goOn = await aHalfImport(table, task.dataSourceId, ['13900000000']);
  const ask = () => service.dialer.leases.lease({ limit: 1, ...hourLong }, later);
  expect([await ask(), await ask()]).toMatchObject([{ retryAfterSeconds: 5 }, { retryAfterSeconds: 5 }]);
  await goOn();
  expect((await ask()).calls, 'at its end').toHaveLength(1);
});

it('a contact is called once, wherever another request leases it and gives it back', async () => {
  await atEveryCall(engine, async ({ table, slow, overtake }) => {
    const service = aService(table.database);
    const task = await aRunningTask(table.database, service, { contactCount: 3, callInterval: 0 });
    const two = { limit: 2, leaseSeconds: 3600 };
    await reportAll(service, await leaseFrom(service, task, start, two), 'failed', start);
    // At the head of the line are two contacts in a call: behind them the line is read once more.
    expect(seqsOf(await leaseFrom(service, task, start, two))).toEqual([0, 1]);
    overtake(async () => {
      for (const call of await leaseFrom(service, task, start))
        await service.dialer.liveLeases.release(call, start);
    });
    const calls = await leaseFrom(aService(slow), task, start, two);
    calls.push(...(await leaseFrom(service, task, start, two)));
    expect(seqsOf(calls)).toEqual([2]);
  });
});

it('a request with a key knows its leases, though the SDK sends each write twice', async () => {
  const { service, ...table } = await opened();
  const task = await aRunningTask(table.database, service, { contactCount: 2 });
  const twice = between(table.client, (send) => async (command) => {
    if (JSON.stringify(command.input).includes('"state":"leased"')) await send(command);
    return send(command);
  });
  const requestKey = { id: newId(), now: start / second, expires: start / second + 3600 };
  const request = { limit: 1, leaseSeconds: 60, taskId: task.id };
  const lease = async () => seqsOf((await service.dialer.leases.lease(request, start, requestKey)).calls);
  expect([await lease(), await lease()]).toEqual([[0], [0]]);
  twice.restore();
});
