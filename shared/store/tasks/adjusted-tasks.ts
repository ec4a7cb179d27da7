import type { Task } from '../../domain/tasks/task.ts';
import { haveHoursChanged } from '../../domain/tasks/task-adjustments.ts';
import { isLive } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import { concurrently, ifUnchanged, keys, unlessLost } from '../table/index.ts';

/** How far the lines of a task were searched: behind `after`, at that level. `begun`: when the search began. */
export type LinePosition = { level: number; after: string; begun: Instant };

export type AdjustedTask = {
  taskId: string;
  /** When its hours were adjusted or zones of its contacts were corrected last. */
  time: Instant;
  /** Missing: the search begins. */
  position?: LinePosition | undefined;
};

const writesAtOnce = 16;

const adjustedOf = ({ sk, v, position }: Item): AdjustedTask => ({
  taskId: sk,
  time: v as Instant,
  position: position as LinePosition | undefined,
});

/**
 * The RUNNING and PAUSED tasks whose hours were adjusted, or for whose contacts an import corrected time zones. Each is listed until the contacts that were deferred before that were considered again.
 */
export class AdjustedTasks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What a change of the task adds to its transaction. */
  steps(before: Task, after: Task): TransactItem[] {
    if (!isLive(before.status) || !isLive(after.status) || !haveHoursChanged(before, after)) return [];
    return [this.#database.putOf({ ...keys.adjustedTask(after.id), v: after.updateTime })];
  }

  async mark(taskIds: readonly string[], now: Instant): Promise<void> {
    await concurrently(taskIds, writesAtOnce, (id) =>
      this.#database.put({ ...keys.adjustedTask(id), v: now }),
    );
  }

  async find(taskId: string): Promise<AdjustedTask | undefined> {
    const item = await this.#database.get(keys.adjustedTask(taskId));
    return item && adjustedOf(item);
  }

  async all(): Promise<AdjustedTask[]> {
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.adjustedTasks },
    });
    return items.map(adjustedOf);
  }

  /** Unless the hours were adjusted again: then the search begins again. */
  async move({ taskId, time }: AdjustedTask, position: LinePosition | undefined): Promise<void> {
    const item = { ...keys.adjustedTask(taskId), v: time, ...(position && { position }) };
    await unlessLost(() => this.#database.put(item, ifUnchanged(time)));
  }

  /** Unless the hours were adjusted again. */
  async remove({ taskId, time }: AdjustedTask): Promise<void> {
    await unlessLost(() => this.#database.delete(keys.adjustedTask(taskId), ifUnchanged(time)));
  }
}
