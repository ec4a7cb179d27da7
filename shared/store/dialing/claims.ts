import { callId } from '../../domain/call-id.ts';
import type { Contact, Fields } from '../../domain/contact.ts';
import { contactId } from '../../domain/contact-id.ts';
import { byWaiting, type TraceCall, type Waiting } from '../../domain/dialing.ts';
import type { Task } from '../../domain/task.ts';
import {
  blocked,
  deferred,
  type Lease,
  leased,
  newTaskContact,
  type TaskContact,
} from '../../domain/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import type { CallingRules, TaskRules } from '../calling-rules.ts';
import { showInCall, showNoCall } from '../contacts/call-signs.ts';
import { contactOfItem } from '../contacts/contact-items.ts';
import type { Database } from '../database.ts';
import { keys } from '../keys.ts';
import type { Intakes, OpenIntake } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';

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

export type LeasedContact = Extract<TaskContact, { state: 'leased' }>;
/** `before`: as it was stored, or would have been. */
type Taken = { candidate: Candidate; before: TaskContact; contact: LeasedContact };

const stored = (contact: TaskContact): TaskContact => ({ ...contact, version: (contact.version ?? 0) + 1 });

/** Turns candidates of one task into calls; what another dialer took first is left to it. */
export class Claims {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;
  readonly #intakes: Intakes;
  readonly #rules: CallingRules;
  readonly #trace: TraceCall;

  constructor(
    database: Database,
    taskContacts: TaskContacts,
    intakes: Intakes,
    rules: CallingRules,
    trace: TraceCall,
  ) {
    this.#rules = rules;
    this.#database = database;
    this.#taskContacts = taskContacts;
    this.#intakes = intakes;
    this.#trace = trace;
  }

  async claim(line: Line, lease: Lease, rules: TaskRules, now: Instant): Promise<Claimed> {
    const { task, intakes } = line;
    const candidates = await this.#callableNow(line, rules, now);
    const taken = await this.#takeAll(task, candidates, lease);
    for (const { candidate } of taken) {
      candidate.intake?.open.delete(candidate.seq);
      candidate.intake?.inCall.set(candidate.seq, lease.until);
    }
    const [calls] = await Promise.all([
      this.#callAll(taken, rules, now),
      ...intakes.map((intake) => this.#intakes.close(intake)),
    ]);
    const lost = candidates.length - taken.length;
    return { calls, lost, gone: line.candidates.length - lost - calls.length };
  }

  /** The calls of contacts that an earlier one of the same request has taken, and may not have told of. */
  async resume(contacts: readonly LeasedContact[], rules: TaskRules, now: Instant): Promise<LeasedCall[]> {
    const taken = contacts.map(
      (contact): Taken => ({
        candidate: { taskId: contact.taskId, seq: contact.seq, since: contact.due },
        before: { ...contact, version: contact.version! - 1 },
        contact,
      }),
    );
    const calls = await this.#callAll(taken, rules, now);
    return calls.sort((a, b) => byWaiting(a.candidate, b.candidate)).map(({ call }) => call);
  }

  /** Whoever has hours of his own that are closed now is put in line for their opening. */
  async #callableNow(line: Line, { hasOwnZones }: TaskRules, now: Instant): Promise<Candidate[]> {
    const { task, candidates } = line;
    if (!hasOwnZones || candidates.length === 0) return candidates;
    const items = await this.#database.batchGet(
      candidates.map(({ seq }) => keys.contact(task.dataSourceId, seq)),
    );
    const openings = items.map((item) =>
      item === undefined ? now : this.#rules.opening(task, now, contactOfItem(task.dataSourceId, item)),
    );
    const closed = candidates.filter((_, i) => openings[i] !== now);
    const known = await this.#taskContacts.read(
      task.id,
      closed.map(({ seq }) => seq),
    );
    await Promise.all(
      closed.map(async (candidate, i) => {
        const contact = known[i] ?? newTaskContact(task, candidate.seq, candidate.since);
        if (contact.version !== candidate.version) return;
        const due = openings[candidates.indexOf(candidate)]!;
        if (await this.#taskContacts.write(deferred(contact, due)))
          candidate.intake?.open.delete(candidate.seq);
      }),
    );
    return candidates.filter((_, i) => openings[i] === now);
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

  /**
   * Those of deleted contacts, and of numbers that are not to be called, are settled, each with the lease it
   * had before, whose result still counts.
   */
  async #callAll(taken: readonly Taken[], rules: TaskRules, now: Instant): Promise<Claimed['calls']> {
    const { until } = taken[0]?.contact.lease ?? { until: 0 };
    const items = await Promise.all(taken.map(({ contact }) => showInCall(this.#database, contact, until)));
    const found = taken.flatMap((one, i) => {
      const item = items[i];
      return item === undefined ? [] : [{ ...one, ...contactOfItem(one.contact.dataSourceId, item) }];
    });
    const phones = found.map(({ phoneNumber }) => phoneNumber);
    const listed = await this.#rules.listed(rules.lists, phones);
    const refused = found.filter(({ phoneNumber }) => listed.has(phoneNumber));
    const calls = await Promise.all(
      found.filter((one) => !refused.includes(one)).map((one) => this.#call(one, now)),
    );
    const gone = taken.filter((_, i) => items[i] === undefined);
    await this.#taskContacts.settle(gone.map(({ before }) => stored(before)));
    await Promise.all(refused.map(({ contact }) => showNoCall(this.#database, contact, until)));
    await this.#taskContacts.settle(
      refused.map(({ before }) => stored(before)),
      blocked,
    );
    for (const { contact } of refused) this.#trace('blocked', traced(contact));
    return calls.filter((call) => call !== undefined);
  }

  /** Nothing when its number was called often enough today: it waits for tomorrow. */
  async #call(
    { candidate, before, contact, phoneNumber, fields }: Taken & Pick<Contact, 'phoneNumber' | 'fields'>,
    now: Instant,
  ): Promise<Claimed['calls'][number] | undefined> {
    const { dataSourceId, priority, lease } = contact;
    const tomorrow = await this.#rules.countCall(traced(contact).callId, phoneNumber, now);
    if (tomorrow !== undefined) {
      await showNoCall(this.#database, contact, lease.until);
      await this.#taskContacts.write(deferred(stored(before), tomorrow));
      this.#trace('deferred', traced(contact));
      return undefined;
    }
    this.#trace('leased', traced(contact));
    const leaseExpireTime = lease.until;
    const call = { ...traced(contact), dataSourceId, phoneNumber, fields, priority, leaseExpireTime };
    return { candidate, call };
  }
}

const traced = ({ taskId, dataSourceId, seq, lease, attempts }: LeasedContact) => ({
  callId: callId({ taskId, seq, nonce: lease.nonce }),
  taskId,
  contactId: contactId(dataSourceId, seq),
  attempt: attempts + 1,
});
