import { contactId, parseContactId } from '../../domain/contact-id.ts';
import { invalid } from '../../domain/errors.ts';
import { recallTask, type Task } from '../../domain/task.ts';
import { assertAllowed } from '../../domain/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import { backoff } from '../backoff.ts';
import { liveSeqs } from '../contacts/live-contacts.ts';
import type { Database } from '../database.ts';
import type { Tasks } from '../tasks.ts';
import { type DialState, nextDialState, readDialState, withPriority } from './dial-state.ts';
import type { RecallQueue } from './recall-queue.ts';
import type { TaskContacts } from './task-contacts.ts';
import { type Counters, readCounters } from './task-counters.ts';

/** `by`: who asked for it. */
export type Recall = { contactIds?: readonly string[] | undefined; priority: number; by?: string };
export type Recalled = { recallCount: number; recallIds: string[] };

const listedAtMost = 10_000;
/** How often the index is given time to show what the counters say. */
const looks = 5;

/** Calls contacts again that had their final outcome, or those that a client names. */
export class Recalls {
  readonly #database: Database;
  readonly #tasks: Tasks;
  readonly #taskContacts: TaskContacts;
  readonly #queue: RecallQueue;

  constructor(database: Database, tasks: Tasks, taskContacts: TaskContacts, queue: RecallQueue) {
    this.#database = database;
    this.#tasks = tasks;
    this.#taskContacts = taskContacts;
    this.#queue = queue;
  }

  /**
   * An ended task runs again even when nothing is left to call: a failed one has its remaining contacts to
   * go on with, a completed one ends again when the next dialer finds nothing.
   * @throws ServiceError notFound (task), notAllowed (its state), invalid (an id that is no contact)
   */
  async recall(taskId: string, { contactIds = [], ...recall }: Recall, now: Instant): Promise<Recalled> {
    const task = await this.#tasks.find(taskId);
    assertAllowed('recall', task.status);
    return contactIds.length > 0
      ? this.#recallSome(task, contactIds, recall, now)
      : this.#recallAllFailed(task, recall, now);
  }

  async #recallSome(
    task: Task,
    ids: readonly string[],
    { priority, by }: Recall,
    now: Instant,
  ): Promise<Recalled> {
    const seqs = await this.#seqsOf(task, ids);
    const queued = await this.#queue.queue(task, seqs, priority, now);
    // Last, so that no dialer can find the task running but, for want of contacts, complete.
    await this.#tasks.move(task.id, 'recall', (current) => recallTask(current, now), by);
    return recalled(task, queued.length, queued);
  }

  async #seqsOf(task: Task, ids: readonly string[]): Promise<number[]> {
    const seqs = ids.map((id) => parseContactId(task.dataSourceId, id));
    const known = seqs.filter((seq) => seq !== undefined);
    const live = await liveSeqs(this.#database, task.dataSourceId, known);
    const unknown = ids.filter((_, i) => seqs[i] === undefined || !live.has(seqs[i]));
    if (unknown.length > 0) {
      throw invalid(
        'contactIds',
        `not contacts of the task's data source: ${unknown.slice(0, 10).join(', ')}`,
        'UNKNOWN',
      );
    }
    return [...new Set(known)];
  }

  /** One write begins a new epoch; what failed in an earlier one is queued again as dialers ask for calls. */
  async #recallAllFailed(task: Task, { priority, by }: Recall, now: Instant): Promise<Recalled> {
    const decide = async (current: Task) => {
      const dial = await readDialState(this.#database, task.id);
      const failed = await this.#failedIn(task.id, dial.epoch);
      const next = nextEpoch(dial, failed.counters, priority, now);
      return {
        record: recallTask(current, now),
        also: [this.#database.putOf(...nextDialState(dial, next))],
        answer: await this.#recalledOf(current, failed),
      };
    };
    const { answer } = await this.#tasks.decide(task.id, 'recall', decide, by);
    return answer;
  }

  /**
   * Contacts of an earlier recall are waiting, queued or not, and no longer count. The index may lag a moment
   * behind the counters; and where results keep coming in, it has those that came after the counters were read.
   */
  async #failedIn(taskId: string, epoch: number): Promise<Failed> {
    for (let look = 1; ; look++) {
      const counters = await readCounters(this.#database, taskId);
      const listed = await this.#taskContacts.failed(taskId, epoch, listedAtMost);
      const counted = counters.failed.get(epoch) ?? 0;
      if (listed.length >= Math.min(counted, listedAtMost) || look === looks)
        return { counters, listed, count: Math.max(counted, listed.length) };
      await backoff(look);
    }
  }

  /** Deleted contacts are left out of the list, and of the count as far as the list goes. */
  async #recalledOf(task: Task, { listed, count }: Failed): Promise<Recalled> {
    const live = await liveSeqs(this.#database, task.dataSourceId, listed);
    return recalled(
      task,
      count - (listed.length - live.size),
      listed.filter((seq) => live.has(seq)),
    );
  }
}

type Failed = { counters: Counters; listed: number[]; count: number };

const recalled = (task: Task, recallCount: number, seqs: readonly number[]): Recalled => ({
  recallCount,
  recallIds: seqs.slice(0, listedAtMost).map((seq) => contactId(task.dataSourceId, seq)),
});

/** Recalls whose contacts are all queued again are forgotten. */
const nextEpoch = (
  { epoch, recalls, recallPriorities }: DialState,
  { failed }: Counters,
  priority: number,
  time: Instant,
): Partial<DialState> => ({
  epoch: epoch + 1,
  recalls: [...recalls.filter(({ upTo }) => failed.has(upTo)), { upTo: epoch, priority, time }],
  recallPriorities: withPriority(recallPriorities, priority),
});
