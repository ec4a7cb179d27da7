import type { CountedCalls, TaskDay } from '../../domain/tasks/service-day.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { dayMs, type Instant } from '../../domain/time.ts';
import {
  concurrently,
  type Database,
  type Item,
  keyRange,
  keys,
  Lost,
  optimistic,
  partitionRange,
  prefixRange,
} from '../table/index.ts';
import { readCounterItems, readWithParts } from './counter-items.ts';
import { dayOf, gatheredIn, partsOfDay } from './task-timeline.ts';

const tasksAtOnce = 50;

type EnteredTask = Pick<Task, 'id' | 'taskName'>;

const entryOf = ({ id, taskName }: EnteredTask, day: Instant): Item => ({
  ...keys.dayOfTask(day, id),
  taskName,
});

/** Kept in a counter item: the day of its last call. The task is entered on that day. */
export const dayMark = (at: Instant) => ({ day: dayOf(at) });

/**
 * The days of the service: the calls of all tasks, also of deleted ones. Before the first call of a day is counted in a
 * counter item, the task is entered on that day, so a reader finds every task that called without reading the others. A
 * crash in between leaves an entry without calls. The counts themselves are those of the timeline: items of days, and
 * counter items that are still gathering. Entries and items of days are kept for good. Days are those of UTC, and their
 * quarter hours make up the days of any zone.
 */
export class ServiceDays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** To be called before a call is counted in the counter item, as it was read. */
  async enter(task: EnteredTask, counter: Item | undefined, now: Instant): Promise<void> {
    const { day } = dayMark(now);
    if (counter?.day !== day) await this.#database.put(entryOf(task, day));
  }

  /** Enters the task on all days on which it called, as its counts show. */
  async enterAll(task: EnteredTask): Promise<void> {
    const [counters, days] = await Promise.all([
      readCounterItems(this.#database, task.id),
      this.#database.queryAll(prefixRange(keys.timeline(task.id), keys.timelineDays)),
    ]);
    const counts = [...counters.flatMap(gatheredIn), ...days.flatMap(partsOfDay)];
    const called = new Set(counts.map(({ time }) => dayOf(time)));
    await this.#database.putAll([...called].map((day) => entryOf(task, day)));
  }

  /** What each task did in a stretch of time. */
  async read(from: Instant, until: Instant): Promise<TaskDay[]> {
    const length = (dayOf(until - 1) - dayOf(from)) / dayMs + 1;
    const days = Array.from({ length }, (_, i) => dayOf(from) + i * dayMs);
    const entered = await concurrently(days, days.length, (day) =>
      this.#database.queryAll(partitionRange(keys.dayOfTask(day, '').pk)),
    );
    const names = new Map(entered.flat().map(({ sk, taskName }) => [sk, taskName as string]));
    return concurrently([...names], tasksAtOnce, async ([taskId, taskName]) => ({
      taskId,
      taskName,
      ...(await optimistic(() => this.#readTask(taskId, from, until))),
    }));
  }

  /** Counts may move from the counters to the days meanwhile. They have not moved if the days are the same before and after. */
  async #readTask(id: string, from: Instant, until: Instant): Promise<Pick<TaskDay, 'status' | 'counts'>> {
    const before = await this.#readDays(id, from, until);
    const task = keys.task(id);
    // The counters and the task's own record are neighbours.
    const items = await readWithParts(this.#database, id, () =>
      this.#database.queryAll(keyRange(task.pk, keys.taskCounterPrefix, task.sk)),
    );
    const after = await this.#readDays(id, from, until);
    // Counts of days only grow.
    if (sumOf(before) !== sumOf(after)) throw new Lost('counts have moved');
    const record = items.find(({ sk }) => sk === task.sk) as Task | undefined;
    const gathering = items.filter(({ sk }) => sk.startsWith(keys.taskCounterPrefix)).flatMap(gatheredIn);
    return { status: record?.status ?? null, counts: [...after, ...gathering] };
  }

  async #readDays(id: string, from: Instant, until: Instant): Promise<CountedCalls[]> {
    const [first, last] = [from, until - 1].map((at) => keys.timelineDay(id, dayOf(at)).sk) as [
      string,
      string,
    ];
    return (await this.#database.queryAll(keyRange(keys.timeline(id), first, last))).flatMap(partsOfDay);
  }
}

const sumOf = (counts: readonly CountedCalls[]) => counts.reduce((sum, { count }) => sum + count, 0);
