import {
  type CallEvent,
  callerNumberOf,
  describeCall,
  type LeasedCall,
  type LogCall,
} from '../../calls/rules/call.ts';
import { contactOfItem, showInCall, showNoCall } from '../../contacts/contact-items.ts';
import { noteAhead, type RequestKey, readNotes } from '../../platform/requests/effects.ts';
import { allEnded } from '../../platform/table/concurrency.ts';
import type { Database } from '../../platform/table/database.ts';
import type { Instant } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import { status } from '../../tasks/rules/task-states.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import type { CallingRules, Preview, TaskConditions } from '../calling-rules.ts';
import type { Selection } from '../reconsidered.ts';
import { callbackLevel, intakeAfter } from '../rules/dial-state.ts';
import {
  blockContact,
  canBe,
  deferContact,
  dropContact,
  type Lease,
  type LeasedContact,
  leaseContact,
  newTaskContact,
  type WaitingContact,
} from '../rules/task-contact.ts';
import type { CallDecision } from '../rules/waits.ts';
import type { TaskContacts } from '../task-contacts.ts';
import type { Candidate, TaskCandidates } from './candidates.ts';
import type { Intakes } from './intakes.ts';

/**
 * The calls in the order of the candidates, how many candidates other requests leased first, and
 * how many stay leased although they may not be called.
 */
type LeaseOutcome = { calls: LeasedCall[]; lost: number; keptLeased: number };

type Terms = {
  lease: Lease;
  /** The level at which the candidates were found. */
  level: number;
  rules: TaskConditions;
  now: Instant;
  /** Candidates that seem lost are read again, because this request may have leased them. */
  isWatched: boolean;
};

/** `stored`: the contact in the table, but with the lease before this one. */
type LeasedCandidate = { contact: LeasedContact; stored: WaitingContact | LeasedContact };

/** The contacts that a request was about to lease. */
type Intent = { taskId: string; nonce: string; seqs: number[] };

const effect = 'lease';

type Dependencies = {
  database: Database;
  tasks: Tasks;
  taskContacts: TaskContacts;
  intakes: Intakes;
  rules: CallingRules;
  selection: Selection;
  logCall: LogCall;
};

/**
 * Turns candidates of one task into calls: defers the contacts that have to wait, leases the
 * others, and checks those again with exact facts. A candidate that another request leased first is
 * skipped. A request with a key notes the contacts that it is about to lease, so that a repeat
 * finds which of them have its lease.
 */
