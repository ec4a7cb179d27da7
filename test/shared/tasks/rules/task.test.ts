import { describe, expect, it } from 'vitest';
import { timeIn } from '../../../../shared/platform/time/zones.ts';
import {
  changeTask,
  createTask,
  endCause,
  endTask,
  isAmongContacts,
  isSameValue,
  recallTask,
} from '../../../../shared/tasks/rules/task.ts';
import { haveHoursChanged } from '../../../../shared/tasks/rules/task-changes.ts';
import { emptyTally, taskStatistics } from '../../../../shared/tasks/rules/task-views.ts';

const utc = timeIn('UTC');
const aTask = (settings: object = {}) =>
  createTask({ taskName: 'x', dataSourceId: 'd', ...settings }, 'id', 1000);
const calls = {
  callCount: 3,
  successCount: 1,
  failCount: 1,
  noAnswerCount: 1,
  duration: 10,
  talkDuration: 8,
  lastCallTime: 9000,
};

it('settings are the same whatever the order of their names, but not of their values', () => {
  const one = { a: 1, b: { c: null, d: [1, 2] } };
  expect(isSameValue(one, { b: { d: [1, 2], c: null }, a: 1 })).toBe(true);
  expect(isSameValue(one, { b: { d: [2, 1], c: null }, a: 1 })).toBe(false);
  expect(isSameValue([1], { 0: 1 })).toBe(false);
});

it('of each setting a task keeps what is known, each value once', () => {
  const note = 'not a name of the contract';
  const sent = {
    ...{ weekdays: [5, 1, 5], excludedDates: ['2026-05-02', '2026-05-01', '2026-05-02'] },
    excludedDataSourceIds: ['b', 'a', 'b'],
    callerNumbers: ['+49 30 1', '+49301', '+49302'],
    retryRules: [{ reasons: ['busy', 'busy'], waitSeconds: 60, attempts: 2, note }],
    dispositions: [
      { code: 'a', note },
      { code: 'b', label: 'B', then: 'retry' },
    ],
    contactFilter: [{ field: ' plan ', is: 'equal', value: 'gold' }],
    breaks: [{ start: '12:00', end: '13:00', note }],
    pauseWhen: { failedPercent: 50, calls: 20, note },
    ...{ dailyStartTime: '09:00', dailyEndTime: '18:00', callUntil: null },
  };
  const task = aTask(sent);
  expect(task).toMatchObject({
    ...{ weekdays: [1, 5], excludedDates: ['2026-05-01', '2026-05-02'] },
    ...{ excludedDataSourceIds: ['b', 'a'], callerNumbers: ['+49301', '+49302'] },
    contactFilter: [{ field: 'plan', is: 'equal', value: 'gold' }],
  });
  expect(task.retryRules).toEqual([{ reasons: ['busy'], waitSeconds: 60, attempts: 2 }]);
  expect(task.dispositions).toEqual([{ code: 'a' }, { code: 'b', label: 'B', then: 'retry' }]);
  expect(task.breaks).toEqual([{ start: '12:00', end: '13:00' }]);
  expect(task.pauseWhen).toEqual({ failedPercent: 50, calls: 20 });
  expect(task).not.toHaveProperty('callUntil');
});

it('the end at callUntil is told in the zone of the task, or of the service', () => {
  const told = (task: object) => endCause(aTask({ callUntil: '2026-05-29 18:00', ...task }), 'UTC');
  expect(told({})).toEqual({
    reasonCode: 'CALL_UNTIL_PASSED',
    figures: { callUntil: '2026-05-29 18:00', timeZone: 'UTC' },
    text: 'callUntil has passed: 2026-05-29 18:00 (UTC)',
  });
  expect(told({ timeZone: 'Asia/Tokyo' }).figures).toMatchObject({ timeZone: 'Asia/Tokyo' });
});

it('averages are rounded as they are, not as binary fractions have them', () => {
  const tally = { ...calls, callCount: 800, duration: 7407 };
  expect(taskStatistics({ task: aTask(), contactCount: 800, tally }, utc).avgDuration).toBe(9.2588);
});

