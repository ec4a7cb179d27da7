import { describe, expect, it } from 'vitest';
import type { TaskOverview } from '../../client/answers.ts';
import { callsPerMinute, paceOf } from '../../console/src/parts/tasks/pace.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-11-16T10:00:30Z');
/** Calls that ended so many minutes ago. */
const minute = (ago: number, success: number, failed = 0) => ({
  time: Date.parse('2026-11-16T10:00:00Z') - ago * minuteMs,
  success,
  failed,
  noAnswer: 0,
});

describe('calls a minute', () => {
  it('are those of the last five whole minutes', () => {
    const rows = [minute(9, 100), minute(5, 10), minute(3, 5, 5), minute(1, 20), minute(0, 500)];
    expect(callsPerMinute(rows, now)).toBe(8);
  });

  it('are those since the first call where that is less than five minutes ago', () => {
    expect(callsPerMinute([minute(2, 10), minute(1, 20)], now)).toBe(15);
  });

  it('are unknown before the first whole minute, and none once calls have ceased', () => {
    expect(callsPerMinute([], now)).toBeUndefined();
    expect(callsPerMinute([minute(0, 5)], now)).toBeUndefined();
    expect(callsPerMinute([minute(60, 5)], now)).toBe(0);
  });
});

describe('the expected end', () => {
  const task = (contacts: object, calls: number, active = true) =>
    ({
      contacts: { reached: 0, failed: 0, noAnswer: 0, notDialed: 0, waiting: 0, inCall: 0, ...contacts },
      calls: { total: calls },
      dialing: { active },
      dailyStartTime: '00:00',
      dailyEndTime: '24:00',
      timeZone: 'UTC',
    }) as unknown as TaskOverview;
  const rows = [minute(5, 10), minute(4, 10), minute(3, 10), minute(2, 10), minute(1, 10)];

  it('counts as many calls for each contact that is left as the others took', () => {
    const pace = paceOf(task({ reached: 20, failed: 5, notDialed: 40, waiting: 10 }, 50), rows, now);
    expect(pace).toEqual({ perMinute: 10, end: now + 10 * minuteMs });
  });

  it('is unknown while no contact is settled, or nothing is called', () => {
    expect(paceOf(task({ notDialed: 40 }, 50), rows, now)?.end).toBeUndefined();
    expect(paceOf(task({ reached: 20, notDialed: 40 }, 50, false), rows, now)?.end).toBeUndefined();
  });
});
