import { describe, expect, it } from 'vitest';
import type { TaskOverview } from '../../client/answers.ts';
import { callsPerMinute, forecastOf } from '../../console/src/parts/tasks/forecast.ts';

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
  it('are those of the last five whole minutes and of the running one by its share', () => {
    const rows = [minute(9, 100), minute(5, 10), minute(3, 5, 5), minute(1, 20), minute(0, 4)];
    expect(callsPerMinute(rows, now)).toBe(44 / 5.5);
  });

  it('are 5 at 5 a minute, at any second of the minute', () => {
    const rows = [5, 4, 3, 2, 1].map((ago) => minute(ago, 5));
    for (const [second, running] of [
      [0, 0],
      [12, 1],
      [24, 2],
      [48, 4],
    ] as const) {
      const at = Date.parse('2026-11-16T10:00:00Z') + second * 1000;
      expect(callsPerMinute([...rows, minute(0, running)], at)).toBe(5);
    }
  });

  it('are those since the start where that is less than five minutes ago', () => {
    const started = now - 2 * minuteMs;
    expect(callsPerMinute([minute(2, 5), minute(1, 20), minute(0, 5)], now, started)).toBe(15);
  });

  it('are unknown before a minute has passed, and none once calls have ceased', () => {
    expect(callsPerMinute([], now)).toBeUndefined();
    expect(callsPerMinute([minute(0, 5)], now)).toBeUndefined();
    expect(callsPerMinute([minute(60, 5)], now)).toBe(0);
  });
});

describe('the expected end', () => {
  const ended = { total: 50, success: 50, duration: 500, byReason: {} };
  const task = (contacts: object, more: object = {}) =>
    ({
      contacts: {
        ...{ reached: 0, failed: 0, noAnswer: 0, notDialed: 0, waiting: 0, inCall: 0, callbacks: 0 },
        ...contacts,
      },
      calls: ended,
      dialing: { active: true },
      dailyStartTime: '00:00',
      dailyEndTime: '24:00',
      timeZone: 'UTC',
      callUntil: null,
      callsPerMinute: null,
      maxConcurrentCalls: null,
      callInterval: 600,
      maxDialCount: 3,
      retryRules: [],
      ...more,
    }) as unknown as TaskOverview;
  /** 10 calls a minute. */
  const rows = [5, 4, 3, 2, 1].map((ago) => minute(ago, 10)).concat(minute(0, 5));
  const half = { reached: 20, failed: 5, notDialed: 40, waiting: 10 };
  const minutesTo = (shown: TaskOverview) => {
    const end = forecastOf(shown, rows, now)?.end;
    return end === undefined ? undefined : (end - now) / minuteMs;
  };

  it('counts as many calls for each contact that is left as the others took', () => {
    expect(forecastOf(task(half), rows, now)).toEqual({ perMinute: 10, end: now + 10 * minuteMs });
  });

  it('is unknown while no contact is settled, nothing is called, or a callback is agreed', () => {
    expect(minutesTo(task({ notDialed: 40 }))).toBeUndefined();
    expect(minutesTo(task(half, { dialing: { active: false } }))).toBeUndefined();
    expect(minutesTo(task({ ...half, callbacks: 1 }))).toBeUndefined();
  });

  it('counts the waits for retries after the last first call', () => {
    const calls = { ...ended, success: 25 };
    // 40 first calls take 4 minutes, then two waits of 10 minutes.
    expect(minutesTo(task(half, { calls }))).toBe(24);
    const retryRules = [{ reasons: ['poweredOff'], waitSeconds: 3600, attempts: 2 }];
    expect(minutesTo(task(half, { calls: { ...calls, byReason: { poweredOff: 0 } }, retryRules }))).toBe(24);
    expect(minutesTo(task(half, { calls: { ...calls, byReason: { poweredOff: 3 } }, retryRules }))).toBe(64);
  });

  it('counts the limits as they are now', () => {
    expect(minutesTo(task(half, { callsPerMinute: 5 }))).toBe(20);
    // Calls take 10 seconds.
    expect(minutesTo(task(half, { maxConcurrentCalls: 1 }))).toBeCloseTo(100 / 6);
    expect(minutesTo(task(half, { callsPerMinute: 500, maxConcurrentCalls: 500 }))).toBe(10);
  });

  it('counts the hours, and is the end of the task at the latest', () => {
    expect(minutesTo(task(half, { dailyStartTime: '09:00', dailyEndTime: '10:05' }))).toBeCloseTo(
      23 * 60 + 5,
    );
    expect(minutesTo(task(half, { callUntil: '2026-11-16 10:06' }))).toBe(5.5);
  });
});
