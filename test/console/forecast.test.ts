import { describe, expect, it } from 'vitest';
import type { TaskOverview } from '../../client/client.ts';
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
  const at = (text: string) => Date.parse(`2026-11-${text}Z`);
  /** 10 calls a minute in the last ten minutes, of which `success` connected. */
  const rowsOf = (success = 5) =>
    [9, 8, 7, 6, 5, 4, 3, 2, 1].map((ago) => minute(ago, success, 10 - success)).concat(minute(0, 2, 3));
  const none = {
    ...{ total: 0, reached: 0, failed: 0, noAnswer: 0, blocked: 0, notSelected: 0 },
    ...{ notDialed: 0, waiting: 0, inCall: 0, callbacks: 0 },
  };
  type More = Record<string, unknown> & { contacts: object; calls?: object; dialing?: object };
  /** Half of its calls connected; calls take ten seconds. */
  const task = ({ contacts, calls, dialing, ...more }: More) => {
    const counts = { ...none, ...contacts };
    const selected = {
      count: Object.values(counts).reduce((all, each) => all + each) - counts.callbacks,
      estimated: false,
    };
    return {
      contacts: { ...counts, selected, ...contacts },
      calls: {
        ...{
          total: 100,
          success: 50,
          failed: 50,
          noAnswer: 0,
          byReason: {},
          duration: 1000,
          talkDuration: 500,
        },
        lastCallTime: '2026-11-16 10:00:20',
        ...calls,
      },
      dialing: {
        ...{ active: true, reason: null, firstDueTime: null, lastDueTime: null, lastCallbackTime: null },
        ...{ deferred: { count: 0, estimated: false, time: null }, openByAttempts: [] },
        ...dialing,
      },
      ...{ status: 1, startTime: '2026-11-16 09:50:00', callUntil: null, timeZone: 'UTC' },
      ...{ dailyStartTime: '00:00', dailyEndTime: '24:00', callsPerMinute: null, maxConcurrentCalls: null },
      ...{ callInterval: 600, maxDialCount: 1, retryRules: [], retryOrder: 'due' },
      ...more,
    } as unknown as TaskOverview;
  };
  const endOf = (shown: TaskOverview, rules: object = {}, rows = rowsOf()) =>
    forecastOf(shown, rows, now, { zone: 'UTC', ...rules })?.end;
  const expectAbout = (end: ReturnType<typeof endOf>, minutes: number, within = 2) => {
    expect(end).toBeDefined();
    expect(Math.abs((end!.at - now) / minuteMs - minutes)).toBeLessThan(within);
    expect(end!.from).toBeLessThanOrEqual(end!.at);
    expect(end!.to).toBeGreaterThanOrEqual(end!.at);
  };
  const half = { reached: 50, failed: 50, notDialed: 300 };

  it('is of selected contacts, at the rate of now, with blocked ones left out', () => {
    expectAbout(endOf(task({ contacts: half })), 30);
    expectAbout(endOf(task({ contacts: { ...half, selected: { count: 200, estimated: false } } })), 10);
    expectAbout(endOf(task({ contacts: { ...half, blocked: 100 } })), 15);
    const [known, about] = [false, true].map((estimated) =>
      endOf(task({ contacts: { ...half, notSelected: 100, selected: { count: 250, estimated } } })),
    );
    expect(about!.to - about!.from).toBeGreaterThan(known!.to - known!.from);
  });

  it('knows what it depends on', () => {
    const selected = { count: 200, estimated: true };
    expect(endOf(task({ contacts: { ...half, selected, callbacks: 1 } }))!.doubt).toBe('filter');
    expect(endOf(task({ contacts: { ...half, waiting: 1, callbacks: 1 } }))!.doubt).toBe('callbacks');
    // Of these people one asked to be called back.
    expect(endOf(task({ contacts: half, calls: { success: 51 } }))!.doubt).toBe('callbacks');
    expect(endOf(task({ contacts: half }))!.doubt).toBe('answers');
  });

  it('stays at a limit and with busy lines, and is not known before ten calls, or while the task cannot go on', () => {
    const shown = (reason: string | null, more: object = {}) =>
      endOf(task({ contacts: { ...half, ...more }, dialing: { reason, active: reason === null } }));
    expectAbout(shown('AT_LIMIT'), 30);
    expectAbout(shown('NO_DIALER', { inCall: 3 }), 30);
    for (const reason of ['NO_DIALER', 'BEHIND_OTHERS', 'PAUSED']) expect(shown(reason)).toBeUndefined();
    expect(endOf(task({ contacts: half, calls: { total: 9 } }))).toBeUndefined();
    expect(endOf(task({ contacts: half, status: 2 }))).toBeUndefined();
  });

  it('counts limits as they are now', () => {
    expectAbout(endOf(task({ contacts: half, callsPerMinute: 5 })), 60, 4);
    // Six calls a minute on a line.
    expectAbout(endOf(task({ contacts: half, maxConcurrentCalls: 1 })), 50, 4);
  });

  it('waits for retries, by the calls that contacts had', () => {
    const waiting = (openByAttempts: number[]) =>
      endOf(
        task({
          contacts: { reached: 50, waiting: 40 },
          dialing: {
            ...{ reason: 'WAITING_FOR_RETRY', active: false, openByAttempts },
            ...{ firstDueTime: '2026-11-16 10:01:00', lastDueTime: '2026-11-16 10:10:00' },
          },
          maxDialCount: 3,
        }),
      );
    expectAbout(waiting([0, 40]), 10);
    // Another wait for those that are not reached by then.
    expectAbout(waiting([40, 0]), 20);
  });

  it('skips breaks and closed hours, and says how many contacts are left for the next day', () => {
    const breaks = [{ start: '10:10', end: '11:00' }];
    expectAbout(endOf(task({ contacts: half, breaks })), 30 + 50);
    const end = endOf(task({ contacts: half, dailyStartTime: '08:00', dailyEndTime: '10:20' }));
    expect(new Date(end!.later!.from).toISOString()).toBe('2026-11-17T08:00:00.000Z');
    expect(end!.later!.contacts).toBeGreaterThan(90);
    expect(end!.later!.contacts).toBeLessThan(120);
    expect(end!.at).toBeGreaterThan(at('17T08:05'));
    expect(end!.at).toBeLessThan(at('17T08:20'));
  });

  it('moves contacts to the next day whose numbers have had their calls', () => {
    const shown = task({
      contacts: { reached: 50, waiting: 50, notDialed: 100 },
      dailyStartTime: '08:00',
      maxDialCount: 2,
      dialing: { openByAttempts: [50] },
    });
    const { later, at: end } = endOf(shown, { callsPerNumber: 1 })!;
    expect(Math.abs(later!.contacts - 100)).toBeLessThan(5);
    expect(new Date(later!.from).toISOString()).toBe('2026-11-17T08:00:00.000Z');
    expect(Math.abs(later!.until! - now - 10 * minuteMs)).toBeLessThan(2 * minuteMs);
    expect(end).toBeGreaterThan(at('17T08:05'));
    expectAbout(endOf(shown), 22, 4);
  });

  it('waits for the last agreed callback, and ends at callUntil with contacts left', () => {
    const callback = { lastDueTime: '2026-11-16 15:00:00', lastCallbackTime: '2026-11-16 15:00:00' };
    const end = endOf(task({ contacts: { ...half, waiting: 2, callbacks: 2 }, dialing: callback }));
    expect(end!.isForCallback).toBe(true);
    expectAbout(end, 300);
    const cut = endOf(task({ contacts: half, callUntil: '2026-11-16 10:10' }));
    expect([cut!.from, cut!.at, cut!.to]).toEqual(Array(3).fill(at('16T10:10')));
    expect(Math.abs(cut!.unfinished! - 205)).toBeLessThan(10);
  });
});
