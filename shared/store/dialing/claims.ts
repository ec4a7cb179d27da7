import { callId } from '../../domain/call-id.ts';
import type { Contact, Fields } from '../../domain/contact.ts';
import { type Waiting, waitingSince } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { callSign, contactOfItem } from '../contacts/contact-items.ts';
import type { Database, Item } from '../database.ts';
import { keys } from '../keys.ts';
import { unlessRefused } from '../retry.ts';
import { type Lease, newTaskContact, type Place, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A contact that may be called now: the version of one that is due, 0 for a fresh one without a task contact. */
export type Candidate = Waiting & { version: number };

export type LeasedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  dataSourceId: string;
  phoneNumber: string;
  fields: Fields;
  /** From 1 in each round. */
  attempt: number;
  priority: number;
  leaseExpireTime: Instant;
};

/** A call, and the candidate it came of. */
type Taken = { candidate: Candidate; call: LeasedCall };

/** The calls, and how many candidates came to nothing: taken by other dialers first, or deleted. */
export type Claimed = { calls: Taken[]; lost: number; gone: number };

const oneGone: Claimed = { calls: [], lost: 0, gone: 1 };
const lostOf = (candidates: readonly Candidate[]): Claimed => ({
  calls: [],
  lost: candidates.length,
  gone: 0,
});

const sumOf = (claims: readonly Claimed[]): Claimed => ({
  calls: claims.flatMap(({ calls }) => calls),
  lost: claims.reduce((sum, { lost }) => sum + lost, 0),
  gone: claims.reduce((sum, { gone }) => sum + gone, 0),
});

/** In sequence order whatever the clocks said, so that none is left behind. */
export const freshCandidates = (task: Task, contacts: readonly Contact[]): Candidate[] => {
  let since = 0;
  return contacts.map(({ seq, createTime }) => {
    since = waitingSince(task, Math.max(since, createTime));
    return { since, taskId: task.id, seq, version: 0 };
  });
};

export const dueCandidate = (task: Task, { seq, since, version }: Place): Candidate => ({
  since,
  taskId: task.id,
  seq,
  version,
});

type Leased = TaskContact & { nonce: string };

const leasedBy = (waiting: TaskContact, { nonce, until }: Lease): Leased => ({
  ...waiting,
  state: 'leased',
  nonce,
  leaseUntil: until,
});

/** Turns candidates of one task into calls; what another dialer took first is left to it. */
export class Claims {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;

  constructor(database: Database, taskContacts: TaskContacts) {
    this.#database = database;
    this.#taskContacts = taskContacts;
  }

  async claim(task: Task, candidates: readonly Candidate[], lease: Lease): Promise<Claimed> {
    const due = candidates.filter(({ version }) => version > 0);
    const fresh = candidates.filter(({ version }) => version === 0);
    const claimed = await Promise.all([
      ...due.map((candidate) => this.#takeDue(task, candidate, lease)),
      this.#takeFresh(task, fresh, lease),
    ]);
    return sumOf(claimed);
  }

  async #takeDue(task: Task, candidate: Candidate, lease: Lease): Promise<Claimed> {
    const before = await this.#taskContacts.lease(task.id, candidate, lease);
    if (before === undefined) return lostOf([candidate]);
    const claimed = await this.#call(candidate, leasedBy(before, lease));
    // With the nonce of the lease before: nobody else was given the contact, so its result still counts.
    if (claimed.gone > 0) await this.#taskContacts.markGone([{ ...before, version: before.version + 1 }]);
    return claimed;
  }

  /** The first one alone: whoever was faster with it is about to take the others. */
  async #takeFresh(task: Task, fresh: readonly Candidate[], lease: Lease): Promise<Claimed> {
    const [first, ...others] = fresh;
    const leased = first && (await this.#takeUp(task, first, lease));
    if (first === undefined || leased === undefined) return lostOf(fresh);
    const claimed = await Promise.all([
      this.#call(first, leased),
      ...others.map(async (candidate) => {
        const another = await this.#takeUp(task, candidate, lease);
        return another === undefined ? lostOf([candidate]) : this.#call(candidate, another);
      }),
    ]);
    return sumOf(claimed);
  }

  /** `undefined` when another dialer was faster. */
  async #takeUp(task: Task, { seq, since }: Candidate, lease: Lease): Promise<Leased | undefined> {
    const leased = leasedBy(newTaskContact(task, seq, since), lease);
    return (await this.#taskContacts.write(leased)) ? leased : undefined;
  }

  /** A deleted contact that was just taken up is left to the end of its lease. */
  async #call(candidate: Candidate, leased: Leased): Promise<Claimed> {
    const item = await this.#showInCall(leased);
    if (item === undefined) return oneGone;
    const { taskId, seq, nonce, attempts, priority, leaseUntil } = leased;
    const { id, dataSourceId, phoneNumber, fields } = contactOfItem(leased.dataSourceId, item);
    const call = {
      callId: callId({ taskId, seq, nonce }),
      taskId,
      contactId: id,
      dataSourceId,
      phoneNumber,
      fields,
      attempt: attempts + 1,
      priority,
      leaseExpireTime: leaseUntil,
    };
    return { calls: [{ candidate, call }], lost: 0, gone: 0 };
  }

  /** The contact as it is now; `undefined` when it was deleted. */
  #showInCall({ taskId, dataSourceId, seq, leaseUntil }: TaskContact): Promise<Item | undefined> {
    return unlessRefused(() =>
      this.#database.update(keys.contact(dataSourceId, seq), {
        UpdateExpression: 'SET #call = :until',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#call': callSign(taskId) },
        ExpressionAttributeValues: { ':until': leaseUntil },
      }),
    );
  }
}
