import { endOf } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { isLive } from '../../domain/tasks/task-states.ts';
import { dayMs, type Instant, timeIn } from '../../domain/time.ts';
import { type Database, type Item, keys, type TransactItem, unlessLost } from '../table/index.ts';

/** A task that was started with a `callUntil`. Stale when the task has ended, or its `callUntil` was changed. */
export type TaskEnd = { taskId: string; callUntil: string; timeZone?: string | undefined };

const minuteLength = 'YYYY-MM-DD HH:MM'.length;
const formatUtc = timeIn('UTC');

const endOfItem = ({ sk, timeZone }: Item): TaskEnd => ({
  taskId: sk.slice(minuteLength + 1),
  callUntil: sk.slice(0, minuteLength),
  timeZone: timeZone as string | undefined,
});

/**
 * The RUNNING and PAUSED tasks that have a `callUntil`, by what a clock shows then. A task that ends for another reason
 * leaves its record behind, which is removed at that time.
 */
export class TaskEnds {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** What a change of the task adds to its transaction. */
  steps(before: Task, after: Task): TransactItem[] {
    const { id, callUntil, timeZone } = after;
    const isKnown = isLive(before.status) && before.callUntil === callUntil;
    if (!callUntil || !isLive(after.status) || isKnown) return [];
    return [this.#database.putOf({ ...keys.taskEnd(callUntil, id), ...(timeZone && { timeZone }) })];
  }

  /** The tasks whose time has come. Clocks of other zones are at most a day ahead of UTC. */
  async due(now: Instant, serviceZone: string): Promise<TaskEnd[]> {
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND sk < :to',
      ExpressionAttributeValues: {
        ':pk': keys.taskEnds,
        ':to': formatUtc(now + dayMs).slice(0, minuteLength),
      },
    });
    return items.map(endOfItem).filter((end) => endOf(end, serviceZone) <= now);
  }

  remove({ callUntil, taskId }: TaskEnd): Promise<unknown> {
    return unlessLost(() => this.#database.delete(keys.taskEnd(callUntil, taskId)));
  }
}
