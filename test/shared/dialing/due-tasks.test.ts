import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contactId } from '../../../shared/contacts/rules/contact.ts';
import { DueTasks } from '../../../shared/dialing/due-tasks.ts';
import { Agenda } from '../../../shared/platform/agenda/agenda.ts';
import { concurrently } from '../../../shared/platform/table/concurrency.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { tableDefinition } from '../../../shared/platform/table/table.ts';
import { status } from '../../../shared/tasks/rules/task-states.ts';
import { callbacksOf, callsOf } from '../../../shared/tasks/task-work.ts';
import {
  aDataSource,
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
  sleepingTasks,
  start,
} from '../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { watchedBy } from '../../support/engines/overtaken.ts';

describe('a lease without a task', () => {
  let table: OpenTable;
  let database: Database;
  let service: Service;

  beforeAll(async () => {
    table = await engines[0]!.open();
    database = table.database;
    service = aService(database);
  });
  afterAll(() => table.close());

  const poll = async (now: number) =>
    (await leaseFrom(service, undefined, now, { limit: 100 })).map((call) => call.taskId);
  /**
   * Its only contact is in a call until then, and a dialer has seen that nobody else can be called.
   */
  const asleep = async (leaseSeconds: number, rules = {}) => {
    const task = await aRunningTask(database, service, { contactCount: 1, callInterval: 0, ...rules });
    const [call] = await leaseFrom(service, task, start, { leaseSeconds });
    expect(await poll(start)).toEqual([]);
    return { task, call: call! };
  };
  const stop = (task: { id: string }) =>
    service.tasks.move(task.id, 'stop', (found) => ({ ...found, endTime: start }));

  it('finds a contact the moment its lease ends, and its next attempt is due', async () => {
    const { task, call } = await asleep(3600, { callInterval: 60 });
    await reportAll(service, [call], 'failed', start + second);
    expect(await poll(start + 61 * second - 1)).toEqual([]);
    expect(await poll(start + 61 * second)).toEqual([task.id]);
    await stop(task);
  });

  it('ends a task at once after the late result of one who waits, though a deleted contact is in line', async () => {
    const task = await aRunningTask(database, service, { contactCount: 2, maxDialCount: 1 });
    const calls = await leaseFrom(service, task, start, { limit: 2 });
    for (const call of calls)
      await service.dialer.liveLeases.release({ ...call, notBefore: start + hour }, start);
    await service.contacts.remove(task.dataSourceId, contactId(task.dataSourceId, 1), start);
    expect(await poll(start)).toEqual([]);
    await reportAll(service, calls.slice(0, 1), 'failed', start);
    expect(await poll(start)).toEqual([]);
    expect(await service.tasks.find(task.id)).toMatchObject({ status: status.completed });
  });

  it('ends a task with the last call under way, though a deleted contact waits behind it', async () => {
    const settings = { contactCount: 2, maxDialCount: 2, callInterval: 3600 };
    const task = await aRunningTask(database, service, settings);
    const [sooner, later] = await leaseFrom(service, task, start, { limit: 2 });
    await reportAll(service, [sooner!], 'failed', start);
    await reportAll(service, [later!], 'failed', start + minute);
    const again = await leaseFrom(service, task, start + hour, { limit: 1, leaseSeconds: 600 });
    await service.contacts.remove(task.dataSourceId, later!.contactId, start);
    expect(await poll(start + hour)).toEqual([]);
    expect(await reportAll(service, again, 'success', start + hour)).toMatchObject([
      { taskStatus: status.completed },
    ]);
  });

  it('costs by what is due, not by how many tasks run', async () => {
    const dataSourceId = await aDataSource(database, 1);
    const lease = () => leaseFrom(service, undefined, start, { limit: 10 });
    const busy = await aRunningTask(database, service, { contactCount: 100 });
    await lease();
    const { measure } = meter(table.client);
    const alone = await measure(lease);
    const sleeping = sleepingTasks(database, dataSourceId, 1000, start + 1);
    await database.putAll(sleeping);
    // Each of them has agreed on a callback, too.
    const ids = sleeping.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
    await concurrently(ids, 16, (id) => new Agenda(database).schedule(callbacksOf({ id }), start + 1));
    const amongMany = await measure(lease);
    expect(amongMany.rcu / alone.rcu).toBeLessThanOrEqual(1.5);
    expect(amongMany.wcu / alone.wcu).toBeLessThanOrEqual(1.5);
    expect(amongMany.depth).toBeLessThanOrEqual(8);
    await stop(busy);
    const idle = await measure(() => poll(start));
    expect(idle).toMatchObject({ wcu: 0 });
    expect(idle.rcu).toBeLessThanOrEqual(10);
    expect(idle.depth).toBeLessThanOrEqual(3);
  });

  it('moves each task that it finds nothing in to its next moment', async () => {
    const dataSourceId = await aDataSource(database, 1);
    const tasks = await concurrently(Array.from({ length: 8 }), 4, async () =>
      move(service, await aDraft(service, dataSourceId), 'publish'),
    );
    while ((await poll(start)).length > 0);
    const { measure } = meter(table.client);
    expect(await measure(() => poll(start))).toMatchObject({ wcu: 0, depth: 1 });
    // A resumed task is checked with the most urgent ones, once.
    const [resumed] = tasks;
    for (const operation of ['pause', 'resume'] as const) await move(service, resumed!, operation);
    expect(await poll(start)).toEqual([]);
    expect(await new Agenda(database).find(callsOf(resumed!))).toMatchObject({ level: resumed!.priority });
    for (const task of tasks) await stop(task);
  });

  it('checks a few idle tasks at a time, although all of them fell idle together', async () => {
    const own = await engines[0]!.open();
    const { pk: agenda } = keys.agendaEntry('calls', '', '');
    let postponed = 0;
    const counting = watchedBy(own, ({ name, written }) => {
      if (name === 'Update' && written.some(({ pk }) => pk.startsWith(agenda))) postponed++;
    });
    const idle = 400;
    await counting.putAll(sleepingTasks(counting, await aDataSource(counting, 0), idle, start));
    const checkedBy = async (now: number) => {
      postponed = 0;
      await leaseFrom(aService(counting), undefined, now);
      return postponed;
    };
    expect(await checkedBy(start)).toBe(idle);
    const checked = [];
    for (let at = 300; at <= 600; at += 10) checked.push(await checkedBy(start + at * second));
    expect(Math.max(...checked)).toBeLessThan(idle / 10);
    expect(checked.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(idle);
    // None waits longer than ten minutes.
    const latest = await counting.queryAll({
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk > :last',
      IndexName: tableDefinition.index.name,
      ExpressionAttributeValues: {
        ':pk': keys.dueLine('calls', 3),
        ':last': keys.dueSort(start + 10 * minute + 600 * second, ''),
      },
    });
    expect(latest).toEqual([]);
    await own.close();
  });
});

it('the tasks of a data source include those that are paused', async () => {
  const table = await engines[0]!.open();
  const service = aService(table.database);
  const task = await aRunningTask(table.database, service, { contactCount: 1 });
  const listed = async () =>
    (await new Agenda(table.database).listed('calls', task.dataSourceId)).map(({ id }) => id);
  for (const operation of ['pause', 'resume'] as const) {
    await move(service, task, operation, start);
    expect(await listed()).toEqual([task.id]);
  }
  await move(service, task, 'stop', start);
  expect(await listed()).toEqual([]);
  await table.close();
});

it('every due task is read, though a reading begins behind the tasks of the reading before', async () => {
  const { database, close } = await engines[0]!.open();
  const tasks = sleepingTasks(database, await aDataSource(database, 0), 3, start);
  await database.putAll(tasks);
  const due = new DueTasks(new Agenda(database), 2);
  const seen = [];
  for (let reading = 0; reading < 3; reading++) seen.push(await due.read(start, start + hour));
  expect(seen.map(({ entries, areAll }) => [entries.length, areAll])).toEqual([
    [2, false],
    [1, false],
    [2, false],
  ]);
  const whole = await new DueTasks(new Agenda(database), 4).read(start, start + hour);
  expect([whole.entries.length, whole.areAll]).toEqual([3, true]);
  await close();
});
