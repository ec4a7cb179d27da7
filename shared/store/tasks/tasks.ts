import { isBuiltIn } from '../../domain/contacts/data-source.ts';
import { invalid, ServiceError } from '../../domain/errors.ts';
import { fuzzyFilter, matchesFuzzily } from '../../domain/names.ts';
import { sourcesOf, type Task, unknownDataSource, unknownExclusion } from '../../domain/tasks/task.ts';
import { entryOfAdd, entryOfMove, theService } from '../../domain/tasks/task-history.ts';
import { attentionAtMost } from '../../domain/tasks/task-overview.ts';
import {
  assertAllowed,
  assertDeletable,
  type Operation,
  status,
  statusAfter,
  type TaskStatus,
} from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { Agenda } from '../agenda/index.ts';
import { type EffectRecord, once, type RequestKey } from '../requests/index.ts';
import type { Database, TransactItem } from '../table/index.ts';
import { type Decision, keys, NamedRecords, type Requirement, useOf } from '../table/index.ts';
import { TaskHistory } from './task-history.ts';
import { TaskWork } from './task-work.ts';

type Board = {
  total: number;
  ids: string[];
  byStatus: Record<keyof typeof status, number>;
  attention: string[];
};
type Filter = { taskName?: string | undefined; status?: TaskStatus | undefined };

type TaskDecision = Decision<Task> & { callsAt?: number; note?: string };

class NotDue extends Error {}

export type TaskOfSource = Pick<Task, 'id' | 'taskName' | 'dataSourceId'>;

export class Tasks {
  readonly #database: Database;
  readonly #work: TaskWork;
  readonly #records: NamedRecords<Task>;
  readonly #history: TaskHistory;

