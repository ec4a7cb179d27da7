import { contactOfItem } from '../../contacts/contact-items.ts';
import { livePhones } from '../../contacts/contacts-by-seq.ts';
import { readNextSeq } from '../../contacts/directory.ts';
import { contactId, parseContactId } from '../../contacts/rules/contact.ts';
import type { Agenda } from '../../platform/agenda/agenda.ts';
import { type EffectRecord, once, type RequestKey } from '../../platform/requests/effects.ts';
import { invalid } from '../../platform/rules/errors.ts';
import { backoff } from '../../platform/table/concurrency.ts';
import type { Database, TransactItem } from '../../platform/table/database.ts';
import { keys } from '../../platform/table/keys.ts';
import { optimistic, tryWriteOnce } from '../../platform/table/optimistic.ts';
import { ownZoneOf } from '../../platform/time/schedule.ts';
import type { Instant } from '../../platform/time/time.ts';
import { recallTask, type Task } from '../../tasks/rules/task.ts';
import { assertAllowed, hasEnded } from '../../tasks/rules/task-states.ts';
import { callsOf } from '../../tasks/task-work.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import type { CallingRules } from '../calling-rules.ts';
import { nextDialState, readDialState, readTakenUp } from '../dial-progress-items.ts';
import {
  type Counters,
  type DialState,
  levelsOf,
  type RecallOfFailed,
  withFailedRecalled,
  withoutSettled,
  withRecalled,
  withReview,
  withTakenUp,
} from '../rules/dial-state.ts';
import { dropContact, isFailed, newTaskContact, recallContact } from '../rules/task-contact.ts';
import { movedAtOnce, type TaskContacts } from '../task-contacts.ts';
import { countUnder, type Move, readCounters } from '../task-counters.ts';

/** A recall of contacts that a client names. */
type RecallOfSome = { priority: number; time: Instant };

/** `by`: the client that asked for it. */
type Recall = { contactIds?: readonly string[] | undefined; priority: number; by?: string };
type Recalled = { recallCount: number; recallIds: string[] };
/** `seqs`: the first `listedAtMost` of them. */
type Queued = { count: number; seqs: number[] };

const listedAtMost = 10_000;
/** How often the index is read until it agrees with the counters. */
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
  rules: CallingRules;
};

/**
 * Queues contacts again. The recall request itself queues contacts that a client names. A recall of
 * all failed contacts only stores that they are recalled. The lease requests that follow queue
 * them, some with each request. If a process dies, the next request queues the others, because a
 * contact counts as failed until it is queued.
 */
