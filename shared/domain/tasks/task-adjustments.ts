import type { CallCounts } from '../dialing/brake.ts';
import { invalid, ServiceError } from '../errors.ts';
import { type FormatTime, formatOrNull, type Instant } from '../time.ts';
import { changeTask, isSameValue, type Task, tidy } from './task.ts';
import { adjustable, type TaskSettings, taskSettings } from './task-settings.ts';

/** Fields of a task that an adjust must not name: the inputs that are frozen, and what only the service sets. */
const frozen = [
  ...Object.keys(taskSettings).filter((name) => !(adjustable as readonly string[]).includes(name)),
  ...['taskName', 'dataSourceId', 'status', 'contactCount', 'callCount', 'successCount', 'failCount'],
  ...['noAnswerCount', 'dialRate', 'successRate', 'callDuration', 'avgCallDuration'],
  ...['createTime', 'startTime', 'endTime', 'updateTime'],
];

/** @throws ServiceError invalid */
export const assertAdjustable = (changes: object): void => {
  const field = frozen.find((name) => (changes as Record<string, unknown>)[name] != null);
  if (field !== undefined)
    throw invalid(field, `cannot be adjusted; an adjust changes ${adjustable.join(', ')}`);
};

/**
 * `seen`: the `updateTime` that the client has seen, `null` before the first change; `undefined`: it does not say.
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

const hasChanged = (before: Task, after: Task, name: keyof TaskSettings): boolean =>
  !isSameValue(before[name], after[name]);

const hours = ['weekdays', 'excludedDates', 'breaks', 'callFrom', 'callUntil'] as const;

/** Contacts that the old hours deferred may have to be called at another time. */
export const haveHoursChanged = (before: Task, after: Task): boolean =>
  hours.some((name) => hasChanged(before, after, name));

/** `counts`: the calls of the task so far. They do not count for a brake that is changed. @throws ServiceError invalid */
export const adjustTask = (
  task: Task,
  changes: Partial<TaskSettings>,
  counts: CallCounts,
  now: Instant,
): Task => {
  const settings = Object.fromEntries(adjustable.map((name) => [name, changes[name]]));
  const adjusted = changeTask(task, settings, now);
  return hasChanged(task, adjusted, 'pauseWhen') ? { ...adjusted, brakeFrom: counts } : adjusted;
};

const longestShown = 200;
const shown = (value: unknown): string => {
  const text = value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
};

/** A setting that an adjust has changed; `null`: the task had or has no such rule. */
export type SettingChange = { name: (typeof adjustable)[number]; from: unknown; to: unknown };

export const changesBetween = (before: Task, after: Task): SettingChange[] => {
  // The table does not keep the order of names in an object.
  const tidied = tidy(before);
  return adjustable
    .filter((name) => hasChanged(before, after, name))
    .map((name) => ({ name, from: tidied[name] ?? null, to: after[name] ?? null }));
};

/** As "name: old -> new", with long values cut; `null` if there are none. */
export const describeChanges = (changes: readonly SettingChange[]): string | null =>
  changes.map(({ name, from, to }) => `${name}: ${shown(from)} -> ${shown(to)}`).join('; ') || null;
