import { callbackLevel } from '../../domain/dialing/dial-state.ts';
import { priorities } from '../../domain/dialing/dialing.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database, Item, Key, TransactItem } from '../table/index.ts';
import {
  concurrently,
  ifUnchanged,
  isMade,
  keys,
  Lost,
  optimistic,
  partitionRange,
  tableDefinition,
} from '../table/index.ts';

/** A RUNNING task, and when a lease request should check it next. */
export type RosterEntry = {
  taskId: string;
  /** Empty in an entry for callbacks. */
  dataSourceId: string;
  /** The most urgent priority of its contacts; 0: the entry is for its agreed callbacks. */
  priority: number;
  /** No contact can be called before. A time too early costs one check; a time too late is a bug. */
  checkTime: Instant;
  /** Changes with each write. */
  token: number;
};

type RosterTask = Pick<Task, 'id' | 'dataSourceId'>;

const lowest = priorities.length;
const levels = [callbackLevel, ...priorities];
/** `areAll`: no other task is due. `next`: the first check time after that. */
type DueTasks = { entries: RosterEntry[]; areAll: boolean; next: Instant };

/** Read at a time of each priority. */
const listedAtOnce = 100;
const writesAtOnce = 8;

const newToken = () => Math.floor(Math.random() * 2 ** 48);

const keyOf = ({ taskId, dataSourceId, priority }: RosterEntry): Key =>
  priority === callbackLevel ? keys.callbacks(taskId) : keys.running(dataSourceId, taskId);

const itemOf = (entry: RosterEntry): Item => ({
  ...keyOf(entry),
  gsi1pk: keys.roster(entry.priority),
  gsi1sk: keys.rosterSort(entry.checkTime, entry.taskId),
  v: entry.token,
});

const entryOf = ({ pk, sk, gsi1pk, gsi1sk, v }: Item): RosterEntry => {
  const [, taskId = ''] = sk === keys.callbacks('').sk ? pk.split('#') : ['', sk];
  return {
    taskId,
    dataSourceId: taskId === sk ? pk.slice(keys.runningOf('').length) : '',
    priority: Number((gsi1pk as string).slice(keys.roster(0).length - 1)),
    checkTime: Number.parseInt(gsi1sk as string, 10),
    token: v as number,
  };
};

const callbacksOf = (taskId: string, checkTime: Instant): RosterEntry => ({
  taskId,
  dataSourceId: '',
  priority: callbackLevel,
  checkTime,
  token: newToken(),
});

/**
 * The RUNNING tasks by check time. A lease request checks the tasks whose time has come, and no others. A request that
 * finds no contact to call in a task postpones the task. A change that makes a contact callable sooner brings the task
 * forward.
 */
export class Roster {
  readonly #database: Database;
  /** The last entry that was read at a priority, if more may be due there: the next reading goes on behind it. */
  readonly #readTo = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Its contacts have been waiting since its start at the longest. */
  enter({ id, dataSourceId, startTime }: Task, priority: number): TransactItem {
    const entry = { taskId: id, dataSourceId, priority, checkTime: startTime ?? 0, token: newToken() };
    return this.#database.putOf(itemOf(entry));
  }

  leave({ id, dataSourceId }: Task): TransactItem {
    return this.#database.deleteOf(keys.running(dataSourceId, id));
  }

  /** Contacts of a paused task may be corrected: it stays among the tasks of its data source. */
  enterPaused({ id, dataSourceId }: Task): TransactItem {
    return this.#database.putOf(keys.paused(dataSourceId, id));
  }

  leavePaused({ id, dataSourceId }: Task): TransactItem {
    return this.#database.deleteOf(keys.paused(dataSourceId, id));
  }

  /**
   * The tasks to check by now, the most urgent first, and the first check time after that, up to `until`. On AWS the
   * answer may lag a moment.
   */
  async due(now: Instant, until: Instant): Promise<DueTasks> {
    const due = await concurrently(levels, levels.length, (level) => this.#dueAt(level, now, until));
    return {
      entries: due.flatMap(({ entries }) => entries),
      areAll: due.every(({ areAll }) => areAll),
      next: Math.min(...due.map(({ next }) => next)),
    };
  }

  /** At most `limit` tasks to check by now at each priority before `level`, the most urgent first. May lag a moment. */
  async dueBefore(level: number, now: Instant, limit: number): Promise<string[]> {
    const before = priorities.filter((priority) => priority < level);
    const found = await concurrently(before, before.length, (priority) =>
      this.#read(priority, '#', keys.rosterSort(now, '~'), limit),
    );
    return found.flatMap((items) => items.map((item) => entryOf(item).taskId));
  }

  /** Where more tasks are due than one reading gives, readings take turns, so that every task is checked. */
  async #dueAt(priority: number, now: Instant, until: Instant): Promise<DueTasks> {
    const to = keys.rosterSort(until, '');
    const readTo = this.#readTo.get(priority) ?? '';
    const from = readTo < to ? `${readTo}#` : '#';
    const items = await this.#read(priority, from, to, listedAtOnce);
    const read = items.map(entryOf);
    const entries = read.filter(({ checkTime }) => checkTime <= now);
    // In the order of their check times: behind a task that is not due there is none that is.
    const isFull = entries.length === listedAtOnce;
    this.#readTo.set(priority, isFull ? (items.at(-1)!.gsi1sk as string) : '');
    return {
      entries,
      areAll: from === '#' && !isFull,
      next: Math.min(until, ...read.slice(entries.length).map(({ checkTime }) => checkTime)),
    };
  }

