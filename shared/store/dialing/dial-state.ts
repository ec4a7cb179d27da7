import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Condition, Database, Item } from '../database.ts';
import { keys } from '../keys.ts';
import { ifUnchanged } from '../optimistic.ts';

/** A recall of all contacts that failed under a recall number up to this one. */
export type RecallOfFailed = { upTo: number; priority: number; time: Instant };

/** How far dialing of a task has come. Every write replaces the version that was read. */
export type DialState = {
  taskId: string;
  /** Every contact below this sequence number is taken up: it has a task contact, or an intake record lists it. */
  cursor: number;
  /** All contacts below are there for good or deleted, as `Contacts.claimable` found out. */
  visibleTo: number;
  /** How many contacts are taken up, those ahead of the cursor included. */
  claimed: number;
  /** Of them, those that a recall took up ahead of the cursor. */
  ahead: number;
  /** Priorities of recalls, beside the task's own. */
  recallPriorities: number[];
  /** Recalls of all failed contacts so far. */
  recallNumber: number;
  /** The latest of them, and before it those that still wait for contacts to be queued again. */
  recalls: RecallOfFailed[];
  /** Missing until the first write. */
  version: number | undefined;
};

export const readDialState = async (database: Database, taskId: string): Promise<DialState> =>
  dialStateOf(taskId, await database.get(keys.dialState(taskId)));

/** The priorities that some contacts of the task are called at, the most urgent first. */
export const levelsOf = ({ priority }: Pick<Task, 'priority'>, { recallPriorities }: DialState): number[] =>
  [...new Set([priority, ...recallPriorities])].sort((a, b) => a - b);

export const dialStateOf = (taskId: string, item: Item | undefined): DialState => ({
  taskId,
  cursor: Number(item?.cursor ?? 0),
  visibleTo: Number(item?.visibleTo ?? 0),
  claimed: Number(item?.claimed ?? 0),
  ahead: Number(item?.ahead ?? 0),
  recallPriorities: (item?.prios ?? []) as number[],
  recallNumber: Number(item?.recallNumber ?? 0),
  recalls: (item?.recalls ?? []) as RecallOfFailed[],
  version: item?.v as number | undefined,
});

/** The item that follows `read`, and the condition that nobody wrote it since. */
export const nextDialState = (
  read: DialState,
  changes: Partial<Omit<DialState, 'taskId' | 'version'>> = {},
): [item: Item, condition: Condition] => {
  const { taskId, recallPriorities, version, ...state } = { ...read, ...changes };
  return [
    { ...keys.dialState(taskId), ...state, prios: recallPriorities, v: (version ?? 0) + 1 },
    ifUnchanged(version),
  ];
};

export const withPriority = (priorities: readonly number[], priority: number): number[] =>
  priorities.includes(priority) ? [...priorities] : [...priorities, priority];
