/**
 * Tasks: their settings, their states, and what was done to them.
 *
 * - A task is one record. Each operation on it is one transaction, on the version that was read:
 *   the record, an entry of the task's history, and the work that follows from the change on the
 *   agenda. Of two operations at once the second sees what the first left, or is refused.
 * - One table (`rules/task-states.ts`) says in which state an operation is allowed, and where it
 *   leads. Clients publish, pause, resume, stop, recall, close and delete. The service itself
 *   completes a task, stops it at its `callUntil`, and pauses it when too many calls fail. The
 *   history names it as `service`.
 * - One list (`rules/task-settings.ts`) has every setting. Some may be adjusted while the task
 *   runs.
 * - A task keeps its data sources: a transaction that comes to name one fails if the source is
 *   deleted at the same moment.
 * - Counters and the times at which dialers asked lie beside the task. Dialing writes them, and
 *   this room reads them.
 *
 * A process that dies leaves the task as it was before or after the transaction. A request that is
 * sent again under its key is answered from the record of its effect. The items of a deleted task
 * are removed later, by the agenda.
 */

import type { Agenda } from '../platform/agenda/agenda.ts';
import { quietMs, removalWork } from '../platform/agenda/work.ts';
import { type EffectRecord, once, type RequestKey } from '../platform/requests/effects.ts';
import { invalid, ServiceError } from '../platform/rules/errors.ts';
import { fuzzyFilter, isBuiltIn, matchesFuzzily } from '../platform/rules/names.ts';
import type { Database, TransactItem } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import { type Decision, NamedRecords, type Requirement, useOf } from '../platform/table/named-records.ts';
import type { Instant } from '../platform/time/time.ts';
import { sourcesOf, type Task, unknownDataSource, unknownExclusion } from './rules/task.ts';
import { entryOfAdd, entryOfMove, theService } from './rules/task-changes.ts';
import {
  assertAllowed,
  assertDeletable,
  type Operation,
  status,
  statusAfter,
  type TaskStatus,
} from './rules/task-states.ts';
import { attentionAtMost } from './rules/task-views.ts';
import { historyEntry, readHistory } from './task-history.ts';
import { workSteps } from './task-work-steps.ts';

type Filter = { taskName?: string | undefined; status?: TaskStatus | undefined };

type TaskDecision = Decision<Task> & { callsAt?: number; note?: string };

class NotDue extends Error {}

export type TaskOfSource = Pick<Task, 'id' | 'taskName' | 'dataSourceId'>;

export class Tasks {
  readonly #database: Database;
  readonly #agenda: Agenda;
  readonly #records: NamedRecords<Task>;

  constructor(database: Database, agenda: Agenda) {
    this.#database = database;
    this.#agenda = agenda;
    this.#records = new NamedRecords(database, {
      kind: 'task',
      label: 'task',
      key: keys.task,
      headerOf: ({ id, taskName, status, dataSourceId }) => ({
        id,
        name: taskName,
        status,
        source: dataSourceId,
      }),
    });
  }

  /**
   * @returns the task as it was added
   * @throws conflict if the name is taken; invalid (an unknown data source)
   */
  async add(task: Task, by: string = theService, requestKey?: RequestKey): Promise<Task> {
    return once(this.#database, requestKey, 'task#add', async (effectRecord) => {
      const history = historyEntry(this.#database, task.id, 0, entryOfAdd(task, by));
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
   * One operation of the state table: one conditional write, with an entry in the task's history.
   * Of two racing operations the second sees what the first left. `change` makes the other changes,
   * `alsoOf` further writes of the same transaction.
   * @throws notFound; notAllowed in the task's current state; conflict if a new name is taken
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
   * Like `move`, for operations with further writes: what `decide` returns is written in one
   * transaction. `callsAt` is the most urgent priority of the task's contacts, if it is not the
   * task's own. `note` goes into the history.
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
      // Nothing was adjusted, so the history gets no entry.
      if (operation === 'adjust' && decision.record === before) return { ...decision, required: [] };
      const record = { ...decision.record, status: statusAfter(operation, before.status) };
      const told = entryOfMove(operation, before, record, by, decision.note);
      const entry = historyEntry(this.#database, id, nth, told);
      const work = await workSteps(this.#agenda, operation, before, record, decision.callsAt);
      const also = [entry, ...work, ...(decision.also ?? [])];
      return { ...decision, record, also, required: this.#exclusions(record, before) };
    });
  }

  /**
   * Like `change`, for operations of the service itself. The task stays as it is if its state does
   * not allow the operation any more, or if `decide` returns undefined.
   * @returns the task afterwards
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
    return headers.flatMap(({ id, name, source }) =>
      source !== undefined && dataSourceIds.has(source) ? [{ id, taskName: name, dataSourceId: source }] : [],
    );
  }

  /**
   * The task's items are removed in the background.
   * @throws notFound; notAllowed in the task's current state
   */
  async remove(id: string, now: Instant, requestKey?: RequestKey): Promise<void> {
    await once(this.#database, requestKey, `task#delete#${id}`, async (effectRecord: EffectRecord<true>) => {
      await this.#records.remove(id, (task) => {
        assertDeletable(task.status);
        // Functions that began before the deletion have ended when the removal is due.
        const notes = { dataSourceId: task.dataSourceId };
        const removal = this.#agenda.scheduleOf(removalWork('task', id), now + quietMs, notes);
        return [removal, ...effectRecord(true)];
      });
      return true;
    });
  }

  /** The tasks that are not CLOSED and call the data source or exclude its numbers. */
  async using(dataSourceId: string): Promise<Task[]> {
    const open = await this.#records.all((header) => header.status !== status.closed);
    return open.filter((task) => task.status !== status.closed && sourcesOf(task).includes(dataSourceId));
  }

  /** What was done to the task, newest first. @throws notFound */
  async history(id: string, offset: number, limit: number) {
    await this.find(id);
    return readHistory(this.#database, id, offset, limit);
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
   * A page of tasks by name and state, the number of tasks in each state, and the newest tasks of
   * the states that may need attention. From one read of the headers, newest first.
   */
  async board(offset: number, limit: number, filter: Filter) {
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
      byStatus: Object.fromEntries(counts) as Record<keyof typeof status, number>,
      attention: [status.paused, status.stopped, status.failed].flatMap((state) =>
        idsIn(state, headers).slice(0, attentionAtMost),
      ),
    };
  }

  /** Of all tasks, newest first. */
  async headers(): Promise<(TaskOfSource & { status: number | undefined })[]> {
    const headers = await this.#records.headers();
    return headers.map(({ id, name, source = '', status: its }) => ({
      id,
      taskName: name,
      dataSourceId: source,
      status: its,
    }));
  }

  /** The ids of all tasks, newest first. */
  async allIds(): Promise<string[]> {
    return (await this.#records.headers()).map(({ id }) => id);
  }

  /** The RUNNING and PAUSED tasks, newest first. */
  async active(): Promise<Task[]> {
    const isActive = ({ status: its }: { status?: number }) =>
      its === status.running || its === status.paused;
    return (await this.#records.page(0, Number.POSITIVE_INFINITY, isActive)).rows;
  }

  /** None of the newly excluded data sources may be deleted at the same moment. */
  #exclusions({ dataSourceId, excludedDataSourceIds = [] }: Task, before?: Task): Requirement[] {
    const known = [dataSourceId, ...(before?.excludedDataSourceIds ?? [])];
    return excludedDataSourceIds
      .filter((id) => !isBuiltIn(id) && !known.includes(id))
      .map((id) => ({ step: useOf(this.#database, keys.dataSource(id)), error: unknownExclusion(id) }));
  }
}
