import { describe, expect, it, onTestFinished } from 'vitest';
import { buckets, serviceDay, serviceDayAnswer } from '../../../shared/calls/rules/timeline.ts';
import { minuteName, ServiceDays, TaskTimeline, talkName } from '../../../shared/calls/timeline.ts';
import type { Database } from '../../../shared/platform/table/database.ts';
import { keys } from '../../../shared/platform/table/keys.ts';
import { minuteMs } from '../../../shared/platform/time/time.ts';
import {
  aRunningTask,
  aService,
  hour,
  leaseFrom,
  newId,
  reportAll,
  start,
} from '../../support/dialing/dialing.ts';
import { engines } from '../../support/engines/engines.ts';
import { meter } from '../../support/engines/meter.ts';
import { atEveryCall } from '../../support/engines/overtaken.ts';

/** The day of `start`. */
const date = '2023-11-14';

const answerOf = async (database: Database, zone = 'UTC') => {
  const day = serviceDay(date, zone)!;
  return serviceDayAnswer(day, await new ServiceDays(database).read(day.from, day.until));
};

/** A task with so many minutes in a counter item that they move with the next result. */
const aFullCounter = async (database: Database, shard = 0, taskId = newId()) => {
  const times = Array.from({ length: 24 }, (_, i) => start - i * minuteMs);
  const counts = times.flatMap((at) => [
    [minuteName(at, 'failed'), 2],
    [minuteName(at, 'success'), 3],
    [talkName(at), 1.5],
  ]);
  const counter = { ...keys.taskCounter(taskId, shard), ...Object.fromEntries(counts) };
  await database.put(counter);
  await new ServiceDays(database).enter({ id: taskId, taskName: 'a task' }, undefined, start);
  return { taskId, counter, move: () => new TaskTimeline(database).gather(taskId, counter, start + hour) };
};

describe.each(engines)('the days of the service on $name', ({ open }) => {
  it('count each call once, whenever counts move while they are read', async () => {
    await atEveryCall({ open }, async ({ table, slow, overtake }) => {
      const { taskId, move } = await aFullCounter(table.database);
      const earlier = await aFullCounter(table.database, 1, taskId);
      await earlier.move();
      const expected = await answerOf(table.database);
      expect(expected.calls).toEqual({ total: 240, success: 144, failed: 96, noAnswer: 0, talkDuration: 6 });
      overtake(move);
      expect(await answerOf(slow)).toEqual(expected);
      await move();
      expect(await answerOf(table.database)).toEqual(expected);
    });
  });

  it('lose no call when a removal breaks off while it moves counts', async () => {
    await atEveryCall({ open }, async ({ table, slow, overtake }) => {
      const { taskId } = await aFullCounter(table.database);
      await aFullCounter(table.database, 1, taskId);
      const expected = await answerOf(table.database);
      expect(expected.calls.total).toBe(240);
      overtake(() => Promise.reject(new Error('the process is gone')));
      await new TaskTimeline(slow).gatherAll(taskId).catch(() => undefined);
      expect(await answerOf(table.database)).toEqual(expected);
      await new TaskTimeline(table.database).gatherAll(taskId);
      expect(await answerOf(table.database)).toEqual(expected);
      expect(await table.database.get(keys.taskCounter(taskId, 0))).toEqual(keys.taskCounter(taskId, 0));
    });
  });
});

it('a timeline shows 3 hours of minutes and 30 days of hours, and keeps the minutes that moved', async () => {
  const { database, close } = await engines[0]!.open();
  onTestFinished(close);
  const taskId = newId();
  await database.put({ ...keys.task(taskId) });
  const minutesAgo = [-1, 0, 179, 180, 719 * 60, 720 * 60];
  const counts = minutesAgo.map((ago) => [minuteName(start - ago * minuteMs, 'failed'), 1]);
  await database.put({ ...keys.taskCounter(taskId, 0), ...Object.fromEntries(counts) });
  const shown = async (bucket: 'minute' | 'hour') => {
    const rows = await new TaskTimeline(database).read(taskId, bucket, start);
    return rows!.map(({ time }) => Math.round((start - time) / minuteMs));
  };
  expect(await shown('minute')).toEqual([179, 0]);
  expect(await shown('hour')).toEqual([719 * 60 + 13, 180 + 13, 13]);
  const moved = await aFullCounter(database);
  await database.put(keys.task(moved.taskId));
  const timelines = () =>
    Promise.all(
      buckets.map((bucket) => new TaskTimeline(database).read(moved.taskId, bucket, start + minuteMs)),
    );
  const before = await timelines();
  expect(before.map((rows) => rows?.length)).toEqual([2, 24]);
  await moved.move();
  expect(await timelines()).toEqual(before);
  const kept = await database.get(keys.timelineHour(moved.taskId, Math.floor(start / hour) * hour));
  expect(kept?.ttl).toBeGreaterThan((start + 4 * hour) / 1000);
});

