import { recallDue } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { liveSeqs } from '../contacts/live-contacts.ts';
import { type Database, TransactionRefused } from '../database.ts';
import { Outdated, optimistic } from '../retry.ts';
import { type DialState, nextDialState, readDialState, withPriority } from './dial-state.ts';
import { beginRound, isFailed, newTaskContact, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';
import { countAllOf } from './task-counters.ts';

/** With up to 16 counter items and the dial state, below the 100 items of a transaction. */
const queuedAtOnce = 80;

type Change = { before: TaskContact | undefined; after: TaskContact };

/** Queues contacts again that a client names. */
export class RecallQueue {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  /** Answers those that were queued: contacts in a call right now, or deleted by now, are left out. */
  async queue(task: Task, seqs: readonly number[], priority: number, now: Instant): Promise<number[]> {
    const queued: number[] = [];
    for (let at = 0; at < seqs.length; at += queuedAtOnce) {
      const some = seqs.slice(at, at + queuedAtOnce);
      queued.push(...(await optimistic(() => this.#queueSome(task, some, priority, now))));
    }
    return queued;
  }

  async #queueSome(task: Task, seqs: readonly number[], priority: number, now: Instant): Promise<number[]> {
    const dial = await readDialState(this.#database, task.id);
    const read = await this.#taskContacts.read(task.id, seqs);
    // After the dial state: a cursor that passed a contact before it was deleted has counted it.
    const live = await liveSeqs(this.#database, task.dataSourceId, seqs);
    const changes = seqs.flatMap((seq, i): Change[] => {
      if (!live.has(seq)) return [];
      const before = read[i];
      if (before?.state === 'gone' || (before?.state === 'leased' && before.leaseUntil > now)) return [];
      const contact = before ?? newTaskContact(task, seq, now);
      const due = recallDue(task, now, contact.lastCallTime);
      return [{ before, after: beginRound(contact, priority, due) }];
    });
    if (changes.length > 0) await this.#write(dial, changes, priority);
    return changes.map(({ after }) => after.seq);
  }

  async #write(dial: DialState, changes: readonly Change[], priority: number): Promise<void> {
    const opened = changes.flatMap(({ before }) => (before?.state === 'final' ? [before] : []));
    try {
      await this.#database.transact([
        // Written even if it stays the same: it keeps a dialer from completing the task just now.
        this.#database.putOf(
          ...nextDialState(dial, { recallPriorities: withPriority(dial.recallPriorities, priority) }),
        ),
        ...changes.map(({ after }) => this.#taskContacts.writeOf(after)),
        ...countAllOf(
          this.#database,
          dial.taskId,
          opened.map((contact) => ({
            seq: contact.seq,
            settled: -1,
            ...(isFailed(contact) ? { failed: { epoch: contact.epoch, count: -1 } } : {}),
          })),
        ),
      ]);
    } catch (error) {
      if (error instanceof TransactionRefused && error.refusals.includes('ConditionalCheckFailed')) {
        throw new Outdated();
      }
      throw error;
    }
  }
}
