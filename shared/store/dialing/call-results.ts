import { contactId } from '../../domain/contacts/contact-id.ts';
import {
  type Call,
  type CallReport,
  type CallResult,
  callId,
  parseCallId,
  type TraceCall,
  tracedCall,
} from '../../domain/dialing/call.ts';
import { type Outcome, outcomeStatus, toMilliseconds } from '../../domain/dialing/dialing.ts';
import {
  type Report,
  type Reported,
  released,
  reported,
  type TaskContact,
} from '../../domain/dialing/task-contact.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { status } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import { inCallMark, showNoCall } from '../contacts/index.ts';
import type { CallingRules } from '../rules/index.ts';
import type { Database, Item, TransactItem } from '../table/index.ts';
import { keys, optimistic } from '../table/index.ts';
import type { Roster, TaskTimeline } from '../tasks/index.ts';
import type { Completion } from './completion.ts';
import { taskContactOf } from './dialing-items.ts';
import type { TaskContacts } from './task-contacts.ts';
import { counterKey, recallNumberOf } from './task-counters.ts';

type Parts = {
  database: Database;
  taskContacts: TaskContacts;
  completion: Completion;
  roster: Roster;
  timeline: TaskTimeline;
  rules: CallingRules;
  trace: TraceCall;
};
/** What a result meets. */
type Found = { task: Task; contact: TaskContact; counter: Item | undefined; isDeleted: boolean };
/** `look`: when there may be somebody to call, or nobody any more; not where the call had been counted before. */
type Taken = { task: Task; reported: Reported; look?: Instant | undefined; counter?: Item | undefined };

/** A late result of one who waits for the next call ends a wait on which the next look was based. */
const lookAfter = (before: TaskContact, after: TaskContact, now: Instant): Instant | undefined => {
  if (after.state === 'waiting') return after.due;
  return before.state === 'waiting' ? now : undefined;
};

/** Takes in what became of a call; each counts once, whatever state its task is in by then. */
export class CallResults {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws ServiceError notFound (no such call), conflict (reported otherwise, or given out again) */
  async report(sent: CallReport, now: Instant): Promise<CallResult> {
    const { completion, roster, timeline } = this.#parts;
    const call = parseCallId(sent.callId);
    if (call === undefined) throw notFound('call');
    const { outcome, reason = null } = sent;
    const report = { outcome, reason, duration: toMilliseconds(sent.duration) };
    const taken = await optimistic(() => this.#count(call, report, now));
    const { task, reported: result, look } = taken;
    await timeline.gather(task.id, taken.counter, now);
    if (look !== undefined) await roster.bringForward(task, look);
    const mayEnd = result.final && task.status === status.running;
    return {
      callId: callId(call),
      taskId: task.id,
      contactId: contactId(task.dataSourceId, call.seq),
      contactStatus: outcomeStatus[result.outcome],
      final: result.final,
      taskStatus: mayEnd ? await completion.complete(task, now) : task.status,
    };
  }

  /**
   * Gives back a call that its dialer could not begin, and never will: the contact waits in its old place, or
   * from `notBefore` on, and no call is counted. Breaks off at any point without harm: the lease still ends.
   */
  async release(id: string, now: Instant, notBefore: Instant): Promise<void> {
    const { taskContacts, roster } = this.#parts;
    const call = parseCallId(id);
    if (call === undefined) return;
    const [leased] = await taskContacts.read(call.taskId, [call.seq]);
    const waiting = leased && released(leased, call.nonce, now, notBefore);
    if (waiting === undefined) return;
    if (leased?.lease) await showNoCall(this.#parts.database, waiting, leased.lease.until);
    if (!(await taskContacts.write(waiting))) return;
    await this.#parts.rules.takeBack(call.taskId, { ...waiting, version: waiting.version! - 1 }, now);
    this.#parts.trace('released', tracedCall(waiting, call.nonce));
    await roster.disturb({ id: call.taskId, dataSourceId: waiting.dataSourceId }, waiting.due);
  }

  async #count(call: Call, report: Report, now: Instant): Promise<Taken> {
    const found = await this.#find(call);
    const { task, contact, counter, isDeleted } = found;
    const circumstances = { rules: task, isDeleted, recallNumber: recallNumberOf(counter), now };
    const verdict = reported(contact, call.nonce, report, circumstances);
    if (verdict.is === 'repeated') return { task, reported: verdict.reported };
    if (verdict.is === 'refused') {
      const { reason } = verdict;
      this.#parts.trace('refused', { ...tracedCall(contact, call.nonce), outcome: report.outcome, reason });
      throw conflict(reason);
    }
    await this.#write(found, verdict.contact, report, now);
    const { contact: after, reported: result } = verdict;
    this.#parts.trace('reported', { ...tracedCall(after, call.nonce), outcome: report.outcome });
    return { task, reported: result, look: lookAfter(contact, after, now), counter };
  }

  async #write(found: Found, after: TaskContact, report: Report, now: Instant) {
    const { database, taskContacts } = this.#parts;
    const move = { before: found.contact, after, call: { ...report, at: now } };
    await database.transact([...taskContacts.movesOf([move]), ...this.#contactUpdate(found, report.outcome)]);
  }

  /** Nothing when the contact was deleted. */
  #contactUpdate({ isDeleted, contact }: Found, outcome: Outcome): TransactItem[] {
    if (isDeleted) return [];
    const { taskId, dataSourceId, seq } = contact;
    return [
      this.#parts.database.updateOf(keys.contact(dataSourceId, seq), {
        UpdateExpression: 'SET #status = :status ADD #calls :one REMOVE #call',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#status': 'status', '#calls': 'callCount', '#call': inCallMark(taskId) },
        ExpressionAttributeValues: { ':status': outcomeStatus[outcome], ':one': 1 },
      }),
    ];
  }

  async #find({ taskId, seq }: Call): Promise<Found> {
    const { database } = this.#parts;
    const [taskItem, counter, item] = await database.batchGet([
      keys.task(taskId),
      counterKey(taskId, seq),
      keys.taskContact(taskId, seq),
    ]);
    if (taskItem === undefined || item === undefined) throw notFound('call');
    const task = taskItem as unknown as Task;
    const called = await database.get(keys.contact(task.dataSourceId, seq));
    const contact = taskContactOf(item);
    // Its number may be another by now.
    if (contact.phoneNumber !== undefined && called) contact.phoneNumber = called.phone as string;
    return { task, contact, counter, isDeleted: called === undefined };
  }
}
