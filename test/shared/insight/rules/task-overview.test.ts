import { describe, expect, it } from 'vitest';
import { callbackLevel } from '../../../../shared/dialing/rules/dial-state.ts';
import {
  contactCounts,
  dialingOf,
  type Overview,
  overviewView,
  type Standings,
  tasksBefore,
} from '../../../../shared/insight/rules/task-overview.ts';
import { timeIn } from '../../../../shared/platform/time/zones.ts';
import { createTask } from '../../../../shared/tasks/rules/task.ts';
import { callReasons } from '../../../../shared/tasks/rules/task-settings.ts';
import type { TaskStatus } from '../../../../shared/tasks/rules/task-states.ts';
import { emptyTally } from '../../../../shared/tasks/rules/task-views.ts';

const now = Date.parse('2026-05-01T12:00:00Z');
const minute = 60_000;

const nothing: Standings = {
  ...{ inCall: 0, waiting: 0, callbacks: 0, reached: 0, failed: 0, noAnswer: 0, blocked: 0, notSelected: 0 },
  looked: { takenUp: 0, isReviewing: false, share: 0 },
  callable: 0,
  waits: [],
  callbacksMoved: 0,
  dueAt: [3],
  lastLeaseTime: null,
  askedTime: now - minute,
  ownLeaseTime: null,
  callsAgain: 0,
  callsByReason: Object.fromEntries(callReasons.map((reason) => [reason, 0])) as Standings['callsByReason'],
  callsByDisposition: new Map(),
};

const anOverview = (
  standings: Partial<Standings>,
  { status = 1, contactCount = 10, ...settings }: { status?: number; contactCount?: number } & object = {},
): Overview => ({
  task: {
    ...createTask({ taskName: 'x', dataSourceId: 'd', ...settings }, 'id', 0),
    status: status as TaskStatus,
  },
  dataSourceName: 'd',
  contactCount,
  tally: emptyTally,
  standings: { ...nothing, ...standings },
});
const dialing = (...args: Parameters<typeof anOverview>) => dialingOf(anOverview(...args), now);

describe('why a task does not dial', () => {
  it.each([
    [0, 'DRAFT'],
    [2, 'PAUSED'],
    [3, 'ENDED'],
    [4, 'ENDED'],
    [5, 'ENDED'],
    [6, 'ENDED'],
  ])('in state %i is %s, whatever else there is', (status, reason) => {
    expect(dialing({}, { status })).toEqual({ reason, nextTime: null });
    expect(dialing({ waiting: 1 }, { status, contactCount: 0 })).toEqual({ reason, nextTime: null });
  });

  it('is that there is nobody to call, or nobody left', () => {
    expect(dialing({}, { contactCount: 0 }).reason).toBe('NO_CONTACTS');
    expect(dialing({ reached: 4, failed: 3, noAnswer: 2, blocked: 1 }).reason).toBe('NO_CONTACTS');
  });

  it.each([
    ['HOURS', { reason: 'OUTSIDE_HOURS', nextTime: now + 1 }],
    ['RETRY', { reason: 'WAITING_FOR_RETRY', nextTime: now + 1 }],
    ['CALLBACK', { reason: 'WAITING_FOR_RETRY', nextTime: now + 1 }],
    ['DAILY_LIMIT', { reason: 'AT_LIMIT', nextTime: now + 1, limit: 'DAILY_LIMIT' }],
  ] as const)('is what the first of those waits for who are left: %s', (reason, expected) => {
    const first = { reason, count: 1, from: now + 1, to: now + 9 };
    const second = { reason: 'RETRY', count: 7, from: now + 2, to: now + 3 } as const;
    expect(dialing({ waits: [first, second], inCall: 2 })).toEqual(expected);
  });

  it('is that all who are left are in a call', () => {
    expect(dialing({ inCall: 2, reached: 8 })).toEqual({ reason: 'ALL_IN_CALL', nextTime: null });
  });

  it('is that no dialer asked for calls in the last minute', () => {
    expect(dialing({ callable: 1, askedTime: null }).reason).toBe('NO_DIALER');
    expect(dialing({ callable: 1, askedTime: now - minute - 1 }).reason).toBe('NO_DIALER');
  });

  it('is that its limits allow no further call, where a dialer asks for calls', () => {
    const room = { calls: 0, nextTime: now + minute };
    const paced = (standings: Partial<Standings>, left = room) =>
      dialingOf({ ...anOverview(standings), room: left }, now);
    expect(paced({ callable: 8, inCall: 2 })).toEqual({ reason: 'AT_LIMIT', nextTime: now + minute });
    expect(paced({ callable: 8, inCall: 2 }, { calls: 0, nextTime: now - 1 }).nextTime).toBe(now);
    expect(paced({ inCall: 10 }).reason).toBe('ALL_IN_CALL');
    expect(paced({ callable: 8, askedTime: null }).reason).toBe('NO_DIALER');
    expect(paced({ callable: 8, inCall: 2 }, { calls: 1, nextTime: 0 }).reason).toBeNull();
  });

  it('is another task only where nothing else keeps it', () => {
    const behind = [{ taskId: 'a', taskName: 'a', priority: 1 }];
    const shown = (room?: Overview['room']) =>
      overviewView({ ...anOverview({ callable: 1 }), behind, room }, now, timeIn('UTC'), { zone: 'UTC' })
        .dialing;
    expect(shown()).toMatchObject({ reason: 'BEHIND_OTHERS', behind });
    expect(shown({ calls: 0, nextTime: now })).toMatchObject({ reason: 'AT_LIMIT', behind: [] });
  });

  it('is no task that has callbacks alone', () => {
    const others = [[callbackLevel], [callbackLevel, 2], [3]].map((dueAt) =>
      anOverview({ dueAt, callable: 1 }),
    );
    const priorities = tasksBefore(3, others, now).map(({ priority }) => priority);
    expect(priorities).toEqual([2]);
  });

  it('is the most urgent task first, then the one that was started first, at most five', () => {
    const others = [
      [2, 7],
      [2, 10],
      [2, 8],
      [1, 9],
      [2, 5],
      [2, 6],
      [3, 1],
    ].map(([level, startTime]) => {
      const overview = anOverview({ dueAt: [level!], callable: 1 });
      return {
        ...overview,
        task: { ...overview.task, taskName: `${level}${startTime}`, startTime: startTime! },
      };
    });
    const paused = anOverview({ dueAt: [1] }, { status: 2 });
    const names = tasksBefore(3, [paused, ...others], now).map(({ taskName }) => taskName);
    expect(names).toEqual(['19', '25', '26', '27', '28']);
  });

  it('has no answer while calls go out', () => {
    expect(dialing({ callable: 1, inCall: 9 })).toEqual({ reason: null, nextTime: now });
  });
});

describe('the contacts of an overview', () => {
  it('add up to their total, also where some were deleted after their outcome', () => {
    const sums = [10, 3].map((contactCount) => {
      const {
        total,
        callable: _,
        callbacks: __,
        callbacksMoved: ___,
        ...parts
      } = contactCounts(anOverview({ reached: 4, waiting: 2 }, { contactCount }));
      return [total, Object.values(parts).reduce((sum, part) => sum + part, 0)];
    });
    expect(sums).toEqual([
      [10, 10],
      [6, 6],
    ]);
  });
});
