import type { Contact } from '../../contacts/rules/contact.ts';
import { assertFilter, tidyFilter } from '../../contacts/rules/contact-filter.ts';
import type { HeldContacts, SeqRange } from '../../contacts/rules/data-source.ts';
import { normalisePhone } from '../../contacts/rules/phone-number.ts';
import { invalid, ServiceError } from '../../platform/rules/errors.ts';
import { isBuiltIn, normaliseName } from '../../platform/rules/names.ts';
import {
  checkSchedule,
  endOf,
  openFrom,
  type Schedule,
  type ServiceHours,
  withinDatesFrom,
  zoneOf,
} from '../../platform/time/schedule.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import { checkDispositions } from './dispositions.ts';
import { type CallCounts, type Cause, isLimited, type ToldCause } from './limits.ts';
import {
  checkCallLimits,
  defaultSettings,
  settingsIn,
  type TaskSettings,
  withoutNulls,
} from './task-settings.ts';
import { hasEnded, status, type TaskStatus } from './task-states.ts';

export type Task = TaskSettings & {
  id: string;
  taskName: string;
  status: TaskStatus;
  dataSourceId: string;
  createTime: Instant;
  startTime: Instant | null;
  endTime: Instant | null;
  updateTime: Instant | null;
  /** Set when the task ends. Until then it is the count of the data source. */
  contactCount: number | null;
  /**
   * Set when the task ends while imports are running: the numbers that these had reserved. Their
   * contacts were added later.
   */
  laterRanges?: readonly SeqRange[] | undefined;
  /** Set when the task ends before it has looked at all contacts: the version of its list. */
  listVersion?: number | undefined;
  /** When its first limits of the pace were last set. Its calls are counted from then on. */
  limitedSince?: Instant | undefined;
  /** When its `contactFilter` was last changed after its start. */
  filteredSince?: Instant | undefined;
  /** Why the task was stopped or failed. */
  reason: string | null;
  /** The reason as data, if the service stopped or paused the task itself. */
  cause?: Cause | undefined;
  /** The calls before the brake was last set or released, which it does not count. Absent: none. */
  brakeFrom?: CallCounts | undefined;
};

/** The calls that do not count for `pauseWhen`. */
export const brakeBase = ({ brakeFrom }: Pick<Task, 'brakeFrom'>): CallCounts =>
  brakeFrom ?? { calls: 0, failed: 0 };

/** A client's input for a task. Missing settings get their default. */
export type TaskInput = Partial<TaskSettings> & { taskName: string };

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** UTF-8 bytes of all names and values together. */
const callSettingsLimit = 2048;

/** @throws ServiceError invalid */
const checkCallSettings = ({ callSettings = {} }: Partial<TaskSettings>): void => {
  // An attribute of this name would be lost on its way to the table.
  if (Object.hasOwn(callSettings, '__proto__'))
    throw invalid('callSettings', 'must not have the name "__proto__"', 'BAD_FORMAT');
  const { length } = new TextEncoder().encode(Object.entries(callSettings).flat().join(''));
  if (length > callSettingsLimit)
    throw invalid(
      'callSettings',
      `has ${length} bytes; at most ${callSettingsLimit} are allowed`,
      'TOO_LARGE',
    );
};

/** @throws ServiceError invalid */
const cleanCallerNumber = (text: string): string => {
  const number = normalisePhone(text);
  if (number === undefined)
    throw invalid(
      'callerNumbers',
      `each must be an optional + and 3 to 15 digits, not "${text.slice(0, 40)}"`,
    );
  return number;
};

const withSortedNames = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** Compares without regard to the order of names, which the table does not keep. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one, withSortedNames) === JSON.stringify(other, withSortedNames);

