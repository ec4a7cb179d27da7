import { describe, expect, it, onTestFinished } from 'vitest';
import { doDueWork } from '../../../../functions/events/do-due-work.ts';
import { status } from '../../../../shared/domain/tasks/task-states.ts';
import { createRuntime } from '../../../../shared/runtime/runtime.ts';
import { withWebhooks } from '../../../../shared/runtime/webhooks.ts';
import { serviceSettings } from '../../../../shared/settings/environment.ts';
import { Agenda, callsOf, type WorkerKind } from '../../../../shared/store/agenda/index.ts';
import { migrate } from '../../../../shared/store/migrations/index.ts';
import { openStores } from '../../../../shared/store/stores.ts';
import { tablePages } from '../../../../shared/store/table/copy-table.ts';
import { type Database, type Item, keys, setUpTable } from '../../../../shared/store/table/index.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  minute,
  move,
  start,
} from '../../../support/dialing/dialing.ts';
import { engines, type OpenTable } from '../../../support/engines/engines.ts';
import { overtaken } from '../../../support/engines/overtaken.ts';
import { goneAfter } from '../../../support/service/crash-point.ts';

const oldLists = /^(RUNNING#|PAUSED#|ENDING|ADJUSTED|IMPORTS|ERASURES|REMOVALS|ROSTER)/;

const itemsOf = async ({ sdk, tableName }: OpenTable): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const page of tablePages(sdk, tableName)) items.push(...page.items);
  return items;
};
const isOld = ({ pk, sk }: Item) => oldLists.test(pk) || sk === 'CALLBACKS';

const aTable = async () => {
  const table = await engines[0]!.open();
  onTestFinished(table.close);
  await setUpTable(table.database);
  return table;
};

