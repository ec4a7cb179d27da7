import { fuzzyFilter, matchesFuzzily } from '../domain/names.ts';
import type { Task } from '../domain/task.ts';
import {
  assertAllowed,
  type Operation,
  status,
  statusAfter,
  type TaskStatus,
} from '../domain/task-states.ts';
import type { Database, TransactItem } from './database.ts';
import { keys } from './keys.ts';
import { NamedRecords } from './named-records.ts';

type Filter = { taskName?: string | undefined; status?: TaskStatus | undefined };

export class Tasks {
  readonly #database: Database;
  readonly #records: NamedRecords<Task>;

  constructor(database: Database) {
    this.#database = database;
    this.#records = new NamedRecords(database, {
      kind: 'task',
      label: 'task',
      key: keys.task,
      headerOf: (task) => ({ id: task.id, name: task.taskName, status: task.status }),
    });
  }

  /** @throws conflict when the name is taken */
  async add(task: Task): Promise<void> {
    await this.#records.add(task);
  }

  /** @throws notFound */
  async find(id: string): Promise<Task> {
    return this.#records.find(id);
  }

  /**
   * One operation of the state table as one conditional write; of two racing ones the second sees the
   * first's outcome. `change` makes the other changes; `also` lands in the same transaction.
   * @throws notFound; notAllowed in the task's current state; conflict when a new name is taken
   */
  async move(
    id: string,
    operation: Operation,
    change: (task: Task) => Task | Promise<Task>,
    also: (task: Task) => TransactItem[] = () => [],
  ): Promise<Task> {
    const { record } = await this.#records.change(id, async (before) => {
      assertAllowed(operation, before.status);
      const after = { ...(await change(before)), status: statusAfter(operation, before.status) };
      return { record: after, also: [...this.#roster(before, after), ...also(after)] };
    });
    return record;
  }

  /** Newest first. */
  async page(offset: number, limit: number, filter: Filter = {}) {
    const name = fuzzyFilter(filter.taskName);
    const filtered = name !== undefined || filter.status !== undefined;
    return this.#records.page(
      offset,
      limit,
      filtered
        ? (header) =>
            matchesFuzzily(header.name, name) &&
            (filter.status === undefined || header.status === filter.status)
        : undefined,
    );
  }

  /** The tasks to dial: those that are RUNNING, so that a dialer need not look through all tasks. */
  #roster(before: Task, after: Task): TransactItem[] {
    if (before.status === after.status) return [];
    if (after.status === status.running) {
      return [this.#database.putOf({ ...keys.running(after.id), task: after })];
    }
    return before.status === status.running ? [this.#database.deleteOf(keys.running(after.id))] : [];
  }
}