/** Without duplicates, with days in order and numbers cleaned. */
export const tidy = (task: Task): Task => ({
  ...withoutNulls(task),
  ...(task.weekdays && { weekdays: unique(task.weekdays).sort() }),
  ...(task.excludedDates && { excludedDates: unique(task.excludedDates).sort() }),
  ...(task.excludedDataSourceIds && { excludedDataSourceIds: unique(task.excludedDataSourceIds) }),
  ...(task.callerNumbers && { callerNumbers: unique(task.callerNumbers.map(cleanCallerNumber)) }),
  ...(task.retryRules && {
    retryRules: task.retryRules.map(({ reasons, waitSeconds, attempts }) => ({
      reasons: unique(reasons),
      waitSeconds,
      attempts,
    })),
  }),
  ...(task.dispositions && {
    dispositions: task.dispositions.map(({ code, label, then, restHours }) => ({
      code,
      ...(label !== undefined && { label }),
      ...(then !== undefined && { then }),
      ...(restHours !== undefined && { restHours }),
    })),
  }),
  ...(task.contactFilter && { contactFilter: tidyFilter(task.contactFilter) }),
  ...(task.callLimits && {
    callLimits: task.callLimits.map(({ calls, minutes }) => ({ calls, minutes })),
  }),
  ...(task.breaks && { breaks: task.breaks.map(({ start, end }) => ({ start, end })) }),
  ...(task.pauseWhen && {
    pauseWhen: { failedPercent: task.pauseWhen.failedPercent, calls: task.pauseWhen.calls },
  }),
});

export const unknownDataSource = () => invalid('dataSourceId', 'the data source does not exist', 'UNKNOWN');
export const unknownExclusion = (id: string) =>
  invalid('excludedDataSourceIds', `there is no data source ${id}`, 'UNKNOWN');

/** @throws ServiceError invalid if a data source is unknown */
export const assertExcludable = ([unknown]: readonly string[]): void => {
  if (unknown !== undefined) throw unknownExclusion(unknown);
};

/** @throws ServiceError invalid if a data source of the task is unknown */
export const assertSourcesKnown = ({ dataSourceId }: Task, unknown: readonly string[]): void => {
  if (unknown.includes(dataSourceId)) throw unknownDataSource();
  assertExcludable(unknown);
};

/** The data sources that a task names. */
export const sourcesOf = ({ dataSourceId, excludedDataSourceIds = [] }: Task): string[] => [
  dataSourceId,
  ...excludedDataSourceIds,
];

/** @throws ServiceError invalid */
export const createTask = (input: TaskInput & { dataSourceId: string }, id: string, now: Instant): Task => {
  const { dataSourceId, taskName } = input;
  const settings = { ...defaultSettings, ...settingsIn(input) };
  checkSchedule(settings);
  checkCallSettings(settings);
  checkDispositions(settings);
  checkCallLimits(settings);
  assertFilter(settings.contactFilter);
  if (isBuiltIn(dataSourceId)) throw invalid('dataSourceId', 'a task cannot call the do-not-call list');
  return tidy({
    id,
    taskName: normaliseName('taskName', taskName),
    status: status.draft,
    dataSourceId,
    ...settings,
    createTime: now,
    startTime: null,
    endTime: null,
    updateTime: null,
    contactCount: null,
    reason: null,
  });
};

/**
 * At least a second after the last change, because clients see seconds, and tell by `updateTime`
 * whether the task was changed.
 */
const touchedAt = ({ updateTime }: Task, now: Instant): Instant => {
  const last = Math.floor((updateTime ?? 0) / secondMs);
  return Math.floor(now / secondMs) > last ? now : (last + 1) * secondMs;
};

export const publishTask = (task: Task, now: Instant): Task => ({
  ...task,
  startTime: now,
  updateTime: touchedAt(task, now),
});

/** `cause`: why the task pauses itself. */
export const pauseTask = (task: Task, now: Instant, cause?: Cause): Task => ({
  ...task,
  cause,
  updateTime: touchedAt(task, now),
});

/** `counts`: the calls of the task so far. They do not count for its brake any more. */
export const resumeTask = (task: Task, counts: CallCounts, now: Instant): Task => ({
  ...task,
  ...(task.pauseWhen && { brakeFrom: counts }),
  cause: undefined,
  updateTime: touchedAt(task, now),
});

/**
 * The task with the given settings. The resulting settings are checked together.
 * @throws ServiceError invalid
 */
export const changeTask = (task: Task, changes: Partial<TaskInput>, now: Instant): Task => {
  const { taskName = task.taskName } = changes;
  const settings = settingsIn(changes);
  checkSchedule({ ...task, ...settings });
  checkCallSettings(settings);
  checkDispositions(settings);
  checkCallLimits(settings);
  assertFilter(settings.contactFilter);
  const after = tidy({ ...task, ...settings, taskName: normaliseName('taskName', taskName) });
  // A request that is sent again changes nothing, and gets the same answer.
  const isSame = isSameValue(after, task);
  const updateTime = isSame ? Math.max(now, task.updateTime ?? now) : touchedAt(task, now);
  const isFilteredAnew =
    task.startTime !== null && !isSameValue(after.contactFilter ?? [], task.contactFilter ?? []);
  const changed = { ...after, updateTime, ...(isFilteredAnew && { filteredSince: updateTime }) };
  return !isLimited(task) && isLimited(changed) ? { ...changed, limitedSince: updateTime } : changed;
};

