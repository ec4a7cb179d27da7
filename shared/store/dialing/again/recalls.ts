import { contactId, parseContactId } from '../../../domain/contacts/contact-id.ts';
import {
  type Counters,
  type DialState,
  levelsOf,
  withFailedRecalled,
  withReview,
} from '../../../domain/dialing/dial-state.ts';
import { invalid } from '../../../domain/errors.ts';
import { recallTask, type Task } from '../../../domain/tasks/task.ts';
import { assertAllowed, hasEnded } from '../../../domain/tasks/task-states.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Agenda, callsOf } from '../../agenda/index.ts';
import { livePhones } from '../../contacts/index.ts';
import { readNextSeq } from '../../directory/index.ts';
import { type EffectRecord, once, type RequestKey } from '../../requests/index.ts';
import { backoff, type Database } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { nextDialState, readDialState } from '../records/dialing-items.ts';
import type { TaskContacts } from '../records/task-contacts.ts';
import { countUnder, readCounters } from '../records/task-counters.ts';
import { RecallQueue } from './recall-queue.ts';

/** `by`: who asked for it. */
export type Recall = { contactIds?: readonly string[] | undefined; priority: number; by?: string };
export type Recalled = { recallCount: number; recallIds: string[] };
/** `seqs`: the first `listedAtMost` of them. */
type Queued = { count: number; seqs: number[] };

const listedAtMost = 10_000;
/** How often the index is read until it shows what the counters say. */
const readsAtMost = 5;

/** A recall of one request, and the record of its effect. */
type RecallOrder = Recall & {
  now: Instant;
  effectRecord: EffectRecord<Queued>;
  requestKey?: RequestKey | undefined;
};

type Dependencies = {
  database: Database;
  tasks: Tasks;
  taskContacts: TaskContacts;
  agenda: Agenda;
};

/** Queues contacts again: all failed contacts, or the contacts that a client names. */
export class Recalls {
  readonly #deps: Dependencies;
  readonly queue: RecallQueue;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.queue = new RecallQueue(deps.database, deps.tasks, deps.taskContacts);
  }

  /**
   * An ended task runs again even when nothing is left to call. A failed task goes on with its remaining contacts. A
   * completed task ends again when the next lease request finds nothing.
   * @throws ServiceError notFound (task), notAllowed (its state), invalid (an id that is no contact)
   */
  async recall(taskId: string, recall: Recall, now: Instant, requestKey?: RequestKey): Promise<Recalled> {
    const { database, tasks, agenda } = this.#deps;
    const { contactIds = [] } = recall;
    const task = await tasks.find(taskId);
    const queue = async (effectRecord: EffectRecord<Queued>) => {
      assertAllowed('recall', task.status);
      const order = { ...recall, now, effectRecord, requestKey };
      return contactIds.length > 0
        ? this.#recallSome(task, contactIds, order)
        : this.#recallAllFailed(task, order);
    };
    const { count, seqs } = await once(database, requestKey, `task#recall#${taskId}`, queue);
    await agenda.bringForward(callsOf(task), now, { level: recall.priority });
    return { recallCount: count, recallIds: seqs.map((seq) => contactId(task.dataSourceId, seq)) };
  }

  async #recallSome(task: Task, ids: readonly string[], order: RecallOrder): Promise<Queued> {
    const { priority, by, now, effectRecord, requestKey } = order;
    const seqs = await this.#seqsOf(task, ids);
    const queued = await this.queue.queue(task, seqs, { priority, time: now }, requestKey);
    const result = { count: queued.length, seqs: queued.slice(0, listedAtMost) };
    // Last: no lease request may find the task running without its contacts, and complete it.
    const decide = async (current: Task) => {
      const dial = await readDialState(this.#deps.database, task.id);
      const [callsAt = priority] = levelsOf(current, dial);
      const reviewed = this.#withReview(current, dial);
      const steps = reviewed === dial ? [] : [this.#deps.database.putOf(...nextDialState(reviewed))];
      return { record: recallTask(current, now), callsAt, also: [...steps, ...effectRecord(result)] };
    };
    await this.#deps.tasks.change(task.id, 'recall', decide, by);
    return result;
  }

  /** Contacts that were passed may have changed since the task ended: they are looked at again. */
  #withReview = ({ status }: Task, dial: DialState): DialState =>
    hasEnded(status) && dial.passed > 0 ? withReview(dial) : dial;

  /** Deleted contacts are left out. @throws ServiceError invalid for an id that was never given to a contact */
  async #seqsOf(task: Task, ids: readonly string[]): Promise<number[]> {
    const { database } = this.#deps;
    const end = await readNextSeq(database, task.dataSourceId);
    const seqs = ids.map((id) => parseContactId(task.dataSourceId, id) ?? end);
    const unknown = ids.filter((_, i) => seqs[i]! >= end);
    if (unknown.length > 0) {
      const named = unknown.slice(0, 10).join(', ');
      throw invalid('contactIds', `not contacts of the task's data source: ${named}`, 'UNKNOWN');
    }
    return [...(await livePhones(database, task.dataSourceId, seqs)).keys()];
  }

  /**
   * Every shard counts under a new recall number first, so that the contacts that failed under earlier numbers are a
   * fixed set. The set is counted, listed, and then recalled by one write. Lease requests queue the contacts.
   */
  async #recallAllFailed(task: Task, { priority, by, now, effectRecord }: RecallOrder): Promise<Queued> {
    const { database, tasks } = this.#deps;
    const decide = async (current: Task) => {
      const dial = await readDialState(database, task.id);
      const { recallNumbers } = await readCounters(database, task.id);
      const recallNumber = Math.max(dial.recallNumber, ...recallNumbers) + 1;
      await countUnder(database, task.id, recallNumber);
      const counters = await readCounters(database, task.id);
      const reviewed = this.#withReview(current, dial);
      const next = withFailedRecalled(reviewed, counters.failed, recallNumber, { priority, time: now });
      const result = await this.#failedBelow(current, dial, counters, recallNumber);
      return {
        record: recallTask(current, now),
        also: [database.putOf(...nextDialState(next)), ...effectRecord(result)],
        callsAt: levelsOf(current, next)[0]!,
        result,
      };
    };
    return (await tasks.change(task.id, 'recall', decide, by)).result;
  }

  /** Deleted contacts are left out of the list, and of the count as far as the list goes. */
  async #failedBelow(task: Task, dial: DialState, { failed }: Counters, below: number): Promise<Queued> {
    const numbers = [...failed.keys()].filter((number) => number >= dial.recallNumber && number < below);
    const count = numbers.reduce((sum, number) => sum + failed.get(number)!, 0);
    const listed = await this.#listed(task, numbers, Math.min(count, listedAtMost));
    const live = await livePhones(this.#deps.database, task.dataSourceId, listed);
    const left = listed.filter((seq) => live.has(seq));
    return { count: count - (listed.length - live.size), seqs: left };
  }

  /** The index may lag a moment behind the counters. */
  async #listed(task: Task, numbers: readonly number[], expected: number): Promise<number[]> {
    for (let read = 1; ; read++) {
      const seqs: number[] = [];
      for (const number of numbers)
        seqs.push(...(await this.#deps.taskContacts.failed(task.id, number, listedAtMost)));
      if (seqs.length >= expected || read === readsAtMost) return seqs.slice(0, listedAtMost);
      await backoff(read);
    }
  }
}