/** The lists as 0.3 kept them, which had no days of the service: a running and a paused task with callbacks, and one piece of each other work. */
const asIn03 = async (table: OpenTable) => {
  const { database } = table;
  const service = aService(database);
  const tasks = [];
  for (const priority of [2, 4]) {
    const task = await aRunningTask(database, service, {
      ...{ contactCount: 3, priority, callInterval: 60, callUntil: '2030-01-01 00:00' },
    });
    const [first] = await leaseFrom(service, task, start, { limit: 1 });
    const result = { callId: first!.callId, outcome: 'failed' as const, duration: 0 };
    await service.dialer.result({ ...result, callbackTime: start + hour }, start);
    tasks.push(task);
  }
  const [running, paused] = tasks as [(typeof tasks)[0], (typeof tasks)[0]];
  await move(service, paused, 'pause');
  const items = await itemsOf(table);
  await database.deleteAll(items.filter(({ pk }) => /^(AGENDA|DAY)#/.test(pk)));
  // As 0.2 wrote it, without the data source.
  const { source: _, ...header } = items.find(({ pk, id }) => pk === keys.list('task') && id === paused.id)!;
  await database.put(header as Item);
  const roster = (priority: number) => ({ gsi1pk: `ROSTER#${priority}`, gsi1sk: `${start}#x`, v: 1 });
  await database.putAll([
    { pk: `RUNNING#${running.dataSourceId}`, sk: running.id, ...roster(2) },
    { pk: `PAUSED#${paused.dataSourceId}`, sk: paused.id },
    { pk: keys.task(running.id).pk, sk: 'CALLBACKS', ...roster(0) },
    { pk: keys.task(paused.id).pk, sk: 'CALLBACKS', v: 1 },
    { pk: 'ENDING', sk: `2030-01-01 00:00#${running.id}` },
    { pk: 'ADJUSTED', sk: running.id, v: start },
    { pk: 'IMPORTS', sk: 'import', dataSourceId: running.dataSourceId, ttl: 9 },
    {
      pk: 'ERASURES',
      sk: 'erasure',
      contacts: [{ dataSourceId: running.dataSourceId, seq: 2 }],
      time: start,
    },
    { pk: 'REMOVALS', sk: 'task#gone', time: start, dataSourceId: running.dataSourceId },
    { pk: 'REMOVALS', sk: 'dataSource#gone', time: start, end: 7 },
    { pk: 'ROSTER', sk: 'ASKED', at: start },
  ]);
  await database.update(keys.format, {
    UpdateExpression: 'SET #format = :two',
    ExpressionAttributeNames: { '#format': 'format' },
    ExpressionAttributeValues: { ':two': 2 },
  });
  return { service, running, paused };
};

/** What is on the agenda, without the tokens. */
const workIn = async (database: Database) => {
  const agenda = new Agenda(database);
  const kinds: WorkerKind[] = ['end', 'deferred', 'import', 'erasure', 'removal'];
  const entries = (await Promise.all(kinds.map((kind) => agenda.listed(kind)))).flat();
  return entries.map(({ kind, id, due, notes }) => {
    const { pk: _pk, sk: _sk, gsi1pk: _line, gsi1sk: _sort, v: _v, ...rest } = notes;
    return { kind, id, due, ...rest };
  });
};

describe('data of 0.3', () => {
  it('is migrated to the same agenda however often the migration breaks off', async () => {
    let calls = 0;
    for (let isWhole = false; !isWhole; calls += 3) {
      const table = await aTable();
      const { running, paused } = await asIn03(table);
      const { restore } = goneAfter(table.client as never, calls, new Error('the process is gone'));
      isWhole = await migrate(table.database).then(
        () => true,
        () => false,
      );
      restore();
      await migrate(table.database);
      expect((await itemsOf(table)).filter(isOld)).toEqual([]);
      const { dataSourceId } = running;
      // Wherever its contacts are.
      const due = Date.UTC(2029, 11, 31, 10);
      expect(await workIn(table.database)).toEqual([
        ...[running.id, paused.id].sort().map((id) => ({ kind: 'end', id, due })),
        { kind: 'deferred', id: running.id, due: 0, time: start },
        { kind: 'import', id: 'import', due: 0, dataSourceId },
        { kind: 'erasure', id: 'erasure', due: 0, contacts: [{ dataSourceId, seq: 2 }] },
        { kind: 'removal', id: 'dataSource#gone', due: start + 10 * minute, end: 7 },
        { kind: 'removal', id: 'task#gone', due: start + 10 * minute, dataSourceId },
      ]);
      const days = await openStores(table.database).days.read(start, start + hour);
      expect(new Set(days.map(({ taskId }) => taskId))).toEqual(new Set([running.id, paused.id]));
      const service = aService(table.database);
      const calledAt = async (now: number) =>
        (await leaseFrom(service, undefined, now)).map(({ taskId, attempt }) => [taskId, attempt]);
      // The callback comes first.
      const expected = [2, 1, 1].map((attempt) => [running.id, attempt]);
      expect(await calledAt(start + hour)).toEqual(expected);
      await move(service, paused, 'resume');
      expect(await calledAt(start + hour)).toEqual([2, 1, 1].map((attempt) => [paused.id, attempt]));
    }
    expect(calls).toBeGreaterThan(20);
  });

  it('brings no task back that is deleted just before its header is completed', async () => {
    const table = await aTable();
    await asIn03(table);
    const isHeader = ({ pk }: Item) => pk === keys.list('task');
    const header = (await itemsOf(table)).find((item) => isHeader(item) && item.id && !item.source)!;
    const { database, isOvertaken } = overtaken(
      table,
      ({ name, written }) => name === 'Update' && written[0]?.sk === header.sk,
      () => table.database.delete({ pk: header.pk, sk: header.sk }),
    );
    await migrate(database);
    expect(isOvertaken()).toBe(true);
    expect((await itemsOf(table)).filter((item) => isHeader(item) && item.sk === header.sk)).toEqual([]);
  });

  it('publishes no erasure that has not ended', async () => {
    const table = await aTable();
    await asIn03(table);
    const written: Item[] = [];
    const { database } = table;
    const remove = database.delete.bind(database);
    database.delete = async (key, condition) => {
      const item = await database.get(key);
      if (item?.pk === 'ERASURES') written.push(item);
      return remove(key, condition);
    };
    await migrate(database);
    expect(written).toEqual([{ pk: 'ERASURES', sk: 'erasure', cleared: true }]);
  });

  it('is dialed while functions of both releases run, before it is migrated', async () => {
    const table = await aTable();
    const { database } = table;
    const { service, running, paused } = await asIn03(table);
    const runtime = createRuntime({ ...serviceSettings({}), now: () => start + hour }, database);
    const everyMinute = () =>
      doDueWork({ ...withWebhooks(runtime), wakes: { wake: async () => {} } })(undefined, {
        getRemainingTimeInMillis: () => 60_000,
      });
    const calledTasks = async (now: number) => [
      ...new Set((await leaseFrom(service, undefined, now)).map(({ taskId }) => taskId)),
    ];
    await everyMinute();
    expect(await calledTasks(start + hour)).toEqual([running.id]);
    // A function of 0.3 resumes a task: it changes the record and its own lists, and knows of no agenda.
    const resume = {
      UpdateExpression: 'SET #status = :running',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':running': status.running },
    };
    await database.update(keys.task(paused.id), resume);
    const header = (
      await database.queryAll({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keys.list('task') },
      })
    ).find(({ id }) => id === paused.id)!;
    await database.update({ pk: header.pk, sk: header.sk }, resume);
    expect(await calledTasks(start + hour + minute)).toEqual([]);
    await everyMinute();
    expect(await calledTasks(start + hour + minute)).toEqual([paused.id]);
    // A function of 0.3 stops a task. The next lease request takes it off the line.
    await database.update(keys.task(running.id), {
      ...resume,
      ExpressionAttributeValues: { ':running': status.stopped },
    });
    await leaseFrom(service, undefined, start + 3 * hour);
    expect((await new Agenda(database).find(callsOf(running)))?.due).toBe(Number.POSITIVE_INFINITY);
    await migrate(database);
    expect((await itemsOf(table)).filter(isOld)).toEqual([]);
  });
});
