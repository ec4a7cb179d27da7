import { callId } from '../../domain/call-id.ts';
import type { Fields } from '../../domain/contact.ts';
import { type Waiting, waitingSince } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import type { Instant } from '../../domain/time.ts';
import { callSign, contactOfItem } from '../contacts/contact-items.ts';
import { ConditionFailed, type Database, type Item, TransactionRefused } from '../database.ts';
import { keys } from '../keys.ts';
import { optimistic } from '../retry.ts';
import { type DialState, nextDialState } from './dial-state.ts';
import { type LeaseRecord, leaseItem } from './lease-records.ts';
import { newTaskContact, type TaskContact } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A contact that may be called now: one that is due, or a fresh one when it has no task contact yet. */
export type Candidate = Waiting & { taskContact: TaskContact | undefined };

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

export type Lease = { nonce: string; until: Instant };
/** The calls with their places in the line, and how many candidates came to nothing. */
export type Claimed = { calls: { candidate: Candidate; call: LeasedCall }[]; lost: number };

export const freshCandidate = (task: Task, seq: number, createTime: Instant): Candidate => ({
  since: waitingSince(task, createTime),
  taskId: task.id,
  seq,
  taskContact: undefined,
});

export const dueCandidate = (taskContact: TaskContact): Candidate => ({
  since: taskContact.due,
  taskId: taskContact.taskId,
  seq: taskContact.seq,
  taskContact,
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
    const record: LeaseRecord = { taskId: task.id, ...lease, fresh: [], due: [] };
    for (const { seq, taskContact } of candidates) {
      if (taskContact) record.due.push({ seq, version: taskContact.version });
      else record.fresh.push(seq);
    }
    if (!(await this.#record(record, dial))) return { calls: [], lost: candidates.length };
    const claimed = await Promise.all(
      candidates.map(async (candidate) => {
        const { seq, since, taskContact } = candidate;
        const call = await this.#take(taskContact ?? newTaskContact(task, seq, since), lease);
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
  async #record(record: LeaseRecord, dial: DialState): Promise<boolean> {
    const last = record.fresh.at(-1);
    if (last === undefined) {
      await this.#database.put(leaseItem(record));
      return true;
    }
    const moved = nextDialState(dial, { cursor: last + 1, claimed: dial.claimed + record.fresh.length });
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

  async #take(waiting: TaskContact, { nonce, until }: Lease): Promise<LeasedCall | undefined> {
    const leased: TaskContact = { ...waiting, state: 'leased', nonce, leaseUntil: until };
    if (!(await this.#taskContacts.write(leased))) return undefined;
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

  /** The contact as it is now; `undefined` when it was deleted. */
  #showInCall({ taskId, dataSourceId, seq, leaseUntil }: TaskContact): Promise<Item | undefined> {
    return optimistic(async () => {
      try {
        return await this.#database.update(keys.contact(dataSourceId, seq), {
          UpdateExpression: 'SET #call = :until',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeNames: { '#call': callSign(taskId) },
          ExpressionAttributeValues: { ':until': leaseUntil },
        });
      } catch (error) {
        if (error instanceof ConditionFailed) return undefined;
        throw error;
      }
    });
  }
}
