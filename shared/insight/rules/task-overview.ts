import { callbackLevel } from '../../dialing/rules/dial-state.ts';
import { isNumberLimit, waitReasons, waitTable } from '../../dialing/rules/waits.ts';
import type { ServiceHours } from '../../platform/time/schedule.ts';
import { type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import { callsByDisposition } from '../../tasks/rules/dispositions.ts';
import { causeView, type Room } from '../../tasks/rules/limits.ts';
import { shownSettings } from '../../tasks/rules/shown-settings.ts';
import type { Task } from '../../tasks/rules/task.ts';
import type { CallReason } from '../../tasks/rules/task-settings.ts';
import { hasEnded, status } from '../../tasks/rules/task-states.ts';
import { countSelected, type FoundSelected, type Looked, type Tally } from '../../tasks/rules/task-views.ts';
import type { WaitRow } from './still-to-call.ts';

/** Maximum of tasks in one request for overviews. */
export const overviewsAtMost = 50;
/** Maximum of tasks on one page of a board. */
export const boardAtMost = 100;
/** The contacts of a task by what happens to them, and why the task calls or does not. */
export type Standings = {
  inCall: number;
  /** Contacts that were called, or that a recall named, and are to be called again. */
  waiting: number;
  /** How many of them wait for an agreed callback. */
  callbacks: number;
  /** Contacts with a final outcome. */
  reached: number;
  failed: number;
  noAnswer: number;
  blocked: number;
  /** Contacts that were looked at and do not match the task's filter. */
  notSelected: number;
  /**
   * Contacts that were not called yet. Absent if the task has ended, because the frozen contact
   * count gives it then.
   */
  notDialed?: number | undefined;
  looked: Looked;
  /** Contacts that could be called now. */
  callable: number;
  waits: readonly WaitRow[];
  /** Agreed callbacks that hours or a limit have postponed. */
  callbacksMoved: number;
  /** The levels at which a contact may be called now by its due time, the most urgent first. */
  dueAt: readonly number[];
  /** When a dialer last asked for calls of the task, or looked for them among others. */
  lastLeaseTime: Instant | null;
  /** When a dialer last asked for calls of the task, or of any task. */
  askedTime: Instant | null;
  /** When a dialer last asked for calls of this task alone. */
  ownLeaseTime: Instant | null;
  /** Calls to contacts that had a call before. */
  callsAgain: number;
  callsByReason: Readonly<Record<CallReason, number>>;
  callsByDisposition: ReadonlyMap<string, number>;
};

export type Overview = {
  task: Task;
  dataSourceName: string;
  /** By the rules of the contract. */
  contactCount: number;
  tally: Tally;
  standings: Standings;
  /** The result of the last pre-flight with the present filter of the task. */
  found?: FoundSelected | undefined;
  /** The tasks that dialers serve before this one, as far as they were read. */
  behind?: readonly TaskAhead[];
  /** How many more calls the limits of task and service allow. Absent without limits. */
  room?: Room | undefined;
};

/** `priority` of its contacts that may be called now. */
type TaskAhead = { taskId: string; taskName: string; priority: number };

/** Why no calls are made. */
export const idleReasons = [
  'DRAFT',
  'PAUSED',
  'ENDED',
  'NO_CONTACTS',
  'OUTSIDE_HOURS',
  'WAITING_FOR_RETRY',
  'ALL_IN_CALL',
  'NO_DIALER',
  'AT_LIMIT',
  'BEHIND_OTHERS',
] as const;
type IdleReason = (typeof idleReasons)[number];

/** What holds calls back if the reason is `AT_LIMIT`. */
export const dialingLimits = [
  'MAX_CONCURRENT_CALLS',
  'CALLS_PER_MINUTE',
  ...waitReasons.filter(isNumberLimit),
] as const;

type Dialing = {
  reason: IdleReason | null;
  nextTime: Instant | null;
  limit?: (typeof dialingLimits)[number] | undefined;
};

/** After this time without a lease request, no dialer is connected. */
const dialerPatienceMs = 60_000;

/**
 * Deleted contacts stay counted if the task had taken them up, or had looked at them and not
 * selected them.
 */
export const contactCounts = ({ contactCount, standings }: Pick<Overview, 'contactCount' | 'standings'>) => {
  const { inCall, waiting, reached, failed, noAnswer, blocked, notSelected } = standings;
  const taken = inCall + waiting + reached + failed + noAnswer + blocked + notSelected;
  const notDialed = standings.notDialed ?? Math.max(0, contactCount - taken);
  const { callable, callbacks, callbacksMoved } = standings;
  const toCall = { notDialed, inCall, waiting, callable, callbacks, callbacksMoved };
  return { total: taken + notDialed, ...toCall, reached, failed, noAnswer, blocked, notSelected };
};

/** How many contacts the task selects. Coverage, remaining and progress are of these. */
const selectedOf = ({ task, contactCount, standings, found }: Overview) =>
  countSelected({
    isFiltered: (task.contactFilter ?? []).length > 0,
    counts: contactCounts({ contactCount, standings }),
    looked: standings.looked,
    contactCount,
    found,
  });

/** Whether calls are made now; if not, the first reason that applies, and until when. */
export const dialingOf = (overview: Overview, now: Instant): Dialing => {
  const { task, standings } = overview;
  if (task.status === status.draft) return { reason: 'DRAFT', nextTime: null };
  if (task.status === status.paused) return { reason: 'PAUSED', nextTime: null };
  if (hasEnded(task.status)) return { reason: 'ENDED', nextTime: null };
  if (standings.callable > 0) return dialingNow(overview, now);
  const [first] = standings.waits;
  if (first === undefined)
    return { reason: standings.inCall > 0 ? 'ALL_IN_CALL' : 'NO_CONTACTS', nextTime: null };
  const { reason, from } = first;
  // Contacts that were not looked at are due after those that were.
  const known = reason ?? 'RETRY';
  const limit = isNumberLimit(known) ? known : undefined;
  return { reason: waitTable[known].shownAs, nextTime: from, limit };
};

/** For a task that has a contact to call. */
const dialingNow = ({ standings, behind = [], room }: Overview, now: Instant): Dialing => {
  if (!hasDialer(standings.askedTime, now)) return { reason: 'NO_DIALER', nextTime: now };
  if (room?.calls === 0)
    return { reason: 'AT_LIMIT', nextTime: Math.max(now, room.nextTime), limit: room.limit };
  return { reason: behind.length > 0 ? 'BEHIND_OTHERS' : null, nextTime: now };
};

/** Whether a dialer that last asked at this time counts as connected. */
export const hasDialer = (askedTime: Instant | null, now: Instant) =>
  now - (askedTime ?? 0) <= dialerPatienceMs;

/** Maximum of tasks that an overview names because they are served first. */
export const namedAhead = 5;

/**
 * The level at which dialers that ask for any task serve this one.
 * @returns undefined if they need not, or cannot
 */
export const servedAt = (overview: Overview, now: Instant): number | undefined => {
  const { dueAt, ownLeaseTime } = overview.standings;
  const isServable = dialingOf({ ...overview, behind: [] }, now).reason === null;
  return isServable && !hasDialer(ownLeaseTime, now) ? dueAt[0] : undefined;
};

/**
 * The tasks among `others` that dialers serve before a task of this level, the most urgent first,
 * then the oldest.
 */
export const tasksBefore = (level: number, others: readonly Overview[], now: Instant): TaskAhead[] =>
  [...others]
    .sort((a, b) => (a.task.startTime ?? 0) - (b.task.startTime ?? 0))
    .filter((other) => dialingOf({ ...other, behind: [] }, now).reason === null)
    .flatMap(({ task, standings }) => {
      // Callbacks come before every priority, but they are few and no reason to wait for long.
      const priority = standings.dueAt.find((each) => each !== callbackLevel);
      return priority === undefined ? [] : [{ taskId: task.id, taskName: task.taskName, priority }];
    })
    .filter(({ priority }) => priority < level)
    .sort((a, b) => a.priority - b.priority)
    .slice(0, namedAhead);

export const overviewView = (
  overview: Overview,
  now: Instant,
  format: FormatTime,
  serviceHours: ServiceHours,
) => {
  const { task, dataSourceName, tally, standings, behind = [] } = overview;
  const time = (instant: Instant | null) => formatOrNull(instant, format);
  const { reason, nextTime, limit = null } = dialingOf(overview, now);
  return {
    id: task.id,
    taskName: task.taskName,
    status: task.status,
    dataSourceId: task.dataSourceId,
    dataSourceName,
    ...shownSettings(task, serviceHours.zone),
    contacts: { ...contactCounts(overview), selected: selectedOf(overview) },
    waits: standings.waits.map(({ from, to, ...row }) => ({ ...row, from: time(from), to: time(to) })),
    calls: {
      total: tally.callCount,
      success: tally.successCount,
      failed: tally.failCount,
      noAnswer: tally.noAnswerCount,
      contacts: tally.callCount - standings.callsAgain,
      byReason: standings.callsByReason,
      byDisposition: callsByDisposition(task, standings.callsByDisposition),
      duration: tally.duration,
      talkDuration: tally.talkDuration,
      lastCallTime: time(tally.lastCallTime),
    },
    dialing: {
      active: reason === null,
      reason,
      limit,
      nextTime: time(nextTime),
      lastLeaseTime: time(standings.lastLeaseTime),
      behind: reason === 'BEHIND_OTHERS' ? behind : [],
    },
    createTime: format(task.createTime),
    startTime: time(task.startTime),
    endTime: time(task.endTime),
    updateTime: time(task.updateTime),
    reason: task.reason,
    ...causeView(task.cause),
  };
};
