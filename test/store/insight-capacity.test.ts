import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcomes } from '../../shared/domain/dialing.ts';
import type { Task } from '../../shared/domain/task.ts';
import { newTaskContact } from '../../shared/domain/task-contact.ts';
import { createRuntime } from '../../shared/runtime/core.ts';
import { serviceSettings } from '../../shared/runtime/environment.ts';
import { createInsightRuntime } from '../../shared/runtime/insight.ts';
import { itemOf, nextDialState, readDialState } from '../../shared/store/dialing/dialing-items.ts';
import { countMoves, type Move } from '../../shared/store/dialing/task-counters.ts';
import { keys } from '../../shared/store/keys.ts';
import type { TaskInsight } from '../../shared/store/task-insight.ts';
import { minuteName, TaskTimeline } from '../../shared/store/task-timeline.ts';
import {
  aDraft,
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  move,
  newId,
  reportAll,
  second,
  start,
} from '../support/dialing.ts';
import { engines, type OpenTable } from '../support/engines.ts';
import { meter } from '../support/meter.ts';
import { seedSparsely } from '../support/seed-contacts.ts';

const contactCount = 1_000_000;
const underWay = 100;
const pageSize = 20;
/** Of each outcome, far from each other. */
const rare = 30;
const rareOutcomes = ['success', 'failed', 'noAnswer', 'blocked', 'waiting'] as const;
const rareSeq = (i: number) => 1000 + i * 5001;

/** As a long life of the task would have left them; those who wait are due last. */
const scattered = (task: Task): Move[] =>
  rareOutcomes.flatMap((outcome, kind) =>
    Array.from({ length: rare }, (_, i): Move => {
      const seq = rareSeq(i * rareOutcomes.length + kind);
      const contact = { ...newTaskContact(task, seq, start + 2 * hour + i), lastCallTime: start + i };
      if (outcome === 'waiting') return { before: undefined, after: contact };
      if (outcome === 'blocked') return { before: undefined, after: { ...contact, state: outcome } };
      return { before: undefined, after: { ...contact, state: 'final', outcome, recallNumber: 0 } };
    }),
  );

