import type { Contact } from '../../domain/contacts/contact.ts';
import { describeCall, type LeasedCall, type LogCall } from '../../domain/dialing/call.ts';
import { byWaiting, type Turn } from '../../domain/dialing/dialing.ts';
import type { OpenIntake } from '../../domain/dialing/intake.ts';
import {
  blockContact,
  deferContact,
  dropContact,
  type Lease,
  type LeasedContact,
  leaseContact,
  newTaskContact,
  numbered,
  type TaskContact,
} from '../../domain/dialing/task-contact.ts';
import type { Task } from '../../domain/tasks/task.ts';
import type { Instant } from '../../domain/time.ts';
import { contactOfItem, showInCall, showNoCall } from '../contacts/index.ts';
import type { CallingRules, TaskRules } from '../rules/index.ts';
import type { Database } from '../table/index.ts';
import type { Intakes } from './intakes.ts';
import type { TaskContacts } from './task-contacts.ts';

/** A contact that may be called now; with a version where it has a task contact. */
export type Candidate = Turn & {
  version?: number;
  intake?: OpenIntake;
  /** As it was when the contact was taken up or put in line; only where calls are counted by number. */
  phoneNumber?: string;
};

/** The next of one task, and the intake records that were looked at for them. */
export type TaskCandidates = { task: Task; candidates: Candidate[]; intakes: OpenIntake[] };

/** The calls with their candidates, and how many came to nothing: taken by other dialers first, or not callable. */
export type Claimed = { calls: Claim[]; lost: number; gone: number };
type Claim = { candidate: Candidate; call: LeasedCall };

/**
 * Calls of one task that are to be leased now. `refused`: the contacts whose numbers had their calls of the day when
 * this request looked before.
 */
type Errand = { task: Task; lease: Lease; rules: TaskRules; refused: Set<string>; now: Instant };
/** `before`: as it was stored, or would have been. */
type Taken = { candidate: Candidate; before: TaskContact; contact: LeasedContact };
/** What came of a candidate: it has the lease, or was put off; nothing where another dialer was faster. */
type Try = { taken?: Taken };
/** `after`: what a contact becomes that is not called after all. */
type Judged = { claim: Claim } | { after: TaskContact };

type Dependencies = {
  database: Database;
  taskContacts: TaskContacts;
  intakes: Intakes;
  rules: CallingRules;
  logCall: LogCall;
};

/** Turns candidates of one task into calls; what another dialer took first is left to it. */
export class Claims {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async claim(line: TaskCandidates, asked: Omit<Errand, 'task'>): Promise<Claimed> {
    const errand = { ...asked, task: line.task };
    const { lease, rules, now } = asked;
    const candidates = await this.#inHours(line.candidates, errand);
    const tries = await this.#takeAll(candidates, errand);
    const taken = tries.flatMap((one) => one.taken ?? []);
    for (const { candidate } of taken) {
      candidate.intake?.open.delete(candidate.seq);
      candidate.intake?.inCall.set(candidate.seq, lease.until);
    }
    const [calls] = await Promise.all([
      this.#callAll(line.task, taken, rules, now),
      ...line.intakes.map((intake) => this.#deps.intakes.close(intake)),
    ]);
    const lost = candidates.length - tries.length;
    return { calls, lost, gone: line.candidates.length - lost - calls.length };
  }

  /** The calls of contacts that an earlier one of the same request has taken, and may not have told of. */
  async resume(task: Task, contacts: readonly LeasedContact[], now: Instant): Promise<LeasedCall[]> {
    const taken = contacts.map((contact): Taken => {
      const { taskId, seq, due } = contact;
      const before = { ...contact, version: contact.version! - 1 };
      return { candidate: { taskId, seq, since: due }, before, contact };
    });
    const calls = await this.#callAll(task, taken, await this.#deps.rules.of(task), now);
    return calls.sort((a, b) => byWaiting(a.candidate, b.candidate)).map(({ call }) => call);
  }

  async #inHours(candidates: readonly Candidate[], errand: Errand): Promise<Candidate[]> {
    const { task, rules, now } = errand;
    const openings = await this.#deps.rules.openings(task, candidates, rules, now);
    const found = candidates.map((candidate, i) => ({ ...candidate, ...openings[i]! }));
    await Promise.all(found.map((one) => (one.due === now ? undefined : this.#putOff(one, one.due, errand))));
    return found.filter(({ due }) => due === now);
  }

  /** Whoever may not be called yet is put in line for the moment he may, without a lease. */
  async #putOff(candidate: Candidate, due: Instant, { task, lease }: Errand): Promise<void> {
    const { taskContacts, logCall } = this.#deps;
    const { seq, since, version, intake } = candidate;
    const [known] = version === undefined ? [] : await taskContacts.read(task.id, [seq]);
    const contact = known ?? newTaskContact(task, seq, since);
    if (contact.version !== version) return;
    if (!(await taskContacts.write(deferContact(numbered(contact, candidate.phoneNumber), due)))) return;
    intake?.open.delete(seq);
    logCall('deferred', describeCall(contact, lease.nonce));
  }

  /**
   * The first of the fresh ones alone: whoever was faster with it is about to take the others. Those that this very
   * request has taken up are most likely its own.
   */
  async #takeAll(candidates: readonly Candidate[], errand: Errand): Promise<Try[]> {
    const numbers = candidates.flatMap(({ phoneNumber }) => phoneNumber ?? []);
    const listed = await errand.rules.listed.among(numbers);
    const attempt = (candidate: Candidate) => this.#try(candidate, listed, errand);
    const known = candidates.filter(({ version }) => version !== undefined);
    const fresh = candidates.filter(({ version }) => version === undefined);
    const isOwn = fresh.some(({ intake }) => intake?.isOwn);
    const [first, others] = isOwn ? [[], fresh] : [fresh.slice(0, 1), fresh.slice(1)];
    const takeFresh = async () => {
      const probed = await Promise.all(first.map(attempt));
      if (first.length > 0 && probed.flat().length === 0) return [];
      return [...probed, ...(await Promise.all(others.map(attempt)))].flat();
    };
    const tries = await Promise.all([...known.map(attempt), takeFresh()]);
    return tries.flat();
  }

