import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Condition, Database, Item } from '../database.ts';
import { keys } from '../keys.ts';

/** A recall of all contacts that failed up to an epoch. */
export type EpochRecall = { upTo: number; priority: number; time: Instant };

/** How far dialing of a task has come. Every write replaces the version that was read. */
export type DialState = {
  taskId: string;
  /** Contacts below this sequence number have been taken up; of those from it on, some may have been. */
  cursor: number;
  /** How many task contacts there are below the cursor, but for those of deleted contacts that came after it. */
  claimed: number;
  /** Priorities of recalls, beside the task's own. */
  recallPriorities: number[];
  /** Recalls of all failed contacts so far. Each ends an epoch. */
  epoch: number;
  /** The latest of them, and before it those that still wait for contacts to be queued again. */
  recalls: EpochRecall[];
  version: number;
};

export const readDialState = async (database: Database, taskId: string): Promise<DialState> =>
  dialStateOf(taskId, await database.get(keys.dialState(taskId)));

export type DialedTask = { task: Task; dial: DialState };

export const readDialStates = async (database: Database, tasks: readonly Task[]): Promise<DialedTask[]> => {
  const items = await database.batchGet(tasks.map(({ id }) => keys.dialState(id)));
  return tasks.map((task, i) => ({ task, dial: dialStateOf(task.id, items[i]) }));
};

/** Whether some contacts of the task are called at that priority. */
export const callsAt =
  (level: number) =>
  ({ task, dial }: DialedTask): boolean =>
    task.priority === level || dial.recallPriorities.includes(level);

export const dialStateOf = (taskId: string, item: Item | undefined): DialState => ({
  taskId,
  cursor: Number(item?.cursor ?? 0),
  claimed: Number(item?.claimed ?? 0),
  recallPriorities: (item?.prios ?? []) as number[],
  epoch: Number(item?.epoch ?? 0),
  recalls: (item?.recalls ?? []) as EpochRecall[],
  version: Number(item?.v ?? 0),
});

/** The item that follows `read`, and the condition that nobody wrote it since. */
export const nextDialState = (
  read: DialState,
  changes: Partial<Omit<DialState, 'taskId' | 'version'>> = {},
): [item: Item, condition: Condition] => {
  const { taskId, recallPriorities, version, ...state } = { ...read, ...changes };
  return [
    { ...keys.dialState(taskId), ...state, prios: recallPriorities, v: version + 1 },
    version === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'v = :read', ExpressionAttributeValues: { ':read': version } },
  ];
};

export const withPriority = (priorities: readonly number[], priority: number): number[] =>
  priorities.includes(priority) ? [...priorities] : [...priorities, priority];
