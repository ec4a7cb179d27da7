import type { Contacts } from '../contacts/contacts.ts';
import { type Agenda, type Entry, parked } from '../platform/agenda/agenda.ts';
import { allEnded, concurrently } from '../platform/table/concurrency.ts';
import type { Database } from '../platform/table/database.ts';
import { keys } from '../platform/table/keys.ts';
import type { ServiceHours } from '../platform/time/schedule.ts';
import { type Instant, secondMs } from '../platform/time/time.ts';
import { mayTaskCall, type Task, type TaskDecision } from '../tasks/rules/task.ts';
import { priorities } from '../tasks/rules/task-settings.ts';
import { status } from '../tasks/rules/task-states.ts';
import { callbacksOf, callsOf } from '../tasks/task-work.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { CallingRules } from './calling-rules.ts';
import type { DialedTask } from './leases/candidates.ts';
import type { Intakes } from './leases/intakes.ts';
import type { Wanted } from './leases/lease-rounds.ts';
import type { TaskEnds } from './results/ends.ts';
import {
  allLevels,
  type Counters,
  callbackLevel,
  type DialState,
  levelsOf,
  recallsPending,
} from './rules/dial-state.ts';
import { checkAgain } from './rules/waits.ts';
import type { TaskContacts } from './task-contacts.ts';
import { readCounters } from './task-counters.ts';

/** `areAll`: no other task is due. `next`: the first due time after that. */
type Due = { entries: Entry[]; areAll: boolean; next: Instant };

/** Entries of each level that one reading gives. */
const usuallyListed = 100;

/** The line of the agenda with the tasks that have calls of that level. */
const lineOf = (level: number) =>
  level === callbackLevel ? { kind: 'callbacks' as const } : { kind: 'calls' as const, level };

/** The tasks whose calls or callbacks a lease request should check now. */
export class DueTasks {
  readonly #agenda: Agenda;
  readonly #listedAtOnce: number;
  /** The last entry that was read at a level, if more may be due there, for the next reading. */
  readonly #readTo = new Map<number, string>();

  constructor(agenda: Agenda, listedAtOnce = usuallyListed) {
    this.#agenda = agenda;
    this.#listedAtOnce = listedAtOnce;
  }

  /**
   * The due tasks up to `until`, the most urgent first, and the first due time after them. On AWS
   * the index may lag a moment.
   */
  async read(now: Instant, until: Instant): Promise<Due> {
    const due = await concurrently(allLevels, allLevels.length, (level) =>
      this.#readLevel(level, now, until),
    );
    return {
      entries: due.flatMap(({ entries }) => entries),
      areAll: due.every(({ areAll }) => areAll),
      next: Math.min(...due.map(({ next }) => next)),
    };
  }

  /** If many tasks are due, readings take turns, so that every task is checked. */
  async #readLevel(level: number, now: Instant, until: Instant): Promise<Due> {
    const after = this.#readTo.get(level) ?? '';
    const read = await this.#agenda.due(lineOf(level), until, this.#listedAtOnce, after);
    const entries = read.filter(({ due }) => due <= now);
    // Entries are ordered by due time: behind a task that is not due, no task is due.
    const isFull = entries.length === this.#listedAtOnce;
    this.#readTo.set(level, isFull ? read.at(-1)!.sort : '');
    return {
      entries,
      areAll: after === '' && !isFull,
      next: Math.min(until, ...read.slice(entries.length).map(({ due }) => due)),
    };
  }
}

/**
 * At most `limit` tasks to check now at each priority before `level`, the most urgent first. May
 * lag a moment.
 */
export const readTasksBefore = async (
  agenda: Agenda,
  level: number,
  now: Instant,
  limit: number,
): Promise<string[]> => {
  const before = priorities.filter((priority) => priority < level);
  const found = await concurrently(before, before.length, (priority) =>
    agenda.due(lineOf(priority), now, limit),
  );
  return found.flat().map(({ id }) => id);
};

