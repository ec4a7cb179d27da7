import { invalid } from '../../platform/rules/errors.ts';
import { openFrom, type ServiceHours } from '../../platform/time/schedule.ts';
import type { FormatTime, Instant } from '../../platform/time/time.ts';
import { createTask, type Task, type TaskInput } from '../../tasks/rules/task.ts';
import { settingsIn } from '../../tasks/rules/task-settings.ts';

/** What is known of a task's contacts before they are called. */
export type Preflight = {
  total: number;
  /** Contacts that do not match the task's filter. No other count includes them. */
  notSelected: number;
  /** Whether counts that depend on the filter are estimated from a part of the contacts. */
  estimated: boolean;
  /** Contacts on an exclusion list, with an emergency number, or whose `callBefore` has passed. */
  blocked: number;
  /** The exclusion lists that block contacts. A contact on two lists counts for both. */
  blockedBy: readonly { dataSourceId: string; dataSourceName: string; count: number }[];
  /** Contacts with an emergency number. */
  emergencyNumbers: number;
  /** Contacts that would be called, but whose number is at a limit or at rest now. */
  atLimit: number;
  /** Selected contacts with a `callAfter` or `callBefore` that is no time, and is ignored. */
  unreadableTimes: number;
  /** Fields in the task's filter that no contact of the list has. */
  unknownFields: readonly string[];
  /**
   * Contacts that are not blocked, although the last nine digits of their number are on an
   * exclusion list.
   */
  otherSpelling: number;
  /**
   * Running and paused tasks whose data source has some of the contacts that would be called,
   * whatever their filter.
   */
  alsoIn: readonly { taskId: string; taskName: string; count: number }[];
  /** Whether all running and paused tasks were compared. */
  alsoInComplete: boolean;
  /** Some contacts have a time zone of their own. */
  hasOwnZones: boolean;
  /** The version of the list that was read. */
  listVersion: number;
};

/** The check does not depend on the name. */
const unnamed = '-';

/**
 * The id of a stored task, or a task with these inputs that is not stored.
 * @throws ServiceError invalid
 */
export const taskToCheck = (
  { id, dataSourceId, ...inputs }: Partial<TaskInput> & { id?: string; dataSourceId?: string },
  now: Instant,
): Task | string => {
  if (id === undefined) {
    if (dataSourceId === undefined) throw invalid('dataSourceId', 'is required', 'REQUIRED');
    return createTask({ taskName: unnamed, ...inputs, dataSourceId }, '', now);
  }
  const others = [dataSourceId, inputs.taskName, ...Object.values(settingsIn(inputs))];
  if (others.some((value) => value !== undefined))
    throw invalid('id', 'names a stored task: send no other inputs with it');
  return id;
};

export const preflightView = (
  { total, blocked, notSelected, unknownFields, listVersion: _, ...found }: Preflight,
  task: Task,
  now: Instant,
  format: FormatTime,
  { zone, callingHours }: ServiceHours,
) => {
  const opening = openFrom({ ...task, callingHours }, now, zone);
  return {
    total,
    callable: total - blocked - notSelected,
    blocked,
    notSelected,
    ...found,
    unknownFields: [...unknownFields],
    firstCallTime: opening === undefined ? null : format(opening),
  };
};
