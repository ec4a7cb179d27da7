import {
  type Counters,
  callbackLevel,
  type DialState,
  levelsOf,
  recallsPending,
} from '../../../domain/dialing/dial-state.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import { status } from '../../../domain/tasks/task-states.ts';
import { type Instant, secondMs } from '../../../domain/time.ts';
import { type Agenda, callbacksOf, callsOf, type Entry, parked } from '../../agenda/index.ts';
import type { Contacts } from '../../contacts/index.ts';
import { type Database, keys } from '../../table/index.ts';
import type { Completion } from '../ends/completion.ts';
import type { Intakes } from '../records/intakes.ts';
import type { TaskContacts } from '../records/task-contacts.ts';
import { readCounters } from '../records/task-counters.ts';

type Dependencies = {
  database: Database;
  agenda: Agenda;
  contacts: Contacts;
  taskContacts: TaskContacts;
  intakes: Intakes;
  completion: Completion;
};

type CallbackDependencies = { database: Database; agenda: Agenda; taskContacts: TaskContacts };

/** What the due time is based on. `waiting`: a contact that waits for a call, where one was searched for. */
type Basis = { dial: DialState; counters: Counters; endSeq: number; waiting: number | undefined };

/** An import that is under way may end at any time. */
const importCheckMs = 5 * secondMs;
/** The index may not show yet what was reported within `lagMs`, or what a recall is still queueing. */
const [lagMs, lagCheckMs] = [3 * secondMs, secondMs];
/** A change that was missed is found by then, for example after a process died. */
const checkAtLeastMs = 600 * secondMs;
/** Tasks that fell idle together are not checked together again: a single poll would check them all. */
const idleCheckMs = () => checkAtLeastMs * (0.5 + Math.random() / 2);

/** Postpones a task that has no contact to call now, and then reads again what the due time was based on. */
export class NextCheck {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Completes the task, or postpones its entry, and answers the due time. `now`: the task must be checked again at once.
   * `undefined`: the task has ended.
   */
  async postpone(entry: Entry, task: Task, now: Instant): Promise<Instant | undefined> {
    const { database, agenda, contacts, completion } = this.#deps;
    const counters = await readCounters(database, task.id);
    const idle = await completion.completeIdle(task, now);
    if (idle.status !== status.running) return undefined;
    // A process may have died after it agreed on a callback.
    if (counters.callbacks > 0) {
      const callbacks = await agenda.find(callbacksOf(task));
      if ((callbacks?.due ?? parked) === parked) await agenda.schedule(callbacksOf(task), now);
    }
    const { dial, intakes } = await this.#deps.intakes.progress(task.id, now);
    if (intakes.length > 0 || dial.review !== undefined) return now;
    const fresh = await contacts.claimable(task.dataSourceId, dial.cursor, 1, dial.visibleTo);
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

  /** When the first contact comes due, or the first lease ends, in each line and among the intakes. */
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
}

/** Postpones the agreed callbacks of a task, and then reads the counters again. */
export class CallbackChecks {
  readonly #deps: CallbackDependencies;

  constructor(deps: CallbackDependencies) {
    this.#deps = deps;
  }

  /** To the time of the next callback, which it answers. `undefined`: there is none. */
  async postpone(entry: Entry, task: Task, now: Instant): Promise<Instant | undefined> {
    const { database, agenda } = this.#deps;
    const { callbacks, tally } = await readCounters(database, task.id);
    const due = callbacks === 0 ? undefined : await this.#nextDue(task, tally.lastCallTime, now);
    if (due !== undefined && due <= now) return now;
    const isMoved = await (due === undefined ? agenda.done(entry) : agenda.postpone(entry, due));
    if (!isMoved) return now;
    const after = await readCounters(database, task.id);
    if (after.tally.callCount === tally.callCount) return due;
    await agenda.schedule(callbacksOf(task), now);
    return now;
  }

  /** Contacts in a call are found again when their lease ends. */
  async #nextDue(task: Task, lastCallTime: Instant | null, now: Instant): Promise<Instant> {
    const times = await this.#deps.taskContacts.dueTimes(task.id, callbackLevel);
    if ((lastCallTime ?? 0) > now - lagMs) times.push(now + lagCheckMs);
    // The counters say that there are callbacks: the index does not show them yet.
    return times.length === 0 ? now + lagCheckMs : Math.min(...times);
  }
}
