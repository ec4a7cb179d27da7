import { isSelected } from '../../../domain/contacts/contact-filter.ts';
import { passedTo, withReview, withTakenUp } from '../../../domain/dialing/dial-state.ts';
import {
  canBe,
  type LeasedContact,
  leaveOutContact,
  selectContact,
  type WaitingContact,
} from '../../../domain/dialing/task-contact.ts';
import type { Task } from '../../../domain/tasks/task.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Agenda, callsOf } from '../../agenda/index.ts';
import type { Contacts } from '../../contacts/index.ts';
import { concurrently, type Database, keys, optimistic, type TransactItem } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import { nextDialState, readDialState } from '../records/dialing-items.ts';
import { intakeItem, readTakenUp } from '../records/intake-items.ts';
import { movedAtOnce, type TaskContacts } from '../records/task-contacts.ts';
import { counterKey, readCounters, recallNumberOf } from '../records/task-counters.ts';

type Dependencies = {
  database: Database;
  agenda: Agenda;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
};

const tasksAtOnce = 8;

/**
 * Contacts that do not match the filter of their task (`contactFilter`).
 *
 * The cursor *passes* a contact that does not match: the dial state counts it, and nothing else is stored. So a contact
 * below the cursor was passed if it exists, has no task contact and no intake lists it. Everything that depends on a passed
 * contact writes the dial state, and each such write needs the version that was read. So the count is exact, and no contact is
 * taken up twice.
 *
 * A contact that was *changed* may match now. Its writer writes the contact first and asks here second. A passed contact
 * that matches is taken up by an intake, like a fresh one. The dial state is written even if the cursor has not come to
 * the contact: a lease request that is just looking at it may have read it as it was before, and fails to move the cursor.
 *
 * When the *filter* is adjusted, the same transaction starts a *review*: lease requests look at the passed contacts once
 * more, from the first one on, before the cursor moves on. Contacts that the review has not come to count as not dialed. A
 * lease request that read the task before the adjust cannot move the cursor or the review any more, since the dial state
 * knows the time of the filter.
 *
 * A contact that was taken up and does not match when its turn comes has a task contact already. It is settled: as not
 * selected, or with the outcome of its last call. A review, or a change of the contact, selects it again.
 *
 * A process that dies between the change of a contact and its question here leaves the contact passed. Its client has no
 * answer and sends the request again; an import is resumed and asks again.
 */
export class Selection {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** What an adjust of the filter adds to its transaction. */
  async adjustSteps(before: Task, after: Task): Promise<TransactItem[]> {
    if (before.filteredSince === after.filteredSince) return [];
    return this.reviewSteps(after);
  }

  /** Starts a review, if there are contacts to look at again. */
  async reviewSteps({ id, filteredSince }: Task): Promise<TransactItem[]> {
    const { database } = this.#deps;
    const [read, { ended }] = await Promise.all([readDialState(database, id), readCounters(database, id)]);
    const dial = { ...read, filteredSince };
    const isAnyLeftOut = dial.passed > 0 || dial.review !== undefined || ended.notSelected > 0;
    return [database.putOf(...nextDialState(isAnyLeftOut ? withReview(dial) : dial))];
  }

  /** Contacts were changed: RUNNING and PAUSED tasks that have left them out take up the contacts that match now. */
  async reconsider(dataSourceId: string, seqs: readonly number[], now: Instant): Promise<void> {
    const { agenda, tasks } = this.#deps;
    const ids = (await agenda.listed('calls', dataSourceId)).map(({ id }) => id);
    const found = ids.length === 0 ? [] : await tasks.findAll(ids);
    const filtered = found.filter(({ contactFilter = [] }) => contactFilter.length > 0);
    await concurrently(filtered, tasksAtOnce, async (task) => {
      for (let at = 0; at < seqs.length; at += movedAtOnce)
        await this.#reconsiderSome(task, seqs.slice(at, at + movedAtOnce), now);
    });
  }

  async #reconsiderSome(task: Task, seqs: readonly number[], now: Instant): Promise<void> {
    const { database, agenda, contacts, taskContacts } = this.#deps;
    const ascending = [...seqs].sort((a, b) => a - b);
    const isMatching = await optimistic(async () => {
      const dial = await readDialState(database, task.id);
      if (dial.isClosed) return false;
      // Read after the dial state: a contact that exists was not deleted before the cursor came to it.
      const found = await contacts.among(task.dataSourceId, ascending);
      const matching = found.flatMap((contact) =>
        isSelected(task.contactFilter, contact) ? [contact.seq] : [],
      );
      if (matching.length === 0) return false;
      const takenUp = await readTakenUp(database, task.id);
      const known = await taskContacts.read(task.id, matching);
      const passed = matching.filter(
        (seq, i) => seq < passedTo(dial) && known[i] === undefined && !takenUp.has(seq),
      );
      const again = known.flatMap((before) =>
        before !== undefined && canBe('selected', before)
          ? [{ before, after: selectContact(before, now) }]
          : [],
      );
      await database.transact([
        database.putOf(...nextDialState(withTakenUp(dial, passed))),
        ...(passed.length === 0
          ? []
          : [database.putOf(intakeItem({ taskId: task.id, checkTime: 0, seqs: passed }))]),
        ...taskContacts.movesOf(again),
      ]);
      return true;
    });
    if (isMatching) await agenda.bringForward(callsOf(task), now, { isUnseen: true });
  }

  /**
   * Settles contacts that do not match the filter of the task, unless the filter was adjusted since the task was read.
   * Answers how many were left as they are, because another writer came first.
   */
  async leaveOut(task: Task, contacts: readonly (WaitingContact | LeasedContact)[]): Promise<number> {
    if (contacts.length === 0) return 0;
    const { database, taskContacts } = this.#deps;
    const counters = await database.batchGet(contacts.map(({ seq }) => counterKey(task.id, seq)));
    const moves = contacts.map((before, i) => ({
      before,
      after: leaveOutContact(before, recallNumberOf(counters[i])),
    }));
    return taskContacts.move(moves, [database.checkOf(keys.dialState(task.id), ifFilteredSince(task))]);
  }
}

const ifFilteredSince = ({ filteredSince }: Task) =>
  filteredSince === undefined
    ? { ConditionExpression: 'attribute_not_exists(filteredSince)' }
    : {
        ConditionExpression: 'filteredSince = :since',
        ExpressionAttributeValues: { ':since': filteredSince },
      };