describe('a task', () => {
  it('has call settings of up to 2048 bytes', () => {
    const withText = (bytes: number) => aTask({ callSettings: { text: 'x'.repeat(bytes - 'text'.length) } });
    expect(withText(2048).callSettings).toBeDefined();
    expect(() => withText(2049)).toThrow('callSettings: has 2049 bytes');
  });

  it('ends with its contact count frozen and the reason kept', () => {
    expect(endTask(aTask(), { contactCount: 7 }, 5000, 'why')).toMatchObject({
      endTime: 5000,
      contactCount: 7,
      reason: 'why',
    });
    expect(endTask(aTask(), { contactCount: 0 }, 5000)).toMatchObject({ contactCount: 0, reason: null });
  });

  it('knows since when its calls are limited, and its contacts chosen otherwise than at its start', () => {
    const filter = { contactFilter: [{ field: 'city', is: 'equal' as const, value: 'x' }] };
    expect(changeTask(aTask(), filter, 2000).filteredSince).toBeUndefined();
    const started = changeTask({ ...aTask(), startTime: 1500 }, filter, 2000);
    expect(started.filteredSince).toBe(2000);
    expect(changeTask(started, filter, 9000).filteredSince).toBe(2000);
    const limited = changeTask(aTask(), { callsPerMinute: 1 }, 2000);
    expect(limited.limitedSince).toBe(2000);
    expect(changeTask(limited, { callsPerMinute: 2 }, 9000).limitedSince).toBe(2000);
  });

  it('has a new second with each change, and goes back with none', () => {
    const task = { ...aTask(), updateTime: 2500 };
    expect(changeTask(task, { priority: 1 }, 2900).updateTime).toBe(3000);
    expect(changeTask(task, { priority: 3 }, 2900).updateTime).toBe(2900);
    expect(changeTask(task, { priority: 3 }, 1000).updateTime).toBe(2500);
  });

  it('that has ended keeps the contacts of then, without those of imports that ran', () => {
    const ended = endTask(aTask(), { contactCount: 7, laterRanges: [{ firstSeq: 1, endSeq: 3 }] }, 5000);
    const has = (createTime: number, seq: number) => isAmongContacts(ended, { createTime, seq });
    expect([has(4999, 0), has(5000, 0), has(5001, 0)]).toEqual([true, true, false]);
    expect([has(0, 1), has(0, 2), has(0, 3)]).toEqual([false, false, true]);
    expect(isAmongContacts(aTask(), { createTime: 9000, seq: 1 })).toBe(true);
  });

  it.each([
    [{ weekdays: [1] }, true],
    [{ excludedDates: ['2026-05-01'] }, true],
    [{ breaks: [{ start: '12:00', end: '13:00' }] }, true],
    [{ callFrom: '2026-05-01 10:00' }, true],
    [{ callUntil: '2026-05-01 10:00' }, true],
    [{ priority: 1, maxDialCount: 1, contactFilter: [] }, false],
  ])('calls at other hours after %j: %s', (changes, isOther) => {
    expect(haveHoursChanged(aTask(), changeTask(aTask(), changes, 2000))).toBe(isOther);
  });

  it('that has ended is open again after a recall, one that has not goes on as it is', () => {
    const running = { ...aTask(), status: 1 as const, startTime: 2000 };
    const held = { contactCount: 7, laterRanges: [{ firstSeq: 1, endSeq: 2 }] };
    const completed = { ...endTask(running, held, 5000, 'why'), status: 4 as const };
    const open = {
      laterRanges: undefined,
      endTime: null,
      contactCount: null,
      reason: null,
      updateTime: 6000,
    };
    expect(recallTask(completed, 6000)).toEqual({ ...completed, ...open });
    expect(recallTask(running, 6000)).toEqual({ ...running, updateTime: 6000 });
  });
});

describe('the times of a task', () => {
  it('last changed with the latest of creation, update and call', () => {
    const last = (updateTime: number | null, lastCallTime: number | null) =>
      taskStatistics(
        { task: { ...aTask(), updateTime }, contactCount: 0, tally: { ...emptyTally, lastCallTime } },
        utc,
      ).lastUpdateTime;
    expect(last(null, null)).toBe('1970-01-01 00:00:01');
    expect(last(3000, null)).toBe('1970-01-01 00:00:03');
    expect(last(3000, 9000)).toBe('1970-01-01 00:00:09');
    expect(last(9000, 3000)).toBe('1970-01-01 00:00:09');
  });
});
