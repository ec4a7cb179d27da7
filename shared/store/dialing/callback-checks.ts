import { callbackLevel } from '../../domain/dialing/dial-state.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { status } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database } from '../table/index.ts';
import type { Roster, RosterEntry, Tasks } from '../tasks/index.ts';
import type { TaskContacts } from './task-contacts.ts';
import { readCounters } from './task-counters.ts';

type Dependencies = { database: Database; tasks: Tasks; roster: Roster; taskContacts: TaskContacts };

const secondMs = 1000;
/** The index may not show yet what was reported within `lagMs`. */
const [lagMs, lagCheckMs] = [3 * secondMs, secondMs];

/**
 * Finds out when to check the agreed callbacks of a task next. A result that agrees on a callback writes the contact
 * first and reads the roster then. Here the roster is written first, and the counters are read again then. So one of the
 * two sees the other.
 */
export class CallbackChecks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Moves the entry to the time of the next callback, which it answers. `undefined`: there is none. */
  async plan(entry: RosterEntry, task: Task, now: Instant): Promise<Instant | undefined> {
    const { database, roster } = this.#deps;
    const { callbacks, tally } = await readCounters(database, task.id);
    const checkTime = callbacks === 0 ? undefined : await this.#nextDue(task, tally.lastCallTime, now);
    if (checkTime !== undefined && checkTime <= now) return now;
    const isMoved = await (checkTime === undefined
      ? roster.remove(entry)
      : roster.postpone(entry, checkTime));
    if (!isMoved) return now;
    const after = await readCounters(database, task.id);
    if (after.tally.callCount === tally.callCount) return checkTime;
    await roster.expectCallback(task, now);
    return now;
  }

  /** The task does not run: its callbacks wait until it is resumed, and its entry is not read until then. */
  async park(entry: RosterEntry): Promise<void> {
    const { tasks, roster } = this.#deps;
    if (!(await roster.park(entry))) return;
    const task = await tasks.find(entry.taskId);
    if (task.status === status.running) await roster.expectCallback(task, 0);
  }

  /** Contacts in a call are found again when their lease ends. */
  async #nextDue(task: Task, lastCallTime: Instant | null, now: Instant): Promise<Instant> {
    const times = (lastCallTime ?? 0) > now - lagMs ? [now + lagCheckMs] : [];
    for await (const { since, isLeased } of this.#deps.taskContacts.line(task.id, callbackLevel, 1)) {
      times.push(since);
      if (!isLeased) break;
    }
    // The counters say that there are callbacks: the index does not show them yet.
    return times.length === 0 ? now + lagCheckMs : Math.min(...times);
  }
}