  async #try(found: Candidate, listed: ReadonlySet<string>, errand: Errand): Promise<Try[]> {
    const { task, lease, now } = errand;
    const { phoneNumber: _, ...unnumbered } = found;
    const { due, notBefore, ...counted } = await this.#deps.rules.admit(task, found, listed, now);
    const candidate = { ...unnumbered, ...counted };
    if (due !== now) {
      // A call that was counted for the number at this moment may not be made after all: it is looked at twice.
      const name = `${task.id} ${candidate.seq}`;
      if (errand.refused.has(name)) await this.#putOff(candidate, due, errand);
      errand.refused.add(name);
      return [{}];
    }
    const taken = await this.#take(
      task,
      candidate,
      notBefore === undefined ? lease : { ...lease, notBefore },
    );
    return taken === undefined ? [] : [{ taken }];
  }

  async #take(task: Task, candidate: Candidate, lease: Lease): Promise<Taken | undefined> {
    const { taskContacts, logCall } = this.#deps;
    const { seq, since, version, phoneNumber } = candidate;
    if (version === undefined) {
      const before = numbered(newTaskContact(task, seq, since), phoneNumber);
      const contact = leaseContact(before, lease);
      return (await taskContacts.write(contact)) ? { candidate, before, contact } : undefined;
    }
    const before = await taskContacts.lease(task.id, { seq, version }, lease);
    if (before?.state !== 'waiting' && before?.state !== 'leased') return undefined;
    if (before.state === 'leased') logCall('lapsed', describeCall(before, before.lease.nonce));
    return { candidate, before, contact: leaseContact(before, lease) };
  }

  async #callAll(task: Task, taken: readonly Taken[], rules: TaskRules, now: Instant): Promise<Claim[]> {
    const { database, taskContacts } = this.#deps;
    const items = await Promise.all(
      taken.map(({ contact }) => showInCall(database, contact, contact.lease.until)),
    );
    const contacts = items.map((item) => item && contactOfItem(task.dataSourceId, item));
    const phones = contacts.flatMap((contact) => contact?.phoneNumber ?? []);
    const listed = await rules.listed.among(phones);
    const judged = await Promise.all(taken.map((one, i) => this.#judge(task, one, contacts[i], listed, now)));
    const refused = judged.flatMap((one, i) => ('after' in one ? [{ ...taken[i]!, after: one.after }] : []));
    await taskContacts.move(refused.filter(({ after }) => after.state !== 'waiting'));
    await Promise.all(refused.map((one) => this.#takeBack(one)));
    return judged.flatMap((one) => ('claim' in one ? [one.claim] : []));
  }

  async #takeBack({ contact, after }: Taken & { after: TaskContact }): Promise<void> {
    const { database, taskContacts, logCall } = this.#deps;
    if (after.state === 'gone') return;
    await showNoCall(database, contact, contact.lease.until);
    if (after.state === 'waiting') await taskContacts.write(after);
    const move = after.state === 'waiting' ? 'deferred' : 'blocked';
    logCall(move, describeCall(contact, contact.lease.nonce));
  }

  /** Who is not called keeps the lease he had before, whose result still counts. */
  async #judge(
    task: Task,
    { candidate, before, contact }: Taken,
    called: Contact | undefined,
    listed: ReadonlySet<string>,
    now: Instant,
  ): Promise<Judged> {
    const { version = 0 } = before;
    const verdict = await this.#deps.rules.verdict(task, { ...candidate, version }, called, listed, now);
    const stored = { ...before, version: version + 1 };
    if (verdict.is === 'gone') return { after: dropContact(stored) };
    if (verdict.is === 'blocked') return { after: blockContact(stored) };
    if (verdict.is === 'deferred') return { after: deferContact(stored, verdict.due) };
    const described = describeCall(contact, contact.lease.nonce);
    this.#deps.logCall('leased', described);
    const { dataSourceId, phoneNumber, fields } = verdict.contact;
    const { priority, lease } = contact;
    const call = { ...described, dataSourceId, phoneNumber, fields, priority, leaseExpireTime: lease.until };
    return { claim: { candidate, call } };
  }
}
