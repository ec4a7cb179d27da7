import { callId } from '../../domain/call-id.ts';
import type { Fields } from '../../domain/contact.ts';
import { contactId } from '../../domain/contact-id.ts';
import type { TraceCall, Waiting } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import { type Lease, leased, newTaskContact, type TaskContact } from '../../domain/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import { callSign, contactOfItem } from '../contacts/contact-items.ts';
import type { Database, Item } from '../database.ts';
import { keys } from '../keys.ts';
import { unlessLost } from '../optimistic.ts';
import type { Intakes, OpenIntake } from './intakes.ts';
import { movedAtOnce, type TaskContacts } from './task-contacts.ts';

/** A contact that may be called now; with a version where it has a task contact. */
export type Candidate = Waiting & { version?: number; intake?: OpenIntake };

/** The next of one task, and the intake records that were looked at for them. */
export type Line = { task: Task; candidates: Candidate[]; intakes: OpenIntake[] };

export type LeasedCall = {
  callId: string;
  taskId: string;
  contactId: string;
  dataSourceId: string;
  phoneNumber: string;
  fields: Fields;
  /** From 1 in each allowance. */
  attempt: number;
  priority: number;
  leaseExpireTime: Instant;
};

/** The calls with their candidates, and how many came to nothing: taken by other dialers first, or deleted. */
export type Claimed = { calls: { candidate: Candidate; call: LeasedCall }[]; lost: number; gone: number };

type LeasedContact = Extract<TaskContact, { state: 'leased' }>;
/** `before`: as it was stored, or would have been. */
type Taken = { candidate: Candidate; before: TaskContact; contact: LeasedContact };

const stored = (contact: TaskContact): TaskContact => ({ ...contact, version: (contact.version ?? 0) + 1 });

/** Turns candidates of one task into calls; what another dialer took first is left to it. */
export class Claims {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;
  readonly #intakes: Intakes;
  readonly #trace: TraceCall;

  constructor(database: Database, taskContacts: TaskContacts, intakes: Intakes, trace: TraceCall) {
    this.#database = database;
    this.#taskContacts = taskContacts;
    this.#intakes = intakes;
    this.#trace = trace;
  }

  async claim({ task, candidates, intakes }: Line, lease: Lease): Promise<Claimed> {
    const taken = await this.#takeAll(task, candidates, lease);
    for (const { candidate } of taken) {
      candidate.intake?.open.delete(candidate.seq);
      candidate.intake?.inCall.set(candidate.seq, lease.until);
    }
    const [calls] = await Promise.all([
      this.#callAll(taken),
      ...intakes.map((intake) => this.#intakes.close(intake)),
    ]);
    const lost = candidates.length - taken.length;
    return { calls, lost, gone: taken.length - calls.length };
  }

  async #takeAll(task: Task, candidates: readonly Candidate[], lease: Lease): Promise<Taken[]> {
    const known = candidates.filter(({ version }) => version !== undefined);
    const fresh = candidates.filter(({ version }) => version === undefined);
    const taken = await Promise.all([
      ...known.map((candidate) => this.#takeAgain(task, candidate, lease)),
      this.#takeFresh(task, fresh, lease),
    ]);
    return taken.flat();
  }

  async #takeAgain(task: Task, candidate: Candidate, lease: Lease): Promise<Taken[]> {
    const { seq, version } = candidate;
    const before = await this.#taskContacts.lease(task.id, { seq, version: version! }, lease);
    if (before?.state !== 'waiting' && before?.state !== 'leased') return [];
    if (before.state === 'leased') this.#trace('lapsed', traced(before));
    return [{ candidate, before, contact: leased(before, lease) }];
  }

  /**
   * The first one alone: whoever was faster with it is about to take the others. Those that this very request
   * has taken up are most likely its own.
   */
  async #takeFresh(task: Task, fresh: readonly Candidate[], lease: Lease): Promise<Taken[]> {
    const isOwn = fresh.some(({ intake }) => intake?.isOwn);
    const [first, others] = isOwn ? [[], fresh] : [fresh.slice(0, 1), fresh.slice(1)];
    const probed = await Promise.all(first.map((candidate) => this.#takeUp(task, candidate, lease)));
    if (first.length > 0 && probed.flat().length === 0) return [];
    const taken = await Promise.all(others.map((candidate) => this.#takeUp(task, candidate, lease)));
    return [...probed, ...taken].flat();
  }

  async #takeUp(task: Task, candidate: Candidate, lease: Lease): Promise<Taken[]> {
    const before = newTaskContact(task, candidate.seq, candidate.since);
    const contact = leased(before, lease);
    return (await this.#taskContacts.write(contact)) ? [{ candidate, before, contact }] : [];
  }

  /** Those of deleted contacts are settled, each with the lease it had before, whose result still counts. */
  async #callAll(taken: readonly Taken[]): Promise<Claimed['calls']> {
    const calls = await Promise.all(taken.map((one) => this.#call(one)));
    const deleted = taken.filter((_, i) => calls[i] === undefined).map(({ before }) => stored(before));
    for (let at = 0; at < deleted.length; at += movedAtOnce)
      await this.#taskContacts.settleGone(deleted.slice(at, at + movedAtOnce));
    return calls.filter((call) => call !== undefined);
  }

  async #call({ candidate, contact }: Taken): Promise<Claimed['calls'][number] | undefined> {
    const item = await this.#showInCall(contact);
    if (item === undefined) return undefined;
    this.#trace('leased', traced(contact));
    const { phoneNumber, fields } = contactOfItem(contact.dataSourceId, item);
    const { dataSourceId, priority, lease } = contact;
    const call = {
      ...traced(contact),
      dataSourceId,
      phoneNumber,
      fields,
      priority,
      leaseExpireTime: lease.until,
    };
    return { candidate, call };
  }

  /** The contact as it is now; `undefined` when it was deleted. */
  #showInCall({ taskId, dataSourceId, seq, lease }: LeasedContact): Promise<Item | undefined> {
    return unlessLost(() =>
      this.#database.update(keys.contact(dataSourceId, seq), {
        UpdateExpression: 'SET #call = :until',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#call': callSign(taskId) },
        ExpressionAttributeValues: { ':until': lease.until },
      }),
    );
  }
}

const traced = ({ taskId, dataSourceId, seq, lease, attempts }: LeasedContact) => ({
  callId: callId({ taskId, seq, nonce: lease.nonce }),
  taskId,
  contactId: contactId(dataSourceId, seq),
  attempt: attempts + 1,
});