  /** Entries of one priority between two sort keys, in the order of their check times. */
  #read(priority: number, from: string, to: string, limit: number): Promise<Item[]> {
    return this.#database.queryAll({
      IndexName: tableDefinition.index.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': keys.roster(priority), ':from': from, ':to': to },
      Limit: limit,
    });
  }

  /** `undefined`: the task is not running. */
  async find({ id, dataSourceId }: RosterTask): Promise<RosterEntry | undefined> {
    const item = await this.#database.get(keys.running(dataSourceId, id));
    return item && entryOf(item);
  }

  /** The entry for the agreed callbacks of a task; `undefined`: there are none, or the task is paused. */
  async findCallbacks(taskId: string): Promise<RosterEntry | undefined> {
    const item = await this.#database.get(keys.callbacks(taskId));
    return item?.gsi1pk === undefined ? undefined : entryOf(item);
  }

  /** Call it after the write that agrees on a callback, from `checkTime` on. */
  async expectCallback({ id }: Pick<Task, 'id'>, checkTime: Instant): Promise<void> {
    await this.#rewriteCallbacks(
      id,
      checkTime,
      (known) => known === undefined || known.checkTime > checkTime,
    );
  }

  /** As `expectCallback`, but always writes: a request that is checking the callbacks then fails to postpone them. */
  async disturbCallbacks({ id }: Pick<Task, 'id'>, checkTime: Instant): Promise<void> {
    await this.#rewriteCallbacks(id, checkTime, () => true);
  }

  async #rewriteCallbacks(
    id: string,
    checkTime: Instant,
    isWorthIt: (entry: RosterEntry | undefined) => boolean,
  ): Promise<void> {
    await optimistic(async () => {
      const item = await this.#database.get(keys.callbacks(id));
      const known = item?.gsi1pk === undefined ? undefined : entryOf(item);
      if (!isWorthIt(known)) return;
      const entry = callbacksOf(id, Math.min(checkTime, known?.checkTime ?? checkTime));
      const isWritten = await isMade(() =>
        this.#database.put(itemOf(entry), ifUnchanged(item?.v as number | undefined)),
      );
      if (!isWritten) throw new Lost();
    });
  }

  /** A task that runs again has its callbacks checked again. */
  async enterCallbacks({ id }: Task): Promise<TransactItem[]> {
    const item = await this.#database.get(keys.callbacks(id));
    return item === undefined ? [] : [this.#database.putOf(itemOf(callbacksOf(id, 0)))];
  }

  /** Takes an entry for callbacks out of the index, unless it was written since it was read. */
  park(entry: RosterEntry): Promise<boolean> {
    const item = { ...keyOf(entry), v: newToken() };
    return isMade(() => this.#database.put(item, ifUnchanged(entry.token)));
  }

  /** Unless the entry was written since it was read. */
  remove(entry: RosterEntry): Promise<boolean> {
    return isMade(() => this.#database.delete(keyOf(entry), ifUnchanged(entry.token)));
  }

  /** Writes the entry with another check time, unless the entry was written since it was read. */
  async postpone(entry: RosterEntry, checkTime: Instant): Promise<boolean> {
    const item = itemOf({ ...entry, checkTime, token: newToken() });
    return isMade(() => this.#database.put(item, ifUnchanged(entry.token)));
  }

  /** Call it after the write that makes a contact callable from `checkTime` on, at `priority` or a less urgent one. */
  async bringForward(task: RosterTask, checkTime: Instant, priority: number = lowest): Promise<void> {
    await this.#rewrite(
      task,
      checkTime,
      priority,
      (entry) => entry.checkTime > checkTime || entry.priority > priority,
    );
  }

  /** Call it after the write that lets a task call again whose limits held its calls back. */
  async bringAllForward(task: RosterTask, checkTime: Instant): Promise<void> {
    const isLate = (known: RosterEntry | undefined) => known !== undefined && known.checkTime > checkTime;
    await Promise.all([
      this.bringForward(task, checkTime),
      this.#rewriteCallbacks(task.id, checkTime, isLate),
    ]);
  }

  /** As `bringForward`, but always writes: a request that is checking the task meanwhile then fails to postpone it. */
  async disturb(task: RosterTask, checkTime: Instant): Promise<void> {
    await this.#rewrite(task, checkTime, lowest, () => true);
  }

  async #rewrite(
    task: RosterTask,
    checkTime: Instant,
    priority: number,
    isWorthIt: (entry: RosterEntry) => boolean,
  ): Promise<void> {
    await optimistic(async () => {
      const entry = await this.find(task);
      if (entry === undefined || !isWorthIt(entry)) return;
      const sooner = { ...entry, priority: Math.min(entry.priority, priority) };
      if (!(await this.postpone(sooner, Math.min(entry.checkTime, checkTime)))) throw new Lost();
    });
  }

  /** The RUNNING and PAUSED tasks of the data source. */
  async tasksOf(dataSourceId: string): Promise<string[]> {
    const [running, paused] = [keys.runningOf(dataSourceId), keys.pausedOf(dataSourceId)];
    const found = new Set<string>();
    // One after another, so that a task that is paused or resumed meanwhile is not missed.
    for (const list of [running, paused, running])
      for (const { sk } of await this.#database.queryAll(partitionRange(list))) found.add(sk);
    return [...found];
  }

  /** The contacts of the data source have changed: its tasks may have new contacts to call, or none any more. */
  async wake(dataSourceId: string, checkTime: Instant): Promise<void> {
    const items = await this.#database.queryAll(partitionRange(keys.runningOf(dataSourceId)));
    const asleep = items.map(entryOf).filter((entry) => entry.checkTime > checkTime);
    await concurrently(asleep, writesAtOnce, ({ taskId }) =>
      this.bringForward({ id: taskId, dataSourceId }, checkTime),
    );
  }
}