/** Called after the write because of which a task at its limit may call again. */
export const bringTaskForward = async (
  agenda: Agenda,
  task: Pick<Task, 'id' | 'dataSourceId'>,
  due: Instant,
): Promise<void> => {
  await allEnded([agenda.bringForward(callsOf(task), due), agenda.bringForward(callbacksOf(task), due)]);
};

/** A task, and whether its contacts may be called now; if not, from `opening` on. */
export type CheckedTask = DialedTask & { isOpen: boolean; opening: Instant };
export type CheckedEntry = CheckedTask & { entry: Entry };

type Dependencies = ServiceHours & {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  intakes: Intakes;
  ends: TaskEnds;
  rules: CallingRules;
};

/** What the due time depends on. `waiting`: a contact that waits, if one was searched for. */
type Basis = { dial: DialState; counters: Counters; endSeq: number; waiting: number | undefined };

/** An import that is under way may end at any time. */
const importCheckMs = 5 * secondMs;
/** The index may not show yet what was reported within this time, or what a recall is queueing. */
const lagMs = 3 * secondMs;
/** When a task is checked again for what the index does not show yet. */
const lagCheckMs = secondMs;
/** A change that was missed is found by then, for example after a process died. */
const checkAtLeastMs = 600 * secondMs;
/** Random, so that tasks that became idle together are not all checked by one request. */
const idleCheckMs = () => checkAtLeastMs * (0.5 + Math.random() / 2);

/**
 * Reads tasks for a lease request. A task that has no contact to call now is postponed, and then
 * everything on which its due time depends is read again.
 */
