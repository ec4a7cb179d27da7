import { describe, expect, it } from 'vitest';
import { deferContact } from '../../../shared/dialing/rules/task-contact.ts';
import { TaskContacts } from '../../../shared/dialing/task-contacts.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { adjustTask } from '../../../shared/tasks/rules/task-changes.ts';
import { deferredOf } from '../../../shared/tasks/task-work.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  type Service,
  second,
  start,
  workersOf,
} from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { overtaken } from '../../support/engines/overtaken.ts';
import { workOffAt } from '../../support/service/due-work.ts';

/** A process that something overtakes just before it moves the check time of a task. */
const postponing = (table: OpenTable, act: () => Promise<unknown>) => {
  const { pk: agenda } = keys.agendaEntry('calls', '', '');
  return overtaken(table, ({ written }) => written.some(({ pk }) => pk.startsWith(agenda)), act);
};

/** The clock is at 22:13:20 on Tuesday, 14 November 2023. */
const dayOff = { excludedDates: ['2023-11-14'] };
const none = { calls: 0, failed: 0 };

const aTask = async (database: Database, contactCount: number) => {
  const service = aService(database);
  const task = await aRunningTask(database, service, { contactCount, ...dayOff });
  const contact = { phoneNumber: '19900000000', fields: { timeZone: 'UTC' } };
  await service.contacts.add(task.dataSourceId, contact, start);
  return { service, task };
};
const adjust = async ({ tasks, dialer }: Service, id: string, now: number, changes: object) => {
  const adjusted = await tasks.move(id, 'adjust', (task) => adjustTask(task, changes, none, now));
  await dialer.deferred.reconsider(adjusted, now);
};
const readAll = (database: Database, id: string, count: number) =>
  new TaskContacts(database).range(id, 0, count);
const dueBy = async (database: Database, id: string, count: number, now: number) =>
  (await readAll(database, id, count)).filter((each) => each.state === 'waiting' && each.due <= now).length;
const isListed = async (database: Database, id: string) =>
  (await new Agenda(database).find(deferredOf(id))) !== undefined;
const reconsiderAll = (database: Database, service: Service, now: number) =>
  workOffAt(database, workersOf(service), now);

it('contacts that a task deferred are considered again in bounded steps after an adjust, until the schedule has seen all of them', async () => {
  const { database, close } = await engines[0]!.open();
  const count = 1101;
  const { service, task } = await aTask(database, count - 1);
  for (let deferred = 0; deferred < count; deferred += 1200)
    expect(await leaseFrom(service, task, start, { limit: 100 })).toEqual([]);
  expect(await dueBy(database, task.id, count, start)).toBe(0);
  await adjust(service, task.id, start, { excludedDates: [] });
  expect(await dueBy(database, task.id, count, start)).toBe(1000);
  await reconsiderAll(database, service, start + minute);
  expect(await dueBy(database, task.id, count, start)).toBe(count);
  // The search that the adjust began is over. Another one begins when no request can know the old
  // hours.
  expect(await isListed(database, task.id)).toBe(true);
  await reconsiderAll(database, service, start + 2 * minute);
  expect(await isListed(database, task.id)).toBe(false);
  await close();
});

describe.each(engines)('contacts that a task deferred before its hours were adjusted on $name', (engine) => {
  it('are found if a request deferred them when the task had been adjusted', async () => {
    const { database, close } = await engine.open();
    const { service, task } = await aTask(database, 1);
    expect(await leaseFrom(service, task, start)).toEqual([]);
    await adjust(service, task.id, start + second, { excludedDates: [] });
    const taskContacts = new TaskContacts(database);
    for (const contact of await readAll(database, task.id, 2)) {
      if (contact.state !== 'waiting') throw new Error(contact.state);
      // By a clock that is five seconds fast.
      const place = { due: start + 20 * hour, reason: 'HOURS', zone: '' } as const;
      const deferred = deferContact(contact, place, start + 6 * second);
      expect(await taskContacts.write(deferred)).toBe(true);
    }
    expect(await leaseFrom(service, undefined, start + 30 * second)).toEqual([]);
    await reconsiderAll(database, service, start + 31 * second);
    expect(await leaseFrom(service, undefined, start + 32 * second)).toHaveLength(2);
    await close();
  });

  it('are called at once even if a request postpones the task at that moment', async () => {
    const table = await engine.open();
    const { database, close } = table;
    const { service, task } = await aTask(database, 1);
    const slow = postponing(table, () => adjust(service, task.id, start, { excludedDates: [] }));
    expect(await leaseFrom(aService(slow.database), undefined, start)).toEqual([]);
    expect(slow.isOvertaken()).toBe(true);
    expect(await leaseFrom(service, undefined, start + second)).toHaveLength(2);
    await close();
  });

  it('for their zone are called at once even if a request postpones the task when the zone is corrected', async () => {
    const table = await engine.open();
    const { database, close } = table;
    const service = aService(database);
    const hours = { dailyStartTime: '22:00', dailyEndTime: '23:00' };
    const task = await aRunningTask(database, service, { contactCount: 0, ...hours });
    const inTokyo = { phoneNumber: '19900000000', fields: { timeZone: 'Asia/Tokyo' } };
    const { id } = await service.contacts.add(task.dataSourceId, inTokyo, start);
    const slow = postponing(table, async () => {
      const changes = new Map([['timeZone', 'UTC']]);
      const contact = await service.contacts.update(task.dataSourceId, id, { changes }, start);
      await service.dialer.deferred.reconsiderOne(contact, true, start);
    });
    expect(await leaseFrom(aService(slow.database), undefined, start)).toEqual([]);
    expect(slow.isOvertaken()).toBe(true);
    expect(await leaseFrom(service, undefined, start + second)).toHaveLength(1);
    await close();
  });

  it('stay where the new hours put them, and stay in a task that is paused until it is resumed', async () => {
    const { database, close } = await engine.open();
    const { service, task } = await aTask(database, 2);
    expect(await leaseFrom(service, task, start)).toEqual([]);
    const begin = start + minute;
    await adjust(service, task.id, begin, { excludedDates: ['2023-11-14', '2023-11-15'] });
    expect(await leaseFrom(service, task, begin + 10 * second)).toEqual([]);
    const before = await readAll(database, task.id, 3);
    expect(before.map((each) => each.state === 'waiting' && each.due)).toEqual(
      Array(3).fill(Date.UTC(2023, 10, 16)),
    );
    for (let now = begin; now < begin + 5 * minute; now += minute)
      await reconsiderAll(database, service, now);
    expect(await readAll(database, task.id, 3)).toEqual(before);
    await move(service, task, 'pause', begin + 6 * minute);
    await adjust(service, task.id, begin + 7 * minute, { excludedDates: [] });
    expect(await leaseFrom(service, undefined, begin + 8 * minute)).toEqual([]);
    await move(service, task, 'resume', begin + 9 * minute);
    expect(await leaseFrom(service, undefined, begin + 10 * minute)).toHaveLength(3);
    await close();
  });
});
