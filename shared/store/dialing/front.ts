import type { Contact } from '../../domain/contact.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Database } from '../database.ts';
import { contactsPerChunk, keys } from '../keys.ts';
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
  /** Everything from the cursor up to here is taken up or deleted. */
  end: number;
  /** An import under way keeps contacts behind the end, or some of them, from being fresh. */
  isHeldBack: boolean;
};

/** How much more is looked at in each further read, where many were taken or recalled ahead of the cursor. */
const growth = 4;
/** With up to 16 counter items and the dial state, below the 100 items of a transaction. */
const settledAtOnce = 80;

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
    const fresh: Contact[] = [];
    const taken: TaskContact[] = [];
    // As many as one dialer's leases leave at the front, and the next.
    for (let [from, count] = [dial.cursor, this.#stretch + 2 * limit]; ; count = more(count)) {
      const next = await this.#contacts.claimable(task.dataSourceId, from, count);
      const { contacts, nextSeq, isLast, isHeldBack } = next;
      const takenHere = await this.#taskContacts.range(task.id, from, nextSeq);
      const known = new Set(takenHere.map(({ seq }) => seq));
      fresh.push(...contacts.filter(({ seq }) => !known.has(seq)));
      taken.push(...takenHere);
      const end = fresh[0]?.seq ?? nextSeq;
      if (isLast || fresh.length >= limit)
        return { dial, fresh: fresh.slice(0, limit), taken, end, isHeldBack };
      from = nextSeq;
    }
  }

  /** The next fresh contacts, and whether others came into line because their first lease ran out. */
  async next(task: Task, dial: DialState, limit: number, now: Instant) {
    const front = await this.read(task, dial, limit);
    const cameBack = await this.#takeBack(front, now);
    await this.#pass(front);
    return { fresh: front.fresh, cameBack };
  }

  /**
   * Contacts are read once more, now that their task contacts are there: no cursor passes one that still shows
   * without counting it. One that was deleted it may have passed unseen: that is settled only against the dial
   * state it was found with.
   */
  async #takeBack({ dial, taken }: Front, now: Instant): Promise<boolean> {
    const dropped = taken.filter((contact) => isOutOfLine(contact) && contact.leaseUntil <= now);
    if (dropped.length === 0) return false;
    const contacts = await this.#database.batchGet(
      dropped.map(({ dataSourceId, seq }) => keys.contact(dataSourceId, seq)),
    );
    const live = dropped.filter((_, i) => contacts[i] !== undefined);
    const gone = dropped.filter((_, i) => contacts[i] === undefined).slice(0, settledAtOnce);
    await Promise.all(live.map((contact) => this.#taskContacts.takeBack(contact)));
    if (gone.length > 0)
      await this.#taskContacts.markGone(gone, [this.#database.putOf(...nextDialState(dial))]);
    return live.length > 0;
  }

  /**
   * Moves the cursor to the end of the front once that is worth a write. Those it leaves behind in their first
   * call go on record with the move; so do those just taken back, whose write may have been refused.
   */
  async #pass({ dial, taken, end }: Front): Promise<void> {
    const passed = taken.filter(({ seq }) => seq < end);
    if (passed.length < this.#stretch && end - dial.cursor < contactsPerChunk) return;
    const inCall = passed.filter(isOutOfLine);
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

const more = (count: number) => Math.min(count * growth, contactsPerChunk);
