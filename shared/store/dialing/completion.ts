import { isDrained } from '../../domain/dialing.ts';
import { ServiceError } from '../../domain/errors.ts';
import { endTask, type Task } from '../../domain/task.ts';
import { status, type TaskStatus } from '../../domain/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Database } from '../database.ts';
import { keys } from '../keys.ts';
import type { Tasks } from '../tasks.ts';
import { type DialState, nextDialState, readDialState } from './dial-state.ts';
import { readFresh } from './fresh-contacts.ts';
import type { TaskContacts } from './task-contacts.ts';
import { type Counters, readCounters } from './task-counters.ts';

class StillOpen extends Error {}

/** Contacts of a recall that wait to be queued again: those that failed before its epoch began. */
const recallsPending = ({ epoch }: DialState, { failed }: Counters): number =>
  [...failed].reduce((sum, [failedIn, count]) => (failedIn < epoch ? sum + count : sum), 0);

const progressOf = (dial: DialState, counters: Counters) => ({
  dial,
  open: dial.claimed - counters.settled,
  drained: isDrained({
    claimed: dial.claimed,
    settled: counters.settled,
    callCount: counters.tally.callCount,
    recallsPending: recallsPending(dial, counters),
  }),
});

/** Ends a task once every contact has its final outcome. */
export class Completion {
  readonly #database: Database;
  readonly #tasks: Tasks;
  readonly #contacts: Contacts;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, tasks: Tasks, contacts: Contacts, taskContacts: TaskContacts) {
    this.#database = database;
    this.#tasks = tasks;
    this.#contacts = contacts;
    this.#taskContacts = taskContacts;
  }

  /** The state of the running task after it; of many that see its end, one moves it to COMPLETED. */
  async complete(taskId: string, now: Instant): Promise<TaskStatus> {
    if (!(await this.#look(taskId)).drained) return status.running;
    let dial: DialState;
    try {
      const completed = await this.#tasks.move(
        taskId,
        'complete',
        async (task) => {
          const progress = await this.#progress(taskId);
          dial = progress.dial;
          const contactCount = await this.#contacts.count(task.dataSourceId);
          if (!progress.drained || !(await this.#allTakenUp(task, dial))) throw new StillOpen();
          return endTask(task, contactCount, now);
        },
        () => [this.#database.putOf(...nextDialState(dial))],
      );
      return completed.status;
    } catch (error) {
      if (error instanceof StillOpen) return status.running;
      if (!(error instanceof ServiceError) || error.code !== 'notAllowed') throw error;
      return (await this.#tasks.find(taskId)).status;
    }
  }

  /** Task contacts that still need a call or are in one. */
  async open(taskId: string): Promise<number> {
    return (await this.#look(taskId)).open;
  }

  /** Read before the counters: whoever opens a contact again writes the dial state, and so undoes us. */
  async #progress(taskId: string) {
    const dial = await readDialState(this.#database, taskId);
    return progressOf(dial, await readCounters(this.#database, taskId));
  }

  /** For a first look it does not matter which is read first. */
  async #look(taskId: string) {
    return progressOf(
      ...(await Promise.all([readDialState(this.#database, taskId), readCounters(this.#database, taskId)])),
    );
  }

  /**
   * An import under way holds the cursor back, and with it contacts that were added after it began. Asked
   * first: an import that ends in between shows its contacts to the second question.
   */
  async #allTakenUp(task: Task, dial: DialState): Promise<boolean> {
    const imports = await this.#database.queryAll({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: {
        ':pk': keys.dataSource(task.dataSourceId).pk,
        ':prefix': keys.openRangePrefix,
      },
      Limit: 1,
    });
    if (imports.length > 0) return false;
    const { contacts } = await readFresh(this.#contacts, this.#taskContacts, task, dial, 1);
    return contacts.length === 0;
  }
}
