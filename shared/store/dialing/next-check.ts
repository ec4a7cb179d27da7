import { type Counters, type DialState, levelsOf, recallsPending } from '../../domain/dialing/dial-state.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { status } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/index.ts';
import type { Database } from '../table/index.ts';
import { keys } from '../table/index.ts';
import type { Roster, RosterEntry } from '../tasks/index.ts';
import type { Completion } from './completion.ts';
import type { Intakes } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';
import { readCounters } from './task-counters.ts';

type Dependencies = {
  database: Database;
  roster: Roster;
  contacts: Contacts;
  taskContacts: TaskContacts;
  intakes: Intakes;
  completion: Completion;
};

/** What a look found, to be compared with what is there once the entry is moved. */
type ReadProgress = { dial: DialState; counters: Counters; endSeq: number; waiting: number | undefined };

const secondMs = 1000;
/** An import that is under way may end at any time. */
const importCheckMs = 5 * secondMs;
/** What was reported so lately, or a recall is still queueing, the index may not show yet: look again soon. */
const [lagMs, lagCheckMs] = [3 * secondMs, secondMs];
/** Whatever was missed, a process that died before it could tell for example, is found by then. */
const checkAtLeastMs = 600 * secondMs;

/**
 * Finds out when to look at a task next that nobody can be called of now. Whoever makes a contact callable
 * sooner writes that first and then reads the roster; here the roster is written first, and then what was read
 * is read again. So one of the two sees the other.
 */
export class NextCheck {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Completes the task, or moves its entry of the roster to its next moment. */
  async plan(entry: RosterEntry, task: Task, now: Instant): Promise<void> {
    const { database, roster, contacts, completion } = this.#deps;
    const counters = await readCounters(database, task.id);
    const idle = await completion.completeIdle(task, now);
    if (idle.status !== status.running) return;
    const { dial, intakes } = await this.#deps.intakes.progress(task.id, now);
    if (intakes.length > 0) return;
    const fresh = await contacts.claimable(task.dataSourceId, dial.cursor, 1, dial.visibleTo);
    if (fresh.contacts.length > 0 || !fresh.isLast) return;
    const soon = [
      now + checkAtLeastMs,
      ...(fresh.isHeldBack ? [now + importCheckMs] : []),
      ...(this.#mayLag(dial, counters, now) ? [now + lagCheckMs] : []),
      ...(await this.#moments(task, dial, now)),
    ];
    const checkTime = Math.min(...soon);
    if (checkTime <= now) return;
    const [priority = task.priority] = levelsOf(task, dial);
    if (!(await roster.postpone({ ...entry, priority }, checkTime))) return;
    const seen = { dial, counters, endSeq: fresh.nextSeq, waiting: idle.waiting };
    if (!fresh.isHeldBack && (await this.#hasChanged(task, seen, now))) await roster.bringForward(task, now);
  }

  #mayLag(dial: DialState, counters: Counters, now: Instant): boolean {
    const { lastCallTime } = counters.tally;
    return recallsPending(dial, counters.failed) > 0 || (lastCallTime !== null && lastCallTime > now - lagMs);
  }

  /** When the first contact comes due, or the first lease ends, in each line and among the fresh ones. */
  async #moments(task: Task, dial: DialState, now: Instant): Promise<Instant[]> {
    const { intakes, taskContacts } = this.#deps;
    const firstCheck = await intakes.nextCheckTime(task.id, now);
    const moments: Instant[] = firstCheck === undefined ? [] : [firstCheck];
    for (const level of levelsOf(task, dial)) {
      for await (const { since, isLeased } of taskContacts.line(task.id, level, 1)) {
        moments.push(since);
        // Those in a call were due before any that waits.
        if (!isLeased) break;
      }
    }
    return moments;
  }

  async #hasChanged(task: Task, seen: ReadProgress, now: Instant): Promise<boolean> {
    const { database, contacts } = this.#deps;
    const [counters, { dial, intakes }, endSeq, waiting] = await Promise.all([
      readCounters(database, task.id),
      this.#deps.intakes.progress(task.id, now),
      contacts.nextSeq(task.dataSourceId),
      seen.waiting === undefined || database.get(keys.contact(task.dataSourceId, seen.waiting)),
    ]);
    return (
      counters.tally.callCount !== seen.counters.tally.callCount ||
      dial.version !== seen.dial.version ||
      intakes.length > 0 ||
      endSeq !== seen.endSeq ||
      waiting === undefined
    );
  }
}
