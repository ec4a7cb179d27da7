import { isDrained } from '../../domain/dialing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { endTask, type Task } from '../../domain/task.ts';
import { status, type TaskStatus } from '../../domain/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Database, TransactItem } from '../database.ts';
import type { Tasks } from '../tasks.ts';
import { type DialState, nextDialState, readDialState } from './dial-state.ts';
import type { Front, Fronts } from './front.ts';
import { type Counters, readCounters } from './task-counters.ts';

class StillOpen extends Error {}

/** Contacts of a recall that wait to be queued again: those that failed before its epoch began. */
const recallsPending = ({ epoch }: DialState, { failed }: Counters): number =>
  [...failed].reduce((sum, [failedIn, count]) => (failedIn < epoch ? sum + count : sum), 0);

/** An import under way may bring more to call, though nobody is fresh now. */
const progressOf = ({ dial, fresh, taken, isHeldBack }: Front, counters: Counters) => {
  const claimed = dial.claimed + taken.length;
  const { settled, tally } = counters;
  const isDone = isDrained({
    claimed,
    settled,
    callCount: tally.callCount,
    recallsPending: recallsPending(dial, counters),
  });
  return { isOpen: claimed > settled, drained: isDone && fresh.length === 0 && !isHeldBack };
};

/** Ends a task once every contact has its final outcome. */
export class Completion {
  readonly #database: Database;
  readonly #tasks: Tasks;
  readonly #contacts: Contacts;
  readonly #fronts: Fronts;

  constructor(database: Database, tasks: Tasks, contacts: Contacts, fronts: Fronts) {
    this.#database = database;
    this.#tasks = tasks;
    this.#contacts = contacts;
    this.#fronts = fronts;
  }

  /** The state of the running task after it; of many that see its end, one moves it to COMPLETED. */
  async complete(task: Task, now: Instant): Promise<TaskStatus> {
    if (!(await this.#look(task)).drained) return status.running;
    try {
      const { record } = await this.#tasks.decide(task.id, 'complete', async (current) => {
        const front = await this.#drainedFront(current);
        const ended = endTask(current, await this.#contacts.count(current.dataSourceId), now);
        return { record: ended, also: this.#endOf(task, front) };
      });
      return record.status;
    } catch (error) {
      if (error instanceof StillOpen) return status.running;
      if (!(error instanceof ServiceError) || error.code !== 'notAllowed') throw error;
      return (await this.#tasks.find(task.id)).status;
    }
  }

  /** Whether task contacts up to the first fresh contact still need a call or are in one. */
  async isOpen(task: Task): Promise<boolean> {
    return (await this.#look(task)).isOpen;
  }

  /** For a first look it does not matter what is read first, and the front only where it decides. */
  async #look(task: Task) {
    const [dial, counters] = await Promise.all([
      readDialState(this.#database, task.id),
      readCounters(this.#database, task.id),
    ]);
    if (dial.claimed > counters.settled) return { isOpen: true, drained: false };
    return progressOf(await this.#fronts.read(task, dial, 1), counters);
  }

  /**
   * The counters come last: whoever opens a contact again writes the dial state, and so undoes us.
   * @throws StillOpen
   */
  async #drainedFront(task: Task): Promise<Front> {
    const front = await this.#fronts.read(task, await readDialState(this.#database, task.id), 1);
    const { drained } = progressOf(front, await readCounters(this.#database, task.id));
    if (!drained) throw new StillOpen();
    return front;
  }

  /** Refused when a contact was added since, or an import begun: it may be in a call by now. */
  #endOf(task: Task, { dial, taken, end }: Front): TransactItem[] {
    return [
      this.#database.putOf(...nextDialState(dial, { cursor: end, claimed: dial.claimed + taken.length })),
      this.#contacts.noneAddedFrom(task.dataSourceId, end),
    ];
  }
}
