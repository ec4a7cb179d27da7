import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRuntime } from '../../../shared/app/runtime/runtime.ts';
import { doNotCall } from '../../../shared/contacts/rules.ts';
import type { TaskInsight } from '../../../shared/insight/task-insight.ts';
import { serviceSettings } from '../../../shared/platform/settings/index.ts';
import { Database, keys } from '../../../shared/platform/table/index.ts';
import type { Task } from '../../../shared/tasks/rules.ts';
import {
  aRunningTask,
  aService,
  leaseFrom,
  minute,
  newId,
  reportAll,
  start,
} from '../../support/dialing/dialing.ts';
import {
  aLongLife,
  aMonthOfCalls,
  lifeNow,
  monthOfHours,
  rare,
  rareOutcomes,
  underWay,
} from '../../support/dialing/long-life.ts';
import { engines, type OpenTable } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { directoryPages } from '../../support/engines/seed-contacts.ts';

const pageSize = 20;
const now = lifeNow;

describe('what seeing a task of a million contacts costs with 100 calls under way', () => {
  let table: OpenTable;
  let insight: TaskInsight;
  let taskId: string;
  let dataSourceId: string;
  let measure: ReturnType<typeof meter>['measure'];

  beforeAll(async () => {
    table = await engines[0]!.open();
    const { database } = table;
    ({ id: taskId, dataSourceId } = await aLongLife(database));
    ({ insight } = createRuntime(serviceSettings({}), database));
    ({ measure } = meter(table.client));
  });
  afterAll(() => table.close());

  it('is at most 12 read units for an overview', async () => {
    const { standings } = await insight.overview(taskId, now);
    expect(standings).toMatchObject({ inCall: underWay, waiting: underWay + rare });
    const { rcu } = await measure(() => insight.overview(taskId, now));
    expect(rcu).toBeLessThanOrEqual(12);
    await table.database.put({ ...keys.fieldNames(dataSourceId), names: new Set(['timeZone']) });
    const byZones = await measure(() => insight.overview(taskId, now));
    expect([byZones.rcu > rcu, byZones.rcu <= 12]).toEqual([true, true]);
  });

  it.each(['all', 'inCall', 'notDialed'] as const)(
    'is at most 26 read units for a page of contacts that are %s, anywhere',
    async (outcome) => {
      for (const pageToken of ['0', '150', '320']) {
        const query = { outcome, pageSize, pageToken };
        const { rcu } = await measure(() => insight.contacts(taskId, query, now));
        expect(rcu, pageToken).toBeLessThanOrEqual(26);
      }
    },
  );

  it.each(rareOutcomes)('is at most 26 read units for each page of contacts that are %s', async (outcome) => {
    const expected = outcome === 'waiting' ? underWay + rare : rare;
    const seqs: number[] = [];
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      let page: Awaited<ReturnType<TaskInsight['contacts']>> | undefined;
      const { rcu } = await measure(async () => {
        page = await insight.contacts(taskId, { outcome, pageSize, pageToken: pageToken ?? undefined }, now);
      });
      expect(rcu).toBeLessThanOrEqual(26);
      const { total, rows, nextPageToken } = page!;
      expect(total).toBe(expected);
      // Of contacts that wait, with 100 calls to be read too, fewer are shown where they are far from each other.
      const least = outcome === 'waiting' ? 14 : pageSize;
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(least, expected - seqs.length));
      seqs.push(...rows.map(({ contact }) => contact.seq));
      pageToken = nextPageToken;
    }
    expect(new Set(seqs).size).toBe(expected);
  });

  it('is at most 20 read units for a timeline of 30 days with calls in every hour', async () => {
    const id = newId();
    await table.database.put(keys.task(id));
    await aMonthOfCalls(table.database, id);
    let rows: Awaited<ReturnType<TaskInsight['timeline']>> = [];
    const { rcu } = await measure(async () => {
      rows = await insight.timeline(id, 'hour', now);
    });
    expect([rows.length, rows[0], rcu <= 20]).toEqual([
      monthOfHours,
      expect.objectContaining({ success: 1000, failed: 1000, noAnswer: 1000 }),
      true,
    ]);
  });

  it('is 2.5 read units for each of several overviews with a few calls under way and others that wait', async () => {
    const service = aService(table.database);
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) {
      const hours = { dailyStartTime: '00:00', dailyEndTime: '23:59' };
      const task = await aRunningTask(table.database, service, { contactCount: 60, ...hours });
      await reportAll(service, await leaseFrom(service, task, start, { limit: 10 }), 'failed', start);
      await leaseFrom(service, task, now, { limit: 5 });
      ids.push(task.id);
    }
    let rows: Awaited<ReturnType<TaskInsight['overviews']>> = [];
    const { rcu } = await measure(async () => {
      rows = await insight.overviews(ids, now);
    });
    expect(rows.map(({ standings }) => standings.inCall)).toEqual(ids.map(() => 5));
    // When a dialer asked for calls of any task is read once for all.
    expect(rcu).toBe(2.5 * ids.length + 0.5);
  });

  it('is a second read where a task was added a moment ago, and its items do not show yet', async () => {
    const { client, database, tableName } = table;
    const service = aService(database);
    const tasks = [await aRunningTask(database, service), await aRunningTask(database, service)];
    const ids = tasks.map(({ id }) => id);
    const isLagging = (command: object) =>
      command instanceof QueryCommand && command.input.ConsistentRead !== true;
    const send = async (command: never) => (isLagging(command) ? { Items: [] } : client.send(command));
    const behind = createRuntime(serviceSettings({}), new Database({ send } as never, tableName)).insight;
    for (const some of [ids, ids.slice(1)])
      expect((await behind.overviews(some, start)).map(({ task }) => task.id)).toEqual(some);
  });

  it('is at most 20 read units for an overview of a task behind five others, 5 for each of several', async () => {
    const { database } = table;
    const service = aService(database);
    const later = now + minute;
    const hours = { dailyStartTime: '00:00', dailyEndTime: '24:00' };
    const tasks: Task[] = [];
    for (let i = 0; i < 15; i++) {
      // Before the tasks of the other tests, one of which has a hundred calls in progress.
      const priority = i < 5 ? 1 + (i % 2) : 5;
      const settings = { contactCount: 60, priority, callInterval: 0, ...hours };
      const task = await aRunningTask(database, service, settings);
      await reportAll(service, await leaseFrom(service, task, start, { limit: 10 }), 'failed', start);
      tasks.push(task);
    }
    await service.dialer.leases.lease({ limit: 1, leaseSeconds: 60 }, later);
    const behind = tasks.slice(5).map(({ id }) => id);
    let rows: Awaited<ReturnType<TaskInsight['overviews']>> = [];
    const seeing = async (ids: string[]) => {
      const { rcu } = await measure(async () => {
        rows = await insight.overviews(ids, later);
      });
      expect(rows.map((row) => row.behind?.length)).toEqual(ids.map(() => 5));
      return rcu;
    };
    expect(await seeing(behind.slice(0, 1))).toBeLessThanOrEqual(20);
    expect((await seeing(behind)) / behind.length).toBeLessThanOrEqual(5);
  });

  it('is at most 60 read units for a page of contacts to be called, with a million numbers not to call and a daily limit', async () => {
    const { database } = table;
    for (const page of directoryPages(doNotCall.id, 1_000_000)) await database.put(page);
    const limited = createRuntime({ ...serviceSettings({}), maxCallsPerNumberPerDay: 1 }, database).insight;
    for (const outcome of ['waiting', 'notDialed'] as const) {
      const reading = (from: TaskInsight) => measure(() => from.contacts(taskId, { outcome, pageSize }, now));
      const [plain, { rcu }] = [await reading(insight), await reading(limited)];
      expect([rcu > plain.rcu, rcu <= 60], `${rcu} ${plain.rcu}`).toEqual([true, true]);
    }
  });
});
