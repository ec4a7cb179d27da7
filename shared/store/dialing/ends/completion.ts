import { isSelected } from '../../../domain/contacts/contact-filter.ts';
import { isDrained, linesOf } from '../../../domain/dialing/dial-state.ts';
import { dropContact } from '../../../domain/dialing/task-contact.ts';
import { endTask, type Task } from '../../../domain/tasks/task.ts';
import { status, type TaskStatus } from '../../../domain/tasks/task-states.ts';
import type { Instant } from '../../../domain/time.ts';
import { type Contacts, contactOfItem } from '../../contacts/index.ts';
import { type Database, keys, type TransactItem } from '../../table/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { Selection } from '../again/selection.ts';
import { nextDialState, readDialState } from '../records/dialing-items.ts';
import type { TaskContacts } from '../records/task-contacts.ts';
import { readCounters } from '../records/task-counters.ts';

/** A task without a contact to call now. `waiting`: a contact that waits for its call, if one was searched for. */
type Idle = { status: TaskStatus; waiting?: number };

/** Contacts that cannot be called any more and are settled in one request, at most. */
const settledAtOnce = 100;

type Dependencies = {
  database: Database;
  tasks: Tasks;
  contacts: Contacts;
  taskContacts: TaskContacts;
  selection: Selection;
};

/**
 * Ends a task once every contact has its final outcome. A task that is kept open waits for further contacts instead.
 *
 * The last result ends its task, or a lease request that finds nothing left to call. Both may see the end at the same time: one
 * of them writes it. The write needs the dial state that was read, and that no contact was added since. So a contact
 * that is added or recalled meanwhile is called. If the process dies before the write, the next lease request ends the task.
 */
export class Completion {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Ends a task that has nothing left to call, though no result says so. */
  async completeIdle(task: Task, now: Instant): Promise<Idle> {
    const [dial, counters] = await this.#read(task);
    if (dial.claimed > counters.settled) {
      const waiting = await this.#settleLost(task, linesOf(task, dial, counters), now);
      if (waiting !== undefined) return { status: status.running, waiting };
    }
    return { status: await this.complete(task, now) };
  }

  /**
   * Whether there are contacts that the task has not looked at, as far as a reading that may lag tells. If the last of them were
   * deleted, the next lease request completes the task.
   */
  async isUnderWay({ id }: Task): Promise<boolean> {
    const { cursor, visibleTo } = await readDialState(this.#deps.database.lagging, id);
    return cursor < visibleTo;
  }

  /** The task's state after it. Of many requests that see the end of a running task, one moves it to COMPLETED. */
  async complete(task: Task, now: Instant): Promise<TaskStatus> {
    if (task.keepOpen) return status.running;
    const [dial, counters] = await this.#read(task);
    if (!isDrained(dial, counters)) return status.running;
    const after = await this.#deps.tasks.changeIfDue(task.id, 'complete', async (current) => {
      const also = current.keepOpen ? undefined : await this.#endOf(current);
      if (also === undefined) return undefined;
      const contactCount = await this.#deps.contacts.count(current.dataSourceId);
      return { record: endTask(current, { contactCount }, now), also };
    });
    return after.status;
  }

  /** A first estimate: the order of the reads does not matter. */
  #read = ({ id }: Task) =>
    Promise.all([readDialState(this.#deps.database, id), readCounters(this.#deps.database, id)]);

  /**
   * Refused when a contact was added since, or an import begun: the contact may be in a call by now. Contacts that a
   * recall took up ahead of the cursor are counted as taken up. The counters are read last: a write that opens a contact
   * again also writes the dial state, so the transaction fails. Nothing while a contact is left to call.
   */
  async #endOf(task: Task): Promise<TransactItem[] | undefined> {
    const { database, contacts, taskContacts } = this.#deps;
    const dial = await readDialState(database, task.id);
    if (dial.review !== undefined) return undefined;
    const left = await contacts.claimable(task.dataSourceId, dial.cursor, dial.ahead + 1);
    const ahead = dial.ahead > 0 ? await taskContacts.range(task.id, dial.cursor, left.nextSeq) : [];
    const taken = new Set(ahead.map(({ seq }) => seq));
    const isAnyLeft = !left.isLast || left.contacts.some(({ seq }) => !taken.has(seq));
    if (isAnyLeft || left.isHeldBack) return undefined;
    if (!isDrained(dial, await readCounters(database, task.id))) return undefined;
    return [database.putOf(...nextDialState(dial)), contacts.noneAddedFrom(task.dataSourceId, left.nextSeq)];
  }

  /**
   * Settles waiting contacts that were deleted, or do not match the filter any more, until it finds a contact that can be
   * called: while a single contact waits, the task goes on, and the rest need not be read. Such contacts behind contacts in
   * a call are settled too, so that the task ends with the last call.
   */
  async #settleLost(task: Task, levels: number[], now: Instant): Promise<number | undefined> {
    const { database, taskContacts, selection } = this.#deps;
    let left = settledAtOnce;
    let inCall: number | undefined;
    for (const level of levels) {
      for await (const { seq, since, isLeased } of taskContacts.line(task.id, level, 1)) {
        if (isLeased && since > now) {
          inCall ??= seq;
          continue;
        }
        const [taskContact] = await taskContacts.read(task.id, [seq]);
        if (taskContact?.state === 'leased' || left-- === 0) return seq;
        if (taskContact?.state !== 'waiting') continue;
        const contact = await database.get(keys.contact(task.dataSourceId, seq));
        if (contact === undefined)
          await taskContacts.move([{ before: taskContact, after: dropContact(taskContact) }]);
        else if (isSelected(task.contactFilter, contactOfItem(task.dataSourceId, contact))) return seq;
        else await selection.leaveOut(task, [taskContact]);
      }
    }
    return inCall;
  }
}