/** Why the service stops a task at its `callUntil`. `zone` is the service's. */
export const endCause = (task: Task, zone: string): ToldCause => {
  const { callUntil } = task;
  const timeZone = zoneOf(undefined, task, zone);
  return {
    reasonCode: 'CALL_UNTIL_PASSED',
    figures: { callUntil: callUntil ?? '', timeZone },
    text: `callUntil has passed: ${callUntil} (${timeZone})`,
  };
};

/** What stop, fail and complete have in common. */
export const endTask = (
  task: Task,
  { contactCount, laterRanges = [], listVersion }: HeldContacts,
  now: Instant,
  reason?: string,
  cause?: Cause,
): Task => ({
  ...task,
  endTime: now,
  updateTime: touchedAt(task, now),
  contactCount,
  ...(laterRanges.length > 0 && { laterRanges }),
  ...(listVersion !== undefined && { listVersion }),
  reason: reason ?? null,
  cause,
});

/**
 * @throws ServiceError notAllowed while calls are in progress, because their results could not
 *   count any more
 */
export const closeTask = (task: Task, callsInProgress: number, now: Instant): Task => {
  if (callsInProgress === 0) return { ...task, updateTime: touchedAt(task, now) };
  const calls = callsInProgress === 1 ? '1 call is' : `${callsInProgress} calls are`;
  throw new ServiceError('CALLS_IN_PROGRESS', `close is not allowed: ${calls} in progress`);
};

/** Whether an import that was running at the end of the task has added this contact. */
export const isOfLaterImport = ({ laterRanges = [] }: Task, seq: number): boolean =>
  laterRanges.some(({ firstSeq, endSeq }) => seq >= firstSeq && seq < endSeq);

/**
 * A contact that was added after the end of a task does not belong to it. An imported contact has
 * the time at which its import began, although it is added when the import ends.
 */
export const isAmongContacts = (
  task: Task,
  { createTime, seq }: Pick<Contact, 'createTime' | 'seq'>,
): boolean => task.endTime === null || (createTime <= task.endTime && !isOfLaterImport(task, seq));

/** Opens a task that has ended. Any other task stays as it is. */
export const recallTask = (task: Task, now: Instant): Task => ({
  ...task,
  ...(hasEnded(task.status)
    ? {
        endTime: null,
        contactCount: null,
        laterRanges: undefined,
        listVersion: undefined,
        reason: null,
        cause: undefined,
      }
    : {}),
  updateTime: touchedAt(task, now),
});

/** What is known of a task that a dialer or an operator asks about. */
type TaskFacts = ServiceHours & {
  task: Pick<Task, 'status'> & Schedule;
  /**
   * Some contacts have a time zone of their own. They may be called outside the task's hours,
   * within its dates.
   */
  hasOwnZones: boolean;
  now: Instant;
};

/**
 * `over`: its `callUntil` has come, and the service stops it. `opens`: when its hours open; `null`
 * if they never do before the task is over.
 */
export type TaskDecision =
  | { is: 'draft' | 'paused' | 'ended' | 'over' | 'open' }
  | { is: 'closed'; opens: Instant | null };

/**
 * The one place that decides whether a task may call now. Its contacts and limits may still hold
 * its calls back.
 */
export const mayTaskCall = ({ task, zone, callingHours, hasOwnZones, now }: TaskFacts): TaskDecision => {
  if (task.status === status.draft) return { is: 'draft' };
  if (task.status === status.paused) return { is: 'paused' };
  if (hasEnded(task.status)) return { is: 'ended' };
  if (endOf(task, zone) <= now) return { is: 'over' };
  const schedule = { ...task, callingHours };
  const opens = hasOwnZones ? withinDatesFrom(schedule, now, zone) : openFrom(schedule, now, zone);
  return opens === now ? { is: 'open' } : { is: 'closed', opens: opens ?? null };
};
