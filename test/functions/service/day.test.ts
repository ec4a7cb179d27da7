import { describe, expect, it } from 'vitest';
import { keys } from '../../../shared/platform/table/keys.ts';
import { timeIn } from '../../../shared/platform/time/zones.ts';
import { useDialing } from '../../support/dialing/dialing-api.ts';
import { engines } from '../../support/engines/engines.ts';
import { expectError, succeeded } from '../../support/service/api.ts';
import { quietSeconds, sweepRemovals } from '../../support/service/removal.ts';

type Calls = { total: number; success: number; failed: number; noAnswer: number };
type Day = {
  date: string;
  calls: Calls & { talkDuration: number };
  hours: (Calls & { hour: number })[];
  tasks: object[];
};

const none = { total: 0, success: 0, failed: 0, noAnswer: 0 };

describe.each(engines)('the day of the service on $name', (engine) => {
  const atOnce = { callInterval: 0, maxDialCount: 10 };

  /** `offsetMinutes`: of the zone, from UTC. */
  const aServiceIn = (timeZone: string, offsetMinutes: number) => {
    const { clock, api, dialing } = useDialing({ engine, timeZone });
    return {
      ...{ clock, api, dialing },
      dayOf: async (date?: string) =>
        succeeded(await api.get('/api/service/day', date === undefined ? {} : { date })) as unknown as Day,
      /** By the clock of the service. */
      setClock: (date: string, time: string) => {
        clock.time = Date.parse(`${date}T${time}Z`) - offsetMinutes * 60_000;
      },
      call: async (taskId: string, limit: number, outcome: string, duration: number) => {
        for (const { callId } of await dialing.lease({ taskId, limit }))
          await dialing.report(callId, outcome, duration);
      },
    };
  };

  describe.each([
    ['Asia/Kolkata', 330],
    ['America/St_Johns', -150],
  ])('in %s', (timeZone, offsetMinutes) => {
    const { dialing, dayOf, setClock, call } = aServiceIn(timeZone, offsetMinutes);

    it('has each call in its day and hour, at every minute round midnight and the hour', async () => {
      const { id } = await dialing.aRunningTask(1, atOnce);
      for (const [date, time, outcome] of [
        ['2026-05-10', '23:59:59', 'failed'],
        ['2026-05-11', '00:00:00', 'noAnswer'],
        ['2026-05-11', '00:59:59', 'failed'],
        ['2026-05-11', '01:00:00', 'failed'],
        ['2026-05-11', '23:59:59', 'noAnswer'],
        ['2026-05-12', '00:00:00', 'success'],
      ] as const) {
        setClock(date, time);
        await call(id, 1, outcome, 2.5);
      }
      const day = await dayOf('2026-05-11');
      expect(day.calls).toEqual({ total: 4, success: 0, failed: 2, noAnswer: 2, talkDuration: 0 });
      const called = day.hours.filter(({ total }) => total > 0);
      expect(day.hours).toHaveLength(24);
      expect(called).toEqual([
        { hour: 0, ...none, total: 2, failed: 1, noAnswer: 1 },
        { hour: 1, ...none, total: 1, failed: 1 },
        { hour: 23, ...none, total: 1, noAnswer: 1 },
      ]);
      expect((await dayOf('2026-05-10')).calls).toMatchObject({ total: 1, failed: 1 });
      const today = await dayOf();
      expect(today).toMatchObject({ date: '2026-05-12', calls: { total: 1, success: 1, talkDuration: 2.5 } });
      expect(await dayOf('2026-05-12')).toEqual(today);
    });
  });

  describe('in Asia/Kathmandu', () => {
    const { clock, api, dialing, dayOf, setClock, call } = aServiceIn('Asia/Kathmandu', 345);

    it('keeps each call where it is as counts move and the task ends, is closed, deleted and removed', async () => {
      setClock('2026-06-01', '08:40:00');
      const minutes = 28;
      const { id, taskName } = await dialing.aRunningTask(12 * minutes, { maxDialCount: 1 });
      const { id: otherId } = await dialing.aRunningTask(1, atOnce);
      // A call in each counter item every minute, so that counts move to the days several times.
      const expected = { total: 12 * minutes, success: 0, failed: 0, noAnswer: 0, talkDuration: 0 };
      const expectedHours = Array<number>(24).fill(0);
      for (let minute = 0; minute < minutes; minute++) {
        const outcome = (['success', 'failed', 'noAnswer'] as const)[minute % 3]!;
        await call(id, 12, outcome, 7.25);
        expected[outcome] += 12;
        expectedHours[Number(timeIn('Asia/Kathmandu')(clock.time).slice(11, 13))]! += 12;
        clock.advance(minute === 14 ? 3600 : 61);
      }
      expected.talkDuration = 7.25 * expected.success;
      await call(otherId, 1, 'failed', 1);
      succeeded(await dialing.operate('pause', otherId));
      const items = await api.database.queryAll({
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :days)',
        ExpressionAttributeValues: { ':pk': keys.timeline(id), ':days': keys.timelineDays },
      });
      expect(items.length, 'days to which counts have moved').toBeGreaterThan(0);
      const day = await dayOf();
      const row = { taskId: id, taskName, status: 4, calls: expected };
      expect(day.tasks[0]).toEqual(row);
      expect(day.tasks[1]).toMatchObject({
        taskId: otherId,
        status: 2,
        calls: { total: 1, talkDuration: 0 },
      });
      expect(day.calls.total).toBe(expected.total + 1);
      expectedHours[10]! += 1;
      expect(day.hours.map(({ total }) => total)).toEqual(expectedHours);

      succeeded(await dialing.operate('close', id));
      expect((await dayOf()).tasks[0]).toEqual({ ...row, status: 6 });
      succeeded(await dialing.operate('delete', id));
      const deleted = { ...day, tasks: [{ ...row, status: null }, day.tasks[1]] };
      expect(await dayOf('2026-06-01')).toEqual(deleted);
      clock.advance(quietSeconds);
      await sweepRemovals(api, clock.now);
      expect(await api.database.get(keys.taskCounter(id, 0)), 'the task was removed').toBeUndefined();
      expect(await dayOf('2026-06-01')).toEqual(deleted);
    });
  });

  describe('in Europe/Berlin', () => {
    const { clock, api, dialing } = useDialing({ engine, timeZone: 'Europe/Berlin' });

    it('has 23 or 25 hours where the clock changes, and a call in the hour in which it ended', async () => {
      const { id } = await dialing.aRunningTask(1, {
        ...atOnce,
        dailyStartTime: '00:00',
        dailyEndTime: '24:00',
      });
      // Two o'clock comes twice.
      for (const time of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T01:40:00Z']) {
        clock.time = Date.parse(time);
        const { callId } = await dialing.leaseOne({ taskId: id });
        await dialing.report(callId, 'failed');
      }
      const { hours } = succeeded(await api.get('/api/service/day')) as unknown as Day;
      expect(hours.slice(1, 5)).toEqual([
        { hour: 1, ...none },
        { hour: 2, ...none, total: 1, failed: 1 },
        { hour: 2, ...none, total: 2, failed: 2 },
        { hour: 3, ...none },
      ]);
      expect(hours).toHaveLength(25);
      expect(succeeded(await api.get('/api/service/day', { date: '2026-03-29' })).hours).toHaveLength(23);
    });

    it('refuses what is no date, and names a day without calls', async () => {
      for (const date of ['2026-02-30', '2026-5-4', 'today', '0000-01-01'])
        expectError(await api.get('/api/service/day', { date }), 400, /date/);
      const { calls, tasks } = succeeded(await api.get('/api/service/day', { date: '2025-01-01' }));
      expect([calls, tasks]).toEqual([{ ...none, talkDuration: 0 }, []]);
    });
  });
});