export class TaskChecks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Outside the task's hours, contacts with a time zone of their own may be called. A task whose
   * dates are over is stopped.
   */
  async checkOrStop(taskId: string, { now, pace }: Wanted): Promise<CheckedTask> {
    const { tasks, intakes, ends } = this.#deps;
    const [found, progress] = await Promise.all([tasks.find(taskId), intakes.progress(taskId, now)]);
    const decision = await this.#decide(found, now);
    const task = decision.is === 'over' ? await ends.stop(found, now) : found;
    const isOpen = decision.is === 'open';
    if (isOpen) await pace.join(task);
    const { zone } = this.#deps;
    const opens = decision.is === 'closed' ? decision.opens : null;
    return {
      task,
      progress,
      isOpen,
      opening: opens ?? checkAgain({ schedule: task, serviceZone: zone }, now),
    };
  }

  /** Zones of contacts are read only if the task is closed by its own hours. */
  async #decide(task: Task, now: Instant): Promise<TaskDecision> {
    const { rules, zone, callingHours } = this.#deps;
    const facts = { task, zone, callingHours, now };
    const decision = mayTaskCall({ ...facts, hasOwnZones: false });
    if (decision.is !== 'closed' || !(await rules.hasOwnZones(task.dataSourceId))) return decision;
    return mayTaskCall({ ...facts, hasOwnZones: true });
  }

  /**
   * Completes the task, or postpones its entry.
   * @returns the due time, which is `now` if the task must be checked again at once; undefined if
   *   the task has ended
   */
  async postpone(entry: Entry, task: Task, now: Instant): Promise<Instant | undefined> {
    const { database, agenda, contacts, ends } = this.#deps;
    const counters = await readCounters(database, task.id);
    const idle = await ends.completeIdle(task, now);
    if (idle.status !== status.running) return undefined;
    // A process may have died after it agreed on a callback.
    if (counters.callbacks > 0) {
      const callbacks = await agenda.find(callbacksOf(task));
      if ((callbacks?.due ?? parked) === parked) await agenda.schedule(callbacksOf(task), now);
    }
    const { dial, intakes } = await this.#deps.intakes.progress(task.id, now);
    if (intakes.length > 0 || dial.review !== undefined) return now;
    const fresh = await contacts.visibleFrom(task.dataSourceId, dial.cursor, 1, dial.visibleTo);
    if (fresh.contacts.length > 0 || !fresh.isLast) return now;
    const { lastCallTime } = counters.tally;
    const mayLag = recallsPending(dial, counters.failed) > 0 || (lastCallTime ?? 0) > now - lagMs;
    const due = Math.min(
      now + Math.round(idleCheckMs()),
      ...(fresh.isHeldBack ? [now + importCheckMs] : []),
      ...(mayLag ? [now + lagCheckMs] : []),
      ...(await this.#dueTimes(task, dial, now)),
    );
    if (due <= now) return now;
    const [level = task.priority] = levelsOf(task, dial);
    if (!(await agenda.postpone({ ...entry, level }, due))) return now;
    const basis = { dial, counters, endSeq: fresh.nextSeq, waiting: idle.waiting };
    if (fresh.isHeldBack || !(await this.#hasChanged(task, basis, now))) return due;
    await agenda.bringForward(callsOf(task), now);
    return now;
  }

  /** When the first contact comes due, or the first lease ends, in all lines and intakes. */
  async #dueTimes(task: Task, dial: DialState, now: Instant): Promise<Instant[]> {
    const { intakes, taskContacts } = this.#deps;
    const times = [(await intakes.nextCheckTime(task.id, now)) ?? []].flat();
    for (const level of levelsOf(task, dial)) times.push(...(await taskContacts.dueTimes(task.id, level)));
    return times;
  }

  async #hasChanged(task: Task, basis: Basis, now: Instant): Promise<boolean> {
    const { database, contacts } = this.#deps;
    const [counters, { dial, intakes }, endSeq, waiting] = await Promise.all([
      readCounters(database, task.id),
      this.#deps.intakes.progress(task.id, now),
      contacts.nextSeq(task.dataSourceId),
      basis.waiting === undefined || database.get(keys.contact(task.dataSourceId, basis.waiting)),
    ]);
    return (
      counters.tally.callCount !== basis.counters.tally.callCount ||
      dial.version !== basis.dial.version ||
      intakes.length > 0 ||
      endSeq !== basis.endSeq ||
      waiting === undefined
    );
  }

  /**
   * Postpones the entry to the time of the next callback.
   * @returns that time; undefined if there is none
   */
  async postponeCallbacks(entry: Entry, task: Task, now: Instant): Promise<Instant | undefined> {
    const { database, agenda } = this.#deps;
    const { callbacks, tally } = await readCounters(database, task.id);
    const due = callbacks === 0 ? undefined : await this.#nextCallback(task, tally.lastCallTime, now);
    if (due !== undefined && due <= now) return now;
    const isMoved = await (due === undefined ? agenda.done(entry) : agenda.postpone(entry, due));
    if (!isMoved) return now;
    const after = await readCounters(database, task.id);
    if (after.tally.callCount === tally.callCount) return due;
    await agenda.schedule(callbacksOf(task), now);
    return now;
  }

  /** Contacts in a call are found again when their lease ends. */
  async #nextCallback(task: Task, lastCallTime: Instant | null, now: Instant): Promise<Instant> {
    const times = await this.#deps.taskContacts.dueTimes(task.id, callbackLevel);
    if ((lastCallTime ?? 0) > now - lagMs) times.push(now + lagCheckMs);
    // The counters show callbacks that the index does not show yet.
    return times.length === 0 ? now + lagCheckMs : Math.min(...times);
  }
}

/** Tasks that are remembered. A task that was forgotten counts as never served. */
const remembered = 1000;

/** The order in which this process has served tasks. Each process has its own, in memory. */
export class ServedTasks {
  /** The least recently served first. */
  readonly #served = new Map<string, number>();
  #count = 0;

  note(taskId: string): void {
    this.#served.delete(taskId);
    this.#served.set(taskId, ++this.#count);
    const [oldest] = this.#served.keys();
    if (this.#served.size > remembered) this.#served.delete(oldest!);
  }

  /** The least recently served first, and before them tasks never served, in random order. */
  inTurn<T>(tasks: readonly T[], idOf: (task: T) => string): T[] {
    return tasks
      .map((task) => ({ task, turn: this.#served.get(idOf(task)) ?? -Math.random() }))
      .sort((a, b) => a.turn - b.turn)
      .map(({ task }) => task);
  }
}
