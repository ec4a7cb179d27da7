import {
  type DialState,
  type RecallOfFailed,
  withRecalled,
  withTakenUp,
} from '../../../domain/dialing/dial-state.ts';
import {
  dropContact,
  isFailed,
  newTaskContact,
  recallContact,
} from '../../../domain/dialing/task-contact.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import { assertAllowed } from '../../../domain/tasks/task-states.ts';
import type { Instant } from '../../../domain/time.ts';
import { livePhones } from '../../contacts/index.ts';
import { type EffectRecord, once, type RequestKey } from '../../requests/index.ts';
import { type Database, keys, optimistic, type TransactItem, tryWriteOnce } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { nextDialState, readDialState } from '../records/dialing-items.ts';
import { readTakenUp } from '../records/intake-items.ts';
import { movedAtOnce, type TaskContacts } from '../records/task-contacts.ts';
import { type Move, readCounters } from '../records/task-counters.ts';

/** A recall of contacts that a client names. */
type RecallOfSome = { priority: number; time: Instant };

/**
 * Queues contacts again. The recall request itself queues contacts that a client names. A recall of all failed contacts only
 * writes down that they are recalled: the lease requests that follow queue them, some with each request. A process that dies
 * leaves the others to the next request, since a contact stays among the failed ones until it is queued.
 */
export class RecallQueue {
  readonly #database: Database;
  readonly #tasks: Tasks;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, tasks: Tasks, taskContacts: TaskContacts) {
    this.#database = database;
    this.#tasks = tasks;
    this.#taskContacts = taskContacts;
  }

  /** Answers the contacts that were queued: contacts in a call right now, or deleted by now, are not. */
  async queue(
    task: Task,
    seqs: readonly number[],
    recall: RecallOfSome,
    requestKey?: RequestKey,
  ): Promise<number[]> {
    const queued: number[] = [];
    for (let at = 0; at < seqs.length; at += movedAtOnce) {
      const some = seqs.slice(at, at + movedAtOnce);
      const queueSome = (effectRecord: EffectRecord<number[]>) =>
        optimistic(() => this.#queueSome(task, some, recall, effectRecord));
      queued.push(...(await once(this.#database, requestKey, `recall#${task.id}#${at}`, queueSome)));
    }
    return queued;
  }

  /**
   * Queues contacts of recalls of all that failed, at least as many as the next lease can take. The recall itself only
   * switched the recall number. The index gives the contacts in the order their calls ended, in which they come due.
   */
  async drain(task: Task, dial: DialState, limit: number, now: Instant): Promise<void> {
    if (dial.recalls.length === 0) return;
    const { failed } = await readCounters(this.#database, task.id);
    for (const number of failed.keys()) {
      const recall = dial.recalls.find(({ upTo }) => upTo >= number);
      if (recall === undefined) continue;
      for (let left = limit; left > 0; ) {
        const queued = await this.#drainSome(task, recall, number, now);
        if (queued === undefined) break;
        left -= queued;
      }
    }
  }

  async #queueSome(
    task: Task,
    seqs: readonly number[],
    recall: RecallOfSome,
    effectRecord: EffectRecord<number[]>,
  ): Promise<number[]> {
    const dial = await readDialState(this.#database, task.id);
    // After the dial state, which a close writes too: either the task is read as CLOSED, or the write below fails.
    assertAllowed('recall', (await this.#tasks.find(task.id)).status);
    const mayBePassed = dial.passed > 0 || dial.review !== undefined;
    const takenUp = mayBePassed ? await readTakenUp(this.#database, task.id) : undefined;
    const read = await this.#taskContacts.read(task.id, seqs);
    const live = await livePhones(this.#database, task.dataSourceId, seqs);
    const moves = seqs.flatMap((seq, i): Move[] => {
      const before = read[i];
      const contact = before ?? newTaskContact(task, seq, recall.time);
      const after = live.has(seq) ? recallContact(contact, task, recall, recall.time) : undefined;
      return after === undefined ? [] : [{ before, after }];
    });
    const queued = moves.map(({ after }) => after.seq);
    const isPassed = ({ before, after }: Move) =>
      before === undefined && after.seq < dial.cursor && takenUp?.has(after.seq) === false;
    const passed = moves.filter(isPassed).map(({ after }) => after.seq);
    const records = effectRecord(queued);
    if (moves.length > 0) await this.#write(withTakenUp(dial, passed), moves, recall, records);
    return queued;
  }

  /** Contacts that were not taken up yet are counted here, and skipped when the cursor gets there. */
  async #write(dial: DialState, moves: readonly Move[], { priority }: RecallOfSome, records: TransactItem[]) {
    const ahead = moves
      .filter(({ before, after }) => before === undefined && after.seq >= dial.cursor)
      .map(({ after }) => after.seq);
    const [first] = ahead;
    await this.#database.transact([
      // Written even if it stays the same: it keeps a lease request from completing the task just now.
      this.#database.putOf(...nextDialState(withRecalled(dial, priority, ahead.length))),
      ...(first === undefined
        ? []
        : [this.#database.putOf({ ...keys.ahead(dial.taskId, first), contacts: ahead })]),
      ...this.#taskContacts.movesOf(moves),
      ...records,
    ]);
  }

  /** How many were queued; `undefined` when there was nothing to do, or another request is doing it. */
  async #drainSome(
    task: Task,
    recall: RecallOfFailed,
    number: number,
    now: Instant,
  ): Promise<number | undefined> {
    const failed = await this.#stillFailed(task, number);
    if (failed.length === 0) return undefined;
    const contacts = await this.#database.batchGet(
      failed.map(({ seq }) => keys.contact(task.dataSourceId, seq)),
    );
    const moves = failed.map(
      (before, i): Move => ({
        before,
        after: (contacts[i] && recallContact(before, task, recall, now)) ?? dropContact(before),
      }),
    );
    const isDrained = await tryWriteOnce(() => this.#database.transact(this.#taskContacts.movesOf(moves)));
    return isDrained ? moves.filter(({ after }) => after.state === 'waiting').length : undefined;
  }

  /** Read from the table: the index may still show a contact that was queued a moment ago. */
  async #stillFailed(task: Task, number: number) {
    const seqs = await this.#taskContacts.failed(task.id, number, movedAtOnce);
    const read = await this.#taskContacts.read(task.id, seqs);
    return read.filter(isFailed).filter(({ recallNumber }) => recallNumber === number);
  }
}
