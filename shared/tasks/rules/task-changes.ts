import { ServiceError } from '../../platform/rules/errors.ts';
import { type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import { type CallCounts, type Cause, causeView } from './limits.ts';
import { valueInForce } from './shown-settings.ts';
import { changeTask, isSameValue, type Task, tidy } from './task.ts';
import { adjustable, type TaskSettings } from './task-settings.ts';
import type { Operation, TaskStatus } from './task-states.ts';

/**
 * `seen`: the `updateTime` that the client has seen, `null` before the first change; `undefined` if
 * the client does not say.
 * @throws ServiceError conflict
 */
export const assertNotChangedSince = (
  { updateTime }: Task,
  seen: string | null | undefined,
  format: FormatTime,
): void => {
  const current = formatOrNull(updateTime, format);
  if (seen === undefined || seen === current) return;
  throw new ServiceError(
    'CHANGED_SINCE',
    `the task was changed since: its updateTime is ${current ?? 'null'}, not ${seen ?? 'null'}`,
  );
};

const hasChanged = (before: Task, after: Task, name: (typeof adjustable)[number]): boolean =>
  !isSameValue(valueInForce(before, name), valueInForce(after, name));

const hours = ['weekdays', 'excludedDates', 'breaks', 'callFrom', 'callUntil'] as const;

/** Contacts that were deferred by the old hours may have to be called at another time. */
export const haveHoursChanged = (before: Task, after: Task): boolean =>
  hours.some((name) => hasChanged(before, after, name));

/** Any contact may have to wait for another limit, or for none. */
export const haveLimitsChanged = (before: Task, after: Task): boolean =>
  hasChanged(before, after, 'callLimits') || hasChanged(before, after, 'restAfterSuccess');

/**
 * `counts`: the calls of the task so far. They do not count for a brake that is changed.
 * @returns the given task itself, if nothing changes
 * @throws ServiceError invalid
 */
export const adjustTask = (
  task: Task,
  changes: Partial<TaskSettings>,
  counts: CallCounts,
  now: Instant,
): Task => {
  const settings = Object.fromEntries(adjustable.map((name) => [name, changes[name]]));
  const adjusted = changeTask(task, settings, now);
  if (!adjustable.some((name) => hasChanged(task, adjusted, name))) return task;
  return hasChanged(task, adjusted, 'pauseWhen') ? { ...adjusted, brakeFrom: counts } : adjusted;
};

const longestShown = 200;
const textOfValue = (value: unknown): string => {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
const shown = (value: unknown): string => {
  const text = textOfValue(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
};

/** A setting that an adjust has changed. `null`: the task had or has no such rule. */
type SettingChange = { name: (typeof adjustable)[number]; from: unknown; to: unknown };

const changesBetween = (before: Task, after: Task): SettingChange[] => {
  // The table does not keep the order of names in an object.
  const tidied = tidy(before);
  return adjustable
    .filter((name) => hasChanged(before, after, name))
    .map((name) => ({ name, from: tidied[name] ?? null, to: after[name] ?? null }));
};

/** As "name: old -> new", with long values cut. @returns null if there are none */
const describeChanges = (changes: readonly SettingChange[]): string | null =>
  changes.map(({ name, from, to }) => `${name}: ${shown(from)} -> ${shown(to)}`).join('; ') || null;

/** The author of what the service does by itself, such as completing a task. */
export const theService = 'service';

/** One operation on a task. */
export type HistoryEntry = {
  time: Instant;
  operation: 'add' | Operation;
  from: TaskStatus | null;
  to: TaskStatus;
  /** The name in the token of the client. */
  by: string;
  /** Why the task was stopped or failed, or paused itself, or what an adjust has changed. */
  reason: string | null;
  /** What an adjust has changed, as data. Entries of 0.3 have neither changes nor a cause. */
  changes?: readonly SettingChange[];
} & Partial<Cause>;

const withReason: ReadonlySet<string> = new Set<Operation>(['stop', 'fail']);
const withCause: ReadonlySet<string> = new Set<Operation>(['stop', 'pause']);

export const entryOfAdd = (task: Task, by: string): HistoryEntry => ({
  time: task.createTime,
  operation: 'add',
  from: null,
  to: task.status,
  by,
  reason: null,
});

/** `note`: the reason, if the task itself does not have it. */
export const entryOfMove = (
  operation: Operation,
  before: Task,
  after: Task,
  by: string,
  note: string | null = null,
): HistoryEntry => {
  const changes = operation === 'adjust' ? changesBetween(before, after) : [];
  const reason = withReason.has(operation) ? after.reason : describeChanges(changes);
  return {
    time: after.updateTime ?? after.createTime,
    operation,
    from: before.status,
    to: after.status,
    by,
    reason: note ?? reason,
    ...(withCause.has(operation) && after.cause),
    ...(changes.length > 0 && { changes }),
  };
};

export const historyRow = (
  { reasonCode, figures, changes = [], ...entry }: HistoryEntry,
  format: FormatTime,
) => ({
  ...entry,
  time: format(entry.time),
  ...causeView(reasonCode && figures && { reasonCode, figures }),
  changes,
});
