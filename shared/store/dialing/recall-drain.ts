import { recallDue } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import { type Database, TransactionRefused } from '../database.ts';
import { keys } from '../keys.ts';
import type { DialedTask, EpochRecall } from './dial-state.ts';
import { beginRound, isFailed, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';
import { countAllOf, readCounters } from './task-counters.ts';

/**
 * With up to 16 counter items, below the 100 items of a transaction; and so many even for a small lease,
 * because each transaction pays for the counter items.
 */
const drainedAtOnce = 80;

/**
 * Queues the contacts of a "recall all failed" again, at least as many as the next lease can take: the
 * recall itself only begins a new epoch, whatever their number. The index gives them in the order their calls
 * ended, which is the order they come due in.
 */
export class RecallDrain {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  async drain({ task, dial }: DialedTask, limit: number): Promise<void> {
    if (dial.epoch === 0) return;
    const { failed } = await readCounters(this.#database, task.id);
    for (const epoch of failed.keys()) {
      const recall = dial.recalls.find(({ upTo }) => upTo >= epoch);
      if (recall !== undefined) await this.#drainEpoch(task, recall, epoch, limit);
    }
  }

  async #drainEpoch(task: Task, recall: EpochRecall, epoch: number, limit: number): Promise<void> {
    for (let left = limit; left > 0; ) {
      const queued = await this.#drainSome(task, recall, epoch);
      if (queued === undefined) return;
      left -= queued;
    }
  }

  /** How many were queued; `undefined` when there was nothing to do, or another dialer is doing it. */
  async #drainSome(task: Task, { priority, time }: EpochRecall, epoch: number): Promise<number | undefined> {
    const recalled = await this.#stillFailed(task, epoch);
    if (recalled.length === 0) return undefined;
    const contacts = await this.#database.batchGet(
      recalled.map(({ seq }) => keys.contact(task.dataSourceId, seq)),
    );
    const written = recalled.map((contact, i): TaskContact => {
      if (contacts[i] === undefined) return { ...contact, state: 'gone' };
      const due = recallDue(task, time, contact.lastCallTime);
      return beginRound(contact, priority, due);
    });
    try {
      await this.#database.transact([
        ...written.map(this.#taskContacts.writeOf),
        ...countAllOf(
          this.#database,
          task.id,
          written.map(({ seq, state }) => ({
            seq,
            settled: state === 'gone' ? 0 : -1,
            failed: { epoch, count: -1 },
          })),
        ),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefused) return undefined;
      throw error;
    }
    return written.filter(({ state }) => state === 'waiting').length;
  }

  /** Read from the table: an index entry may be one that was drained a moment ago. */
  async #stillFailed(task: Task, epoch: number): Promise<TaskContact[]> {
    const seqs = await this.#taskContacts.failed(task.id, epoch, drainedAtOnce);
    const read = await this.#taskContacts.read(task.id, seqs);
    return read
      .filter((contact) => contact !== undefined)
      .filter((contact) => isFailed(contact) && contact.epoch === epoch);
  }
}