describe('what seeing a task of a million contacts costs with 100 calls under way', () => {
  let table: OpenTable;
  let insight: TaskInsight;
  let taskId: string;
  let dataSourceId: string;
  let measure: ReturnType<typeof meter>['measure'];
  const now = start + 60 * second;

  beforeAll(async () => {
    table = await engines[0]!.open();
    const service = aService(table.database);
    dataSourceId = newId();
    await seedSparsely(table.database, dataSourceId, contactCount, [
      ...Array.from({ length: 400 }, (_, seq) => seq),
      ...Array.from({ length: rare * rareOutcomes.length }, (_, i) => rareSeq(i)),
    ]);
    const task = await aDraft(service, dataSourceId, { callInterval: 3600, dailyEndTime: '23:59' });
    taskId = task.id;
    await move(service, task, 'publish');
    await reportAll(service, await leaseFrom(service, task, start, { limit: 100 }), 'failed', start);
    await leaseFrom(service, task, now, { limit: underWay });
    const { database } = table;
    const moves = scattered(task);
    await database.putAll(moves.map(({ after }) => itemOf(after)));
    await database.transact(countMoves(database, moves));
    const dial = await readDialState(database, taskId);
    await database.put(
      ...nextDialState({ ...dial, claimed: dial.claimed + moves.length, ahead: moves.length }),
    );
    ({ insight } = createInsightRuntime(createRuntime({ database, ...serviceSettings({}) }), database));
    ({ measure } = meter(table.client));
  });
  afterAll(() => table.close());

  it('is at most 12 read units for an overview', async () => {
    const { standing } = await insight.overview(taskId, now);
    expect(standing).toMatchObject({ inCall: underWay, waiting: underWay + rare });
    const { rcu } = await measure(() => insight.overview(taskId, now));
    expect(rcu).toBeLessThanOrEqual(12);
    await table.database.put({ ...keys.fieldNames(dataSourceId), names: new Set(['timeZone']) });
    const byZones = await measure(() => insight.overview(taskId, now));
    expect([byZones.rcu > rcu, byZones.rcu <= 12]).toEqual([true, true]);
  });

  it.each(['all', 'inCall', 'notDialed'] as const)(
    'is at most 25 read units for a page of those who are %s, anywhere',
    async (outcome) => {
      for (const pageToken of ['0', '150', '320']) {
        const query = { outcome, pageSize, pageToken };
        const { rcu } = await measure(() => insight.contacts(taskId, query, now));
        expect(rcu, pageToken).toBeLessThanOrEqual(25);
      }
    },
  );

  it.each(rareOutcomes)('is at most 25 read units for each page of those who are %s', async (outcome) => {
    const expected = outcome === 'waiting' ? underWay + rare : rare;
    const seqs: number[] = [];
    for (let pageToken: string | null | undefined; pageToken !== null; ) {
      let page: Awaited<ReturnType<TaskInsight['contacts']>> | undefined;
      const { rcu } = await measure(async () => {
        page = await insight.contacts(taskId, { outcome, pageSize, pageToken: pageToken ?? undefined }, now);
      });
      expect(rcu).toBeLessThanOrEqual(25);
      const { total, rows, nextPageToken } = page!;
      expect(total).toBe(expected);
      // Of those who wait, with 100 calls to be read too, fewer are shown where they are far from each other.
      const least = outcome === 'waiting' ? 14 : pageSize;
      expect(rows.length).toBeGreaterThanOrEqual(Math.min(least, expected - seqs.length));
      seqs.push(...rows.map(({ contact }) => contact.seq));
      pageToken = nextPageToken;
    }
    expect(new Set(seqs).size).toBe(expected);
  });

  it('is at most 20 read units for a timeline of 30 days with calls in every hour', async () => {
    const { database } = table;
    const id = newId();
    const timeline = new TaskTimeline(database);
    const month = 30 * 24;
    const hours = Array.from({ length: month }, (_, i) => now - i * hour);
    const gathered = (times: readonly number[]) =>
      Object.fromEntries(
        times.flatMap((at) => outcomes.map((outcome): [string, number] => [minuteName(at, outcome), 1000])),
      );
    for (let at = 0; at < month; at += 24) {
      const counter = { ...keys.taskCounter(id, 0), ...gathered(hours.slice(at, at + 24)) };
      await database.put(counter);
      await timeline.gather(id, counter, now + hour);
    }
    // As much again as counter items may hold before it is moved to the days.
    const latest = Array.from({ length: 7 }, (_, i) => now - i * 60_000);
    for (let shard = 0; shard < 12; shard++)
      await database.put({ ...keys.taskCounter(id, shard), ...gathered(latest) });
    let rows: Awaited<ReturnType<TaskInsight['timeline']>> = [];
    const { rcu } = await measure(async () => {
      rows = await insight.timeline({ id } as Task, 'hour', now);
    });
    expect([rows.length, rows[0], rcu <= 20]).toEqual([
      month,
      expect.objectContaining({ success: 1000, failed: 1000, noAnswer: 1000 }),
      true,
    ]);
  });

  it('is at most 5 read units for each of several overviews, with a few calls under way', async () => {
    const service = aService(table.database);
    const ids: string[] = [];
    for (let i = 0; i < 10; i++) {
      const task = await aRunningTask(table.database, service, { contactCount: 60 });
      await reportAll(service, await leaseFrom(service, task, start, { limit: 10 }), 'success', start);
      await leaseFrom(service, task, now, { limit: 5 });
      ids.push(task.id);
    }
    let rows: Awaited<ReturnType<TaskInsight['overviews']>> = [];
    const { rcu } = await measure(async () => {
      rows = await insight.overviews(ids, now);
    });
    expect(rows.map(({ standing }) => standing.inCall)).toEqual(ids.map(() => 5));
    expect(rcu / ids.length).toBeLessThanOrEqual(5);
  });
});