export class CandidateLeases {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async lease({ task, candidates, intakes }: TaskCandidates, terms: Terms): Promise<LeaseOutcome> {
    const { lease, level, rules, now } = terms;
    const seqs = candidates.map(({ seq }) => seq);
    const { decisions: previews, histories } = await this.#deps.rules.preview(
      task,
      rules,
      seqs,
      level === callbackLevel,
      now,
    );
    const callable = candidates.filter((_, i) => previews[i]!.is !== 'later');
    const [deferred, leased] = await allEnded([
      this.#deferAll(task, candidates, previews, terms),
      this.#leaseAll(task, callable, terms).then((some) => this.#withOwn(task, callable, some, terms)),
    ]);
    const leases = new Map(leased.map(({ contact }) => [contact.seq, lease.until]));
    const [{ calls, keptLeased }] = await allEnded([
      this.#callAll(task, leased, { rules, histories }, now),
      ...intakes.map((each) =>
        this.#deps.intakes.replace(each.intake, intakeAfter(each, leases, new Set(deferred))),
      ),
    ]);
    return { calls, lost: callable.length - leased.length, keptLeased };
  }

  /**
   * Puts contacts in line for the moment from which they may be called, without a lease.
   * @returns their sequence numbers
   */
  async #deferAll(
    task: Task,
    candidates: readonly Candidate[],
    previews: readonly CallDecision[],
    { lease, now }: Terms,
  ): Promise<number[]> {
    const { taskContacts, logCall } = this.#deps;
    const deferred = candidates.map(async ({ seq, version }, i) => {
      const preview = previews[i]!;
      if (preview.is !== 'later') return [];
      const [known] = version === undefined ? [] : await taskContacts.read(task.id, [seq]);
      const contact = known ?? newTaskContact(task, seq, now);
      if (contact.version !== version || !canBe('deferred', contact)) return [];
      if (!(await taskContacts.write(deferContact(contact, preview.place, now)))) return [];
      logCall('deferred', describeCall(contact, lease.nonce));
      return [seq];
    });
    return (await allEnded(deferred)).flat();
  }

  /**
   * Of fresh contacts that another request has taken up, the first is leased alone. If it is lost,
   * the other request is about to lease the others.
   */
  async #leaseAll(task: Task, candidates: readonly Candidate[], terms: Terms): Promise<LeasedCandidate[]> {
    const leaseSome = async (some: readonly Candidate[]) =>
      (await allEnded(some.map((candidate) => this.#lease(task, candidate, terms)))).flat();
    const fresh = candidates.filter(({ version }) => version === undefined);
    const leaseFresh = async () => {
      const probed = await leaseSome(fresh.slice(0, 1));
      return probed.length === 0 ? [] : [...probed, ...(await leaseSome(fresh.slice(1)))];
    };
    const leased = await allEnded([
      leaseSome(candidates.filter(({ version }) => version !== undefined)),
      fresh.some(({ isOwn }) => isOwn) ? leaseSome(fresh) : leaseFresh(),
    ]);
    const bySeq = new Map(leased.flat().map((each) => [each.contact.seq, each]));
    return candidates.flatMap(({ seq }) => bySeq.get(seq) ?? []);
  }

  /**
   * Adds the candidates that seem lost to other requests but have this lease: the answer to the
   * write was lost, and the SDK sent it again.
   */
  async #withOwn(
    task: Task,
    candidates: readonly Candidate[],
    leased: readonly LeasedCandidate[],
    { lease: { nonce }, isWatched }: Terms,
  ): Promise<readonly LeasedCandidate[]> {
    const known = new Set(leased.map(({ contact }) => contact.seq));
    const lost = candidates.map(({ seq }) => seq).filter((seq) => !known.has(seq));
    if (!isWatched || lost.length === 0) return leased;
    const found = await this.#deps.taskContacts.read(task.id, lost);
    const own = found.flatMap((contact) =>
      contact?.state === 'leased' && contact.lease.nonce === nonce ? [{ contact, stored: contact }] : [],
    );
    const bySeq = new Map([...leased, ...own].map((each) => [each.contact.seq, each]));
    return candidates.flatMap(({ seq }) => bySeq.get(seq) ?? []);
  }

  /** @returns an empty list if another request was faster */
  async #lease(task: Task, { seq, version }: Candidate, terms: Terms): Promise<LeasedCandidate[]> {
    const { taskContacts, logCall } = this.#deps;
    const { now } = terms;
    const lease = { ...terms.lease, callerNumber: callerNumberOf(task, seq) ?? undefined };
    if (version === undefined) {
      const before = newTaskContact(task, seq, now);
      const contact = leaseContact(before, lease);
      const isWritten = await taskContacts.write(contact);
      return isWritten ? [{ contact, stored: { ...before, version: 1 } }] : [];
    }
    const before = await taskContacts.lease(task.id, { seq, version }, lease);
    if (before === undefined || !canBe('leased', before)) return [];
    if (before.state === 'leased') logCall('lapsed', describeCall(before, before.lease.nonce));
    return [{ contact: leaseContact(before, lease), stored: { ...before, version: version + 1 } }];
  }

  async #callAll(
    task: Task,
    leased: readonly LeasedCandidate[],
    { rules, histories }: { rules: TaskConditions; histories: Preview['histories'] },
    now: Instant,
  ): Promise<Pick<LeaseOutcome, 'calls' | 'keptLeased'>> {
    const { database, logCall } = this.#deps;
    const items = await allEnded(
      leased.map(({ contact }) => showInCall(database, contact, contact.lease.until)),
    );
    const called = leased.map(({ contact }, i) => ({
      described: describeCall(contact, contact.lease.nonce),
      seq: contact.seq,
      nonce: contact.lease.nonce,
      isCallback: contact.isCallback,
      contact: items[i] && contactOfItem(task.dataSourceId, items[i]),
    }));
    const decisions = await this.#deps.rules.decideAndCount(task, rules, called, histories, now);
    const keptLeased = await this.#takeBack(task, leased, decisions, now);
    const calls = leased.flatMap(({ contact: { seq, priority, lease } }, i) => {
      const { contact, described } = called[i]!;
      if (contact === undefined || decisions[i]!.is !== 'call') return [];
      logCall('leased', described);
      const { dataSourceId, phoneNumber, fields } = contact;
      return [
        {
          ...described,
          dataSourceId,
          phoneNumber,
          // Leases of 0.3 have no caller number.
          callerNumber: lease.callerNumber ?? callerNumberOf(task, seq),
          fields,
          priority,
          leaseExpireTime: lease.until,
          task: { taskName: task.taskName, callSettings: task.callSettings ?? {} },
        },
      ];
    });
    return { calls, keptLeased };
  }

  /**
   * A contact that is not called keeps its previous lease. A late result for that lease still
   * counts.
   * @returns how many contacts stay leased, because another writer was at the same items
   */
  async #takeBack(
    task: Task,
    leased: readonly LeasedCandidate[],
    decisions: readonly CallDecision[],
    now: Instant,
  ): Promise<number> {
    const { database, taskContacts, selection, logCall } = this.#deps;
    const moves = leased.flatMap(({ stored }, i) => {
      const after = afterDecision(stored, decisions[i]!, now);
      return after === undefined ? [] : [{ before: stored, after }];
    });
    const notSelected = leased.filter((_, i) => decisions[i]!.is === 'notSelected');
    const kept = await allEnded([
      taskContacts.move(moves),
      selection.leaveOut(
        task,
        notSelected.map(({ stored }) => stored),
      ),
    ]);
    await allEnded(
      leased.map(async ({ contact }, i) => {
        const event = callEvents[decisions[i]!.is];
        if (event === undefined) return;
        await showNoCall(database, contact, contact.lease.until);
        logCall(event, describeCall(contact, contact.lease.nonce));
      }),
    );
    return kept[0] + kept[1];
  }

  /** Notes what the request is about to lease, in case it is sent again. */
  async noteIntent(
    requestKey: RequestKey | undefined,
    { task, candidates }: TaskCandidates,
    { nonce }: Lease,
  ): Promise<void> {
    if (candidates.length === 0) return;
    const seqs = candidates.map(({ seq }) => seq);
    const intent: Intent = { taskId: task.id, nonce, seqs };
    await noteAhead(this.#deps.database, requestKey, effect, intent);
  }

  /**
   * The calls that earlier runs of the same request have leased and that may still be made, the
   * most urgent first: their lease is live, they were not reported, their task is RUNNING, and its
   * rules still allow them.
   */
  async earlierCalls(requestKey: RequestKey | undefined, now: Instant): Promise<LeasedCall[]> {
    const notes = await readNotes<Intent>(this.#deps.database, requestKey, effect);
    // A note whose answer was lost is stored twice.
    const intents = new Map(notes.map((intent) => [intent.nonce, intent]));
    const calls = await allEnded([...intents.values()].map((intent) => this.#callsOf(intent, now)));
    return calls.flat().sort((a, b) => a.priority - b.priority);
  }

  async #callsOf({ taskId, nonce, seqs }: Intent, now: Instant): Promise<LeasedCall[]> {
    const { tasks, taskContacts } = this.#deps;
    const found = await taskContacts.read(taskId, seqs);
    const taken = found.filter(
      (contact): contact is LeasedContact =>
        contact?.state === 'leased' && contact.lease.nonce === nonce && contact.lease.until > now,
    );
    if (taken.length === 0) return [];
    const task = await tasks.find(taskId);
    if (task.status !== status.running) return [];
    const leased = taken.map((contact) => ({ contact, stored: contact }));
    const rules = await this.#deps.rules.of(task, now);
    return (await this.#callAll(task, leased, { rules, histories: new Map() }, now)).calls;
  }
}

/** The line of the call log about a contact that is not called. */
const callEvents: Readonly<Partial<Record<CallDecision['is'], CallEvent>>> = {
  later: 'deferred',
  blocked: 'blocked',
  notSelected: 'notSelected',
};

/** @returns undefined if the contact is called, or `Selection` handles it */
const afterDecision = (contact: LeasedCandidate['stored'], decision: CallDecision, now: Instant) => {
  if (decision.is === 'gone') return dropContact(contact);
  if (decision.is === 'blocked') return blockContact(contact, decision.reason);
  return decision.is === 'later' ? deferContact(contact, decision.place, now) : undefined;
};
