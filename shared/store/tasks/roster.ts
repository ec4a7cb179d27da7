import { priorities } from '../../domain/dialing/dialing.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import {
  concurrently,
  ifUnchanged,
  keys,
  Lost,
  optimistic,
  tableDefinition,
  unlessLost,
} from '../table/index.ts';

/** A RUNNING task, and when a dialer should look at it next. */
export type RosterEntry = {
  taskId: string;
  dataSourceId: string;
  /** The most urgent priority of its contacts. */
  priority: number;
  /** Nobody can be called before; a moment too early costs a look, one too late is a bug. */
  look: Instant;
  /** Another with each write. */
  token: number;
};

/** Read at a time of each priority. */
const listedAtOnce = 100;
const writesAtOnce = 8;

const newToken = () => Math.floor(Math.random() * 2 ** 48);

const itemOf = ({ taskId, dataSourceId, priority, look, token }: RosterEntry): Item => ({
  ...keys.running(dataSourceId, taskId),
  gsi1pk: keys.roster(priority),
  gsi1sk: keys.rosterSort(look, taskId),
  v: token,
});

const entryOf = ({ pk, sk, gsi1pk, gsi1sk, v }: Item): RosterEntry => ({
  taskId: sk,
  dataSourceId: pk.slice(keys.runningOf('').length),
  priority: Number((gsi1pk as string).slice(keys.roster(0).length - 1)),
  look: Number.parseInt(gsi1sk as string, 10),
  token: v as number,
});

/**
 * The RUNNING tasks as a queue: a lease looks into those that are due, and no other. Whoever finds nothing in
 * one moves it to its next moment; whatever makes a contact callable sooner brings it forward.
 */
export class Roster {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Its contacts have been waiting since its start at the longest. */
  enter({ id, dataSourceId, startTime }: Task, priority: number): TransactItem {
    const entry = { taskId: id, dataSourceId, priority, look: startTime ?? 0, token: newToken() };
    return this.#database.putOf(itemOf(entry));
  }

  leave({ id, dataSourceId }: Task): TransactItem {
    return this.#database.deleteOf(keys.running(dataSourceId, id));
  }

  /** The tasks to look into by now, the most urgent first; on AWS this may lag a moment. */
  async due(now: Instant): Promise<{ entries: RosterEntry[]; areAll: boolean }> {
    const levels = await concurrently(priorities, priorities.length, (priority) =>
      this.#database.queryAll({
        IndexName: tableDefinition.index.name,
        KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :after',
        ExpressionAttributeValues: {
          ':pk': keys.roster(priority),
          ':after': keys.rosterSort(now + 1, ''),
        },
        Limit: listedAtOnce,
      }),
    );
    return {
      entries: levels.flat().map(entryOf),
      areAll: levels.every(({ length }) => length < listedAtOnce),
    };
  }

  /** Writes the entry with another moment; not when anybody else has written the entry since it was read. */
  async postpone(entry: RosterEntry, look: Instant): Promise<boolean> {
    const moved = await unlessLost(async () => {
      await this.#database.put(itemOf({ ...entry, look, token: newToken() }), ifUnchanged(entry.token));
      return true;
    });
    return moved ?? false;
  }

  /** Somebody of the task can be called from `look` on, at `priority` perhaps: to be told once that is so. */
  bringForward(
    task: Pick<Task, 'id' | 'dataSourceId'>,
    look: Instant,
    priority: number = priorities.length,
  ): Promise<void> {
    return this.#rewrite(task, (entry) =>
      entry.look <= look && entry.priority <= priority
        ? undefined
        : {
            ...entry,
            look: Math.min(entry.look, look),
            priority: Math.min(entry.priority, priority),
          },
    );
  }

  /** As `bringForward`, whatever the entry says: whoever is just looking at the task finds it written. */
  disturb(task: Pick<Task, 'id' | 'dataSourceId'>, look: Instant): Promise<void> {
    return this.#rewrite(task, (entry) => ({ ...entry, look: Math.min(entry.look, look) }));
  }

  async #rewrite(
    { id, dataSourceId }: Pick<Task, 'id' | 'dataSourceId'>,
    change: (entry: RosterEntry) => RosterEntry | undefined,
  ): Promise<void> {
    await optimistic(async () => {
      const item = await this.#database.get(keys.running(dataSourceId, id));
      const changed = item && change(entryOf(item));
      if (changed && !(await this.postpone(changed, changed.look))) throw new Lost();
    });
  }

  /** The contacts of the data source have changed: its tasks may have somebody to call, or nobody any more. */
  async wake(dataSourceId: string, look: Instant): Promise<void> {
    const items = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': keys.runningOf(dataSourceId) },
    });
    const asleep = items.map(entryOf).filter((entry) => entry.look > look);
    await concurrently(asleep, writesAtOnce, ({ taskId }) =>
      this.bringForward({ id: taskId, dataSourceId }, look),
    );
  }
}
