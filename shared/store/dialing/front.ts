import type { Contact } from '../../domain/contact.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Database } from '../database.ts';
import { contactsPerChunk } from '../keys.ts';
import { isLost } from '../retry.ts';
import { type DialState, nextDialState } from './dial-state.ts';
import { leaseItem, recordOf } from './lease-records.ts';
import { isOutOfLine, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/** The contacts from the cursor of a task on. */
export type Front = {
  dial: DialState;
  /** The next that the task has not taken up, in the order they were added. */
  fresh: Contact[];
  /** The task contacts of all that were looked at. */
  taken: TaskContact[];
  /** Sequence numbers of taken contacts that were deleted. */
  deleted: Set<number>;
  /** Everything from the cursor up to here is taken up or deleted. */
  end: number;
  /** An import under way keeps contacts behind the end, or some of them, from being fresh. */
  isHeldBack: boolean;
};

/** How much more is looked at in each further read, where many were taken or recalled ahead of the cursor. */
const growth = 4;

/**
 * Reads the front of a task, and keeps it short by moving the cursor. Dialers take fresh contacts up by writing
 * their task contacts; the cursor follows, and counts those it passes.
 */
export class Fronts {
  readonly #database: Database;
  readonly #contacts: Contacts;
  readonly #taskContacts: TaskContacts;
  readonly #stretch: number;

  /** @param stretch how many contacts are taken up before the cursor moves over them */
  constructor(database: Database, contacts: Contacts, taskContacts: TaskContacts, stretch: number) {
    this.#database = database;
    this.#contacts = contacts;
    this.#taskContacts = taskContacts;
    this.#stretch = stretch;
  }

  /**
   * With the first `limit` fresh contacts, or all there are. Contacts are read before task contacts: where
   * neither shows, there will never be a call.
   */
  async read(task: Task, dial: DialState, limit: number): Promise<Front> {
    const front = { dial, fresh: [] as Contact[], taken: [] as TaskContact[], deleted: new Set<number>() };
    // As many as one dialer's leases leave at the front, and the next.
    for (let [from, count] = [dial.cursor, this.#stretch + 2 * limit]; ; count *= growth) {
      const next = await this.#contacts.claimable(task.dataSourceId, from, count);
      const { contacts, nextSeq, isLast, isHeldBack } = next;
      const taken = await this.#taskContacts.range(task.id, from, nextSeq);
      const [live, known] = [seqsOf(contacts), seqsOf(taken)];
      front.fresh.push(...contacts.filter(({ seq }) => !known.has(seq)));
      front.taken.push(...taken);
      for (const seq of known) if (!live.has(seq)) front.deleted.add(seq);
      const end = front.fresh[0]?.seq ?? nextSeq;
      if (isLast || front.fresh.length >= limit)
        return { ...front, fresh: front.fresh.slice(0, limit), end, isHeldBack };
      from = nextSeq;
    }
  }

  /** The next fresh contacts, and whether others came into line because their first lease ran out. */
  async next(task: Task, dial: DialState, limit: number, now: Instant) {
    const front = await this.read(task, dial, limit);
    const cameBack = await this.#takeBack(front, now);
    await this.#pass(front, now);
    return { fresh: front.fresh, cameBack };
  }

  /**
   * A deleted contact is settled only against the dial state it was found with: a cursor that moves meanwhile
   * may pass it unseen, and so uncounted.
   */
  async #takeBack({ dial, taken, deleted }: Front, now: Instant): Promise<boolean> {
    const dropped = taken.filter((contact) => isOutOfLine(contact) && contact.leaseUntil <= now);
    const unmoved = this.#database.putOf(...nextDialState(dial));
    await Promise.all(
      dropped.map((contact) =>
        deleted.has(contact.seq)
          ? this.#taskContacts.markGone(contact, [unmoved])
          : this.#taskContacts.takeBack(contact),
      ),
    );
    return dropped.length > 0;
  }

  /**
   * Moves the cursor to the end of the front once that is worth a write. Those it leaves behind in their first
   * call go on record with the move.
   */
  async #pass({ dial, taken, end }: Front, now: Instant): Promise<void> {
    const passed = taken.filter(({ seq }) => seq < end);
    if (passed.length < this.#stretch && end - dial.cursor < contactsPerChunk) return;
    const inCall = passed.filter((contact) => isOutOfLine(contact) && contact.leaseUntil > now);
    const moved = nextDialState(dial, { cursor: end, claimed: dial.claimed + passed.length });
    try {
      if (inCall.length === 0) await this.#database.put(...moved);
      else {
        const record = leaseItem(recordOf(dial.taskId, inCall, end));
        await this.#database.transact([this.#database.putOf(...moved), this.#database.putOf(record)]);
      }
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }
}

const seqsOf = (contacts: readonly { seq: number }[]) => new Set(contacts.map(({ seq }) => seq));