export class Recalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * An ended task runs again even if nothing is left to call. A failed task continues with its
   * remaining contacts. A completed task ends again when the next lease request finds nothing.
   * @throws ServiceError notFound (task), notAllowed (its state), invalid (an id that is no
   *   contact)
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
    const queued = await this.#queue(task, seqs, { priority, time: now }, requestKey);
    const result = { count: queued.length, seqs: queued.slice(0, listedAtMost) };
    // The last write, because a lease request that finds the task running without its contacts
    // would complete it.
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

  /** Contacts that were passed may have changed since the task ended, so they are reviewed. */
  #withReview = ({ status }: Task, dial: DialState): DialState =>
    hasEnded(status) && dial.passed > 0 ? withReview(dial, dial.review?.settled ?? 0) : dial;

  /**
   * Deleted contacts are excluded.
   * @throws ServiceError invalid for an id that no contact ever had
   */
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
   * First every shard counts under a new recall number, so that the contacts that failed under
   * earlier numbers are a fixed set. The set is counted, listed, and then recalled by one write.
   * Lease requests queue the contacts.
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

  /** Deleted contacts are excluded from the list, and from the count of those listed. */
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

  /** @returns the contacts that were queued, without those that are in a call or deleted */
  async #queue(
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
      queued.push(...(await once(this.#deps.database, requestKey, `recall#${task.id}#${at}`, queueSome)));
    }
    return queued;
  }

  /**
   * Queues contacts of recalls of all that failed, at least as many as the next lease can take. The
   * recall itself only changed the recall number. The index gives the contacts in the order in
   * which their calls ended, which is that of their due times.
   */
  async drain(task: Task, dial: DialState, limit: number, now: Instant): Promise<void> {
    if (dial.recalls.length === 0) return;
    const { failed } = await readCounters(this.#deps.database, task.id);
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
    const dial = await readDialState(this.#deps.database, task.id);
    // Read after the dial state, which a close writes too. Either the task is read as CLOSED, or
    // the write below fails.
    assertAllowed('recall', (await this.#deps.tasks.find(task.id)).status);
    const mayBePassed = dial.passed > 0 || dial.review !== undefined;
    const takenUp = mayBePassed ? await readTakenUp(this.#deps.database, task.id) : undefined;
    const read = await this.#deps.taskContacts.read(task.id, seqs);
    const live = await livePhones(this.#deps.database, task.dataSourceId, seqs);
    const recalled = seqs.flatMap((seq, i) => {
      const contact = read[i] ?? newTaskContact(task, seq, recall.time);
      return (live.has(seq) && recallContact(contact, task, recall, recall.time)) || [];
    });
    const placed = await this.#deps.rules.place(task, recalled, recall.time);
    const known = new Map(read.map((before) => [before?.seq, before]));
    const moves = placed.map((after): Move => ({ before: known.get(after.seq), after }));
    const queued = moves.map(({ after }) => after.seq);
    const isPassed = ({ before, after }: Move) =>
      before === undefined && after.seq < dial.cursor && takenUp?.has(after.seq) === false;
    const passed = moves.filter(isPassed).map(({ after }) => after.seq);
    const records = effectRecord(queued);
    const settled = moves
      .filter(({ before }) => before?.state === 'notSelected')
      .map(({ after }) => after.seq);
    const next = withoutSettled(withTakenUp(dial, passed), settled);
    if (moves.length > 0) await this.#write(next, moves, recall, records);
    return queued;
  }

  /** Contacts that were not taken up yet are counted, and skipped when the cursor comes. */
  async #write(dial: DialState, moves: readonly Move[], { priority }: RecallOfSome, records: TransactItem[]) {
    const ahead = moves
      .filter(({ before, after }) => before === undefined && after.seq >= dial.cursor)
      .map(({ after }) => after.seq);
    const [first] = ahead;
    await this.#deps.database.transact([
      // Written even if it stays the same, because it keeps a lease request from completing the
      // task now.
      this.#deps.database.putOf(...nextDialState(withRecalled(dial, priority, ahead.length))),
      ...(first === undefined
        ? []
        : [this.#deps.database.putOf({ ...keys.ahead(dial.taskId, first), contacts: ahead })]),
      ...this.#deps.taskContacts.movesOf(moves),
      ...records,
    ]);
  }

  /** @returns how many were queued; undefined if another request does it, or nothing is to do */
  async #drainSome(
    task: Task,
    recall: RecallOfFailed,
    number: number,
    now: Instant,
  ): Promise<number | undefined> {
    const failed = await this.#stillFailed(task, number);
    if (failed.length === 0) return undefined;
    const contacts = await this.#deps.database.batchGet(
      failed.map(({ seq }) => keys.contact(task.dataSourceId, seq)),
    );
    // A lease request looks at them next, and finds out what else they wait for.
    const moves = failed.map((before, i): Move => {
      const contact = contacts[i] && contactOfItem(task.dataSourceId, contacts[i]);
      const waiting = contact && recallContact(before, task, recall, now);
      const after = waiting && { ...waiting, zone: ownZoneOf(contact.fields) };
      return { before, after: after ?? dropContact(before) };
    });
    const isDrained = await tryWriteOnce(() =>
      this.#deps.database.transact(this.#deps.taskContacts.movesOf(moves)),
    );
    return isDrained ? moves.filter(({ after }) => after.state === 'waiting').length : undefined;
  }

  /** Read from the table, because the index may show a contact that was queued already. */
  async #stillFailed(task: Task, number: number) {
    const seqs = await this.#deps.taskContacts.failed(task.id, number, movedAtOnce);
    const read = await this.#deps.taskContacts.read(task.id, seqs);
    return read.filter(isFailed).filter(({ recallNumber }) => recallNumber === number);
  }
}