describe('the days of the service', () => {
  const aTable = async () => {
    const table = await engines[0]!.open();
    onTestFinished(table.close);
    return table;
  };

  it('have the calls of 0.3 by hour, without talk time', async () => {
    const { database } = await aTable();
    const taskId = newId();
    // 21:00 to 22:00 of UTC, which is 02:30 to 03:30 of the next day in Kolkata.
    await database.put({ ...keys.timelineDay(taskId, Date.parse(date)), p21s: 5, p21n: 2 });
    const dayBefore = Date.parse(date) - 24 * hour;
    await database.put({ ...keys.timelineDay(taskId, dayBefore), p9f: 1 });
    await database.put({ ...keys.taskCounter(taskId, 3), [minuteName(start, 'failed')]: 4 });
    // As 0.4 entered the tasks of 0.3 when it opened their data.
    for (const day of [dayBefore, Date.parse(date)])
      await database.put({ ...keys.dayOfTask(day, taskId), taskName: 'old' });
    expect(await new ServiceDays(database).read(dayBefore, dayBefore + hour)).toMatchObject([{ taskId }]);
    const { calls, hours, tasks } = await answerOf(database);
    expect(calls).toEqual({ total: 11, success: 5, failed: 4, noAnswer: 2, talkDuration: 0 });
    expect(tasks).toEqual([{ taskId, taskName: 'old', status: null, calls }]);
    expect(hours.filter(({ total }) => total > 0).map(({ hour, total }) => [hour, total])).toEqual([
      [21, 7],
      [22, 4],
    ]);
    const next = serviceDay('2023-11-15', 'Asia/Kolkata')!;
    const inKolkata = serviceDayAnswer(next, await new ServiceDays(database).read(next.from, next.until));
    expect(inKolkata.hours.filter(({ total }) => total > 0).map(({ hour, total }) => [hour, total])).toEqual([
      [2, 7],
      [3, 4],
    ]);
  });

  it('cost at most 5 read units for each task that called, and no write for each call', async () => {
    const table = await aTable();
    const { database } = table;
    const service = aService(database);
    const hours = { dailyStartTime: '00:00', dailyEndTime: '24:00', maxDialCount: 1 };
    const { measure } = meter(table.client);
    const written: number[] = [];
    for (let i = 0; i < 3; i++) {
      const task = await aRunningTask(database, service, { contactCount: 48, ...hours });
      for (let lease = 0; lease < 2; lease++) {
        const calls = await leaseFrom(service, task, start, { limit: 12 });
        const { wcu } = await measure(() => reportAll(service, calls, 'success', start, 30));
        written.push(wcu);
      }
    }
    // With the first call of a counter item the task is entered. The second time, calls cost
    // nothing more.
    const [first, second] = [written[0]!, written[1]!];
    expect(first - second).toBe(12);
    let total = 0;
    const { rcu } = await measure(async () => {
      total = (await answerOf(database)).calls.total;
    });
    expect(total).toBe(72);
    expect(rcu / 3).toBeLessThanOrEqual(5);
  });

  it('cost at most 5 read units for a task with calls of each outcome all day long', async () => {
    const table = await aTable();
    const { database } = table;
    const taskId = newId();
    for (let shard = 0; shard < 12; shard++) await aFullCounter(database, shard, taskId);
    const quarters = Array.from({ length: 96 }, (_, part) => part);
    const counts = quarters.flatMap((part) => [...'sfnd'].map((letter) => [`q${part}${letter}`, 1000]));
    await database.put({ ...keys.timelineDay(taskId, Date.parse(date)), ...Object.fromEntries(counts) });
    const { rcu } = await meter(table.client).measure(() => answerOf(database));
    expect(rcu).toBeLessThanOrEqual(5);
  });
});
