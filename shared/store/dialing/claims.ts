import { type LeasedCall, type TraceCall, tracedCall } from '../../domain/call.ts';
import type { Contact } from '../../domain/contact.ts';
import { byWaiting, type Waiting } from '../../domain/dialing.ts';
import type { OpenIntake } from '../../domain/intake.ts';
import type { Task } from '../../domain/task.ts';
import {
  blocked,
  deferred,
  gone,
  type Lease,
  type Leased,
  leased,
  newTaskContact,
  type TaskContact,
} from '../../domain/task-contact.ts';
import type { Instant } from '../../domain/time.ts';
import type { CallingRules, TaskRules } from '../calling-rules.ts';
import { contactOfItem } from '../contacts/contact-items.ts';
import { showInCall, showNoCall } from '../contacts/in-call-marks.ts';
import type { Database } from '../database.ts';
import type { Intakes } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A contact that may be called now; with a version where it has a task contact. */
export type Candidate = Waiting & { phoneNumber?: string; version?: number; intake?: OpenIntake };

/** The next of one task, and the intake records that were looked at for them. */
export type Line = { task: Task; candidates: Candidate[]; intakes: OpenIntake[] };

/** The calls with their candidates, and how many came to nothing: taken by other dialers first, or not callable. */
export type Claimed = { calls: Claim[]; lost: number; gone: number };
type Claim = { candidate: Candidate; call: LeasedCall };

/** `before`: as it was stored, or would have been. */
type Taken = { candidate: Candidate; before: TaskContact; contact: Leased };
/** `after`: what a contact becomes that is not called after all. */
type Judged = { claim: Claim } | { after: TaskContact };

type Parts = {
  database: Database;
  taskContacts: TaskContacts;
  intakes: Intakes;
  rules: CallingRules;
  trace: TraceCall;
};

/** Turns candidates of one task into calls; what another dialer took first is left to it. */
export class Claims {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async claim(line: Line, lease: Lease, rules: TaskRules, now: Instant): Promise<Claimed> {
    const { task, intakes } = line;
    const candidates = await this.#callableNow(line, lease, rules, now);
    const taken = await this.#takeAll(task, candidates, lease);
    for (const { candidate } of taken) {
      candidate.intake?.open.delete(candidate.seq);
      candidate.intake?.inCall.set(candidate.seq, lease.until);
    }
    const [calls] = await Promise.all([
      this.#callAll(task, taken, rules, now),
      ...intakes.map((intake) => this.#parts.intakes.close(intake)),
    ]);
    const lost = candidates.length - taken.length;
    return { calls, lost, gone: line.candidates.length - lost - calls.length };
  }

  /** The calls of contacts that an earlier one of the same request has taken, and may not have told of. */
  async resume(task: Task, contacts: readonly Leased[], now: Instant): Promise<LeasedCall[]> {
    const taken = contacts.map((contact): Taken => {
      const { taskId, seq, due } = contact;
      const before = { ...contact, version: contact.version! - 1 };
      return { candidate: { taskId, seq, since: due }, before, contact };
    });
    const calls = await this.#callAll(task, taken, await this.#parts.rules.of(task), now);
    return calls.sort((a, b) => byWaiting(a.candidate, b.candidate)).map(({ call }) => call);
  }

  /** Whoever may not be called yet is put in line for the moment he may, without a lease. */
  async #callableNow(
    { task, candidates }: Line,
    { nonce }: Lease,
    rules: TaskRules,
    now: Instant,
  ): Promise<Candidate[]> {
    const { taskContacts, trace } = this.#parts;
    const openings = await this.#parts.rules.openings(task, candidates, rules, now);
    const closed = candidates
      .map((candidate, i) => ({ candidate, due: openings[i]! }))
      .filter(({ due }) => due !== now);
    const known = await taskContacts.read(
      task.id,
      closed.map(({ candidate }) => candidate.seq),
    );
    await Promise.all(
      closed.map(async ({ candidate, due }, i) => {
        const contact = known[i] ?? newTaskContact(task, candidate.seq, candidate.since);
        if (contact.version !== candidate.version) return;
        if (!(await taskContacts.write(deferred(contact, due)))) return;
        candidate.intake?.open.delete(candidate.seq);
        trace('deferred', tracedCall(contact, nonce));
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
    const before = await this.#parts.taskContacts.lease(task.id, { seq, version: version! }, lease);
    if (before?.state !== 'waiting' && before?.state !== 'leased') return [];
    if (before.state === 'leased') this.#parts.trace('lapsed', tracedCall(before, before.lease.nonce));
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
    return (await this.#parts.taskContacts.write(contact)) ? [{ candidate, before, contact }] : [];
  }

  async #callAll(task: Task, taken: readonly Taken[], rules: TaskRules, now: Instant): Promise<Claim[]> {
    const { database, taskContacts } = this.#parts;
    const items = await Promise.all(
      taken.map(({ contact }) => showInCall(database, contact, contact.lease.until)),
    );
    const contacts = items.map((item) => item && contactOfItem(task.dataSourceId, item));
    const phones = contacts.flatMap((contact) => contact?.phoneNumber ?? []);
    const listed = await this.#parts.rules.listed(rules.lists, phones);
    const judged = await Promise.all(taken.map((one, i) => this.#judge(task, one, contacts[i], listed, now)));
    const refused = judged.flatMap((one, i) => ('after' in one ? [{ ...taken[i]!, after: one.after }] : []));
    await taskContacts.move(refused.filter(({ after }) => after.state !== 'waiting'));
    await Promise.all(refused.map((one) => this.#takeBack(one)));
    return judged.flatMap((one) => ('claim' in one ? [one.claim] : []));
  }

  async #takeBack({ contact, after }: Taken & { after: TaskContact }): Promise<void> {
    const { database, taskContacts, trace } = this.#parts;
    if (after.state === 'gone') return;
    await showNoCall(database, contact, contact.lease.until);
    if (after.state === 'waiting') await taskContacts.write(after);
    const move = after.state === 'waiting' ? 'deferred' : 'blocked';
    trace(move, tracedCall(contact, contact.lease.nonce));
  }

  /** Who is not called keeps the lease he had before, whose result still counts. */
  async #judge(
    task: Task,
    { candidate, before, contact }: Taken,
    called: Contact | undefined,
    listed: ReadonlySet<string>,
    now: Instant,
  ): Promise<Judged> {
    const stored = { ...before, version: (before.version ?? 0) + 1 };
    if (called === undefined) return { after: gone(stored) };
    const traced = tracedCall(contact, contact.lease.nonce);
    const verdict = await this.#parts.rules.verdict(task, called, traced.callId, listed, now);
    if (verdict.is === 'blocked') return { after: blocked(stored) };
    if (verdict.is === 'deferred') return { after: deferred(stored, verdict.due) };
    this.#parts.trace('leased', traced);
    const { dataSourceId, phoneNumber, fields } = called;
    const { priority, lease } = contact;
    const call = { ...traced, dataSourceId, phoneNumber, fields, priority, leaseExpireTime: lease.until };
    return { claim: { candidate, call } };
  }
}
