import { callId } from '../../domain/call-id.ts';
import type { Fields } from '../../domain/contact.ts';
import { type Waiting, waitingSince } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { callSign, contactOfItem } from '../contacts/contact-items.ts';
import { type Database, type Item, TransactionRefused } from '../database.ts';
import { keys } from '../keys.ts';
import { unlessRefused } from '../retry.ts';
import { type DialState, nextDialState } from './dial-state.ts';
import { type LeaseRecord, leaseItem } from './lease-records.ts';
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

/** The calls with their places in the line, and how many candidates came to nothing. */
export type Claimed = { calls: { candidate: Candidate; call: LeasedCall }[]; lost: number };

export const freshCandidate = (task: Task, seq: number, createTime: Instant): Candidate => ({
  since: waitingSince(task, createTime),
  taskId: task.id,
  seq,
  version: 0,
});

export const dueCandidate = (task: Task, { seq, since, version }: Place): Candidate => ({
  since,
  taskId: task.id,
  seq,
  version,
});

const leasedBy = (waiting: TaskContact, { nonce, until }: Lease): TaskContact => ({
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

  async claim(task: Task, dial: DialState, candidates: readonly Candidate[], lease: Lease): Promise<Claimed> {
    const fresh = candidates.filter(({ version }) => version === 0).map(({ seq }) => seq);
    if (fresh.length > 0 && !(await this.#moveOver({ taskId: task.id, ...lease, seqs: fresh }, dial)))
      return { calls: [], lost: candidates.length };
    const claimed = await Promise.all(
      candidates.map(async (candidate) => {
        const call = await this.#take(task, candidate, lease);
        return call && { candidate, call };
      }),
    );
    const calls = claimed.filter((claim) => claim !== undefined);
    return { calls, lost: candidates.length - calls.length };
  }

  /**
   * The cursor moves together with the record that names the contacts it moved over: a record without
   * the move would let contacts be mended that another claim never counted.
   */
  async #moveOver(record: LeaseRecord, dial: DialState): Promise<boolean> {
    const { seqs } = record;
    const moved = nextDialState(dial, {
      cursor: (seqs.at(-1) as number) + 1,
      claimed: dial.claimed + seqs.length,
    });
    try {
      await this.#database.transact([
        this.#database.putOf(leaseItem(record)),
        this.#database.putOf(...moved),
      ]);
      return true;
    } catch (error) {
      if (error instanceof TransactionRefused) return false;
      throw error;
    }
  }

  async #take(task: Task, candidate: Candidate, lease: Lease): Promise<LeasedCall | undefined> {
    const waiting = await this.#hold(task, candidate, lease);
    if (waiting === undefined) return undefined;
    const { nonce, until } = lease;
    const leased = leasedBy(waiting, lease);
    const contact = await this.#showInCall(leased);
    if (contact === undefined) {
      // With the nonce of the lease before: nobody else was given the contact, so its result still counts.
      await this.#taskContacts.markGone({ ...waiting, version: waiting.version + 1 });
      return undefined;
    }
    const { id, dataSourceId, phoneNumber, fields } = contactOfItem(leased.dataSourceId, contact);
    return {
      callId: callId({ taskId: leased.taskId, seq: leased.seq, nonce }),
      taskId: leased.taskId,
      contactId: id,
      dataSourceId,
      phoneNumber,
      fields,
      attempt: leased.attempts + 1,
      priority: leased.priority,
      leaseExpireTime: until,
    };
  }

  /** Answers the task contact as it was before; `undefined` when another dialer was faster. */
  async #hold(task: Task, candidate: Candidate, lease: Lease): Promise<TaskContact | undefined> {
    const { seq, since, version } = candidate;
    if (version > 0) return this.#taskContacts.lease(task.id, { seq, version }, lease);
    const fresh = newTaskContact(task, seq, since);
    return (await this.#taskContacts.write(leasedBy(fresh, lease))) ? fresh : undefined;
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
