import { priorities } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Database } from '../database.ts';
import { keys } from '../keys.ts';
import type { Completion } from './completion.ts';
import type { TaskContacts } from './task-contacts.ts';

/** Deleted contacts settled in one call at the most. */
const settledAtOnce = 100;

/** Ends a task that has nothing left to call, though no result says so. */
export class Settlement {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;
  readonly #completion: Completion;

  constructor(database: Database, taskContacts: TaskContacts, completion: Completion) {
    this.#database = database;
    this.#taskContacts = taskContacts;
    this.#completion = completion;
  }

  async settle(task: Task, now: Instant): Promise<void> {
    if ((await this.#completion.isOpen(task)) && (await this.#anyoneWaits(task))) return;
    await this.#completion.complete(task, now);
  }

  /**
   * Settles waiting contacts that were deleted until it meets one that was not: as long as a single
   * contact waits for its time or is in a call, the task goes on, and the others need not be looked at.
   */
  async #anyoneWaits(task: Task): Promise<boolean> {
    let left = settledAtOnce;
    for (const level of priorities) {
      for await (const { seq } of this.#taskContacts.line(task.id, level, 1)) {
        const [taskContact] = await this.#taskContacts.read(task.id, [seq]);
        if (taskContact?.state === 'leased' || left-- === 0) return true;
        if (taskContact?.state !== 'waiting') continue;
        const contact = await this.#database.get(keys.contact(task.dataSourceId, seq));
        if (contact !== undefined) return true;
        await this.#taskContacts.markGone([taskContact]);
      }
    }
    return false;
  }
}