  constructor(database: Database, agenda: Agenda) {
    this.#database = database;
    this.#history = new TaskHistory(database);
    this.#work = new TaskWork(agenda);
    this.#records = new NamedRecords(database, {
      kind: 'task',
      label: 'task',
      key: keys.task,
      headerOf: ({ id, taskName, status, dataSourceId }) => ({
        ...{ id, name: taskName, status, source: dataSourceId },
      }),
    });
  }

  /** Answers the task as it was added. @throws conflict when the name is taken; invalid (an unknown data source) */
  async add(task: Task, by: string = theService, requestKey?: RequestKey): Promise<Task> {
    return once(this.#database, requestKey, 'task#add', async (effectRecord) => {
      const history = this.#history.entry(task.id, 0, entryOfAdd(task, by));
      const source = useOf(this.#database, keys.dataSource(task.dataSourceId));
      await this.#records.add(
        task,
        [history, ...effectRecord(task)],
        [{ step: source, error: unknownDataSource() }, ...this.#exclusions(task)],
      );
      return task;
    });
  }

  /** @throws notFound */
  async find(id: string): Promise<Task> {
    return this.#records.find(id);
  }

  /** In the order of the ids. Unknown ids are skipped. */
  async findAll(ids: readonly string[]): Promise<Task[]> {
    return this.#records.findAll(ids);
  }

  /** @throws ServiceError invalid naming the field, and an id that no task has */
  async assertKnown(field: string, ids: readonly string[]): Promise<void> {
    const [unknown] = ids.length === 0 ? [] : await this.#records.unknownAmong(ids);
    if (unknown !== undefined) throw invalid(field, `the task "${unknown}" does not exist`, 'UNKNOWN');
  }

  /**
   * One operation of the state table: one conditional write, with an entry in the task's history. Of two
   * racing operations the second sees what the first left. `change` makes the other changes, `alsoOf` further writes of
   * the same transaction.
   * @throws notFound; notAllowed in the task's current state; conflict when a new name is taken
   */
  async move(
    id: string,
    operation: Operation,
    change: (task: Task) => Task | Promise<Task>,
    by: string = theService,
    requestKey?: RequestKey,
    alsoOf: (before: Task, after: Task) => Promise<TransactItem[]> = async () => [],
  ): Promise<Task> {
    const name = `task#${operation}#${id}`;
    return once(this.#database, requestKey, name, async (effectRecord: EffectRecord<Task>) => {
      const decide = async (task: Task) => {
        const changed = await change(task);
        const after = { ...changed, status: statusAfter(operation, task.status) };
        return { record: changed, also: [...(await alsoOf(task, after)), ...effectRecord(after)] };
      };
      const { record } = await this.change(id, operation, decide, by);
      return record;
    });
  }

  /**
   * As `move`, for operations with further writes: what `decide` answers is written in one transaction.
   * `callsAt` is the most urgent priority of the task's contacts, if it is not the task's own. `note` goes into the
   * history.
   */
  async change<D extends TaskDecision>(
    id: string,
    operation: Operation,
    decide: (task: Task) => Promise<D>,
    by: string = theService,
  ): Promise<D> {
    return this.#records.change(id, async (before, nth) => {
      assertAllowed(operation, before.status);
      const decision = await decide(before);
      const record = { ...decision.record, status: statusAfter(operation, before.status) };
      const entry = this.#history.entry(id, nth, entryOfMove(operation, before, record, by, decision.note));
      const work = await this.#work.steps(operation, before, record, decision.callsAt);
      const also = [entry, ...work, ...(decision.also ?? [])];
      return { ...decision, record, also, required: this.#exclusions(record, before) };
    });
  }

  /**
   * As `change`, for operations of the service itself. The task stays as it is if its state does not allow the operation
   * any more, or if `decide` answers nothing. Answers the task after it.
   */
  async changeIfDue(
    id: string,
    operation: Operation,
    decide: (task: Task) => Promise<TaskDecision | undefined>,
  ): Promise<Task> {
    try {
      const { record } = await this.change(id, operation, async (task) => {
        const decision = await decide(task);
        if (decision === undefined) throw new NotDue();
        return decision;
      });
      return record;
    } catch (error) {
      const isNotAllowed = error instanceof ServiceError && error.code === 'notAllowed';
      if (!isNotAllowed && !(error instanceof NotDue)) throw error;
      return this.find(id);
    }
  }

  /** The tasks that call these data sources, newest first. */
  async ofDataSources(dataSourceIds: ReadonlySet<string>): Promise<TaskOfSource[]> {
    const headers = await this.#records.headers();
    const unknown = headers.filter(({ source }) => source === undefined).map(({ id }) => id);
    const read = unknown.length === 0 ? [] : await this.#records.findAll(unknown);
    const sources = new Map(read.map(({ id, dataSourceId }) => [id, dataSourceId]));
    return headers.flatMap(({ id, name, source = sources.get(id) }) =>
      source !== undefined && dataSourceIds.has(source) ? [{ id, taskName: name, dataSourceId: source }] : [],
    );
  }

  /** Its items are removed in the background. @throws notFound; notAllowed in the task's current state */
  async remove(id: string, now: Instant, requestKey?: RequestKey): Promise<void> {
    await once(this.#database, requestKey, `task#delete#${id}`, async (effectRecord: EffectRecord<true>) => {
      await this.#records.remove(id, (task) => {
        assertDeletable(task.status);
        return [...this.#work.removal(task, now), ...effectRecord(true)];
      });
      return true;
    });
  }

  /** The tasks that are not CLOSED and call the data source or exclude its numbers, newest first. */
  async using(dataSourceId: string): Promise<Task[]> {
    const open = await this.#records.all((header) => header.status !== status.closed);
    return open.filter((task) => task.status !== status.closed && sourcesOf(task).includes(dataSourceId));
  }

  /** What was done to the task, newest first. @throws notFound */
  async history(id: string, offset: number, limit: number) {
    await this.find(id);
    return this.#history.page(id, offset, limit);
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

  /**
   * A page of tasks by name and state, the number of tasks in each state, and the newest of the states that may need
   * attention. From one read of the headers, newest first.
   */
  async board(offset: number, limit: number, filter: Filter): Promise<Board> {
    const name = fuzzyFilter(filter.taskName);
    const headers = await this.#records.headers();
    const named = headers.filter((header) => matchesFuzzily(header.name, name));
    const idsIn = (state: TaskStatus | undefined, among = named) =>
      among.filter((header) => state === undefined || header.status === state).map(({ id }) => id);
    const shown = idsIn(filter.status);
    const counts = Object.entries(status).map(([word, state]) => [word, idsIn(state).length]);
    return {
      total: shown.length,
      ids: shown.slice(offset, offset + limit),
      byStatus: Object.fromEntries(counts) as Board['byStatus'],
      attention: [status.paused, status.stopped, status.failed].flatMap((state) =>
        idsIn(state, headers).slice(0, attentionAtMost),
      ),
    };
  }

  /** Of all tasks, newest first. */
  async allIds(): Promise<string[]> {
    return (await this.#records.headers()).map(({ id }) => id);
  }

  /** The RUNNING and PAUSED tasks, newest first. */
  async active(): Promise<Task[]> {
    const isActive = ({ status: its }: { status?: number }) =>
      its === status.running || its === status.paused;
    return (await this.#records.page(0, Number.POSITIVE_INFINITY, isActive)).rows;
  }

  /** The task comes to exclude these data sources, so none of them may be deleted at the same moment. */
  #exclusions({ dataSourceId, excludedDataSourceIds = [] }: Task, before?: Task): Requirement[] {
    const known = [dataSourceId, ...(before?.excludedDataSourceIds ?? [])];
    return excludedDataSourceIds
      .filter((id) => !isBuiltIn(id) && !known.includes(id))
      .map((id) => ({ step: useOf(this.#database, keys.dataSource(id)), error: unknownExclusion(id) }));
  }
}
