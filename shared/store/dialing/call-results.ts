import { contactId } from '../../domain/contacts/contact-id.ts';
import {
  type Call,
  callId,
  describeCall,
  type LogCall,
  parseCallId,
  type ResultAnswer,
  type SentResult,
} from '../../domain/dialing/call.ts';
import { type Outcome, outcomeStatus, toMilliseconds } from '../../domain/dialing/dialing.ts';
import {
  type CallResult,
  type ReportedCall,
  releaseContact,
  reportCall,
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

type Dependencies = {
  database: Database;
  taskContacts: TaskContacts;
  completion: Completion;
  roster: Roster;
  timeline: TaskTimeline;
  rules: CallingRules;
  logCall: LogCall;
};
/** What a result meets. */
type CallRecords = { task: Task; contact: TaskContact; counter: Item | undefined; isDeleted: boolean };
/** `checkTime`: when there may be somebody to call, or nobody any more; not where the call had been counted before. */
type CountedResult = {
  task: Task;
  reported: ReportedCall;
  checkTime?: Instant | undefined;
  counter?: Item | undefined;
};

/** A late result of one who waits for the next call ends a wait on which the next checkTime was based. */
const checkTimeAfter = (before: TaskContact, after: TaskContact, now: Instant): Instant | undefined => {
  if (after.state === 'waiting') return after.due;
  return before.state === 'waiting' ? now : undefined;
};

/** Takes in what became of a call; each counts once, whatever state its task is in by then. */
export class CallResults {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError notFound (no such call), conflict (reported otherwise, or given out again) */
  async report(sent: SentResult, now: Instant): Promise<ResultAnswer> {
    const { completion, roster, timeline } = this.#deps;
    const call = parseCallId(sent.callId);
    if (call === undefined) throw notFound('call');
    const { outcome, reason = null } = sent;
    const report = { outcome, reason, duration: toMilliseconds(sent.duration) };
    const taken = await optimistic(() => this.#count(call, report, now));
    const { task, reported: result, checkTime } = taken;
    await timeline.gather(task.id, taken.counter, now);
    if (checkTime !== undefined) await roster.bringForward(task, checkTime);
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
    const { taskContacts, roster } = this.#deps;
    const call = parseCallId(id);
    if (call === undefined) return;
    const [leased] = await taskContacts.read(call.taskId, [call.seq]);
    const waiting = leased && releaseContact(leased, call.nonce, now, notBefore);
    if (waiting === undefined) return;
    if (leased?.lease) await showNoCall(this.#deps.database, waiting, leased.lease.until);
    if (!(await taskContacts.write(waiting))) return;
    await this.#deps.rules.uncount(waiting.dataSourceId, call.seq, id, now);
    this.#deps.logCall('released', describeCall(waiting, call.nonce));
    await roster.disturb({ id: call.taskId, dataSourceId: waiting.dataSourceId }, waiting.due);
  }

  async #count(call: Call, report: CallResult, now: Instant): Promise<CountedResult> {
    const found = await this.#find(call);
    const { task, contact, counter, isDeleted } = found;
    const circumstances = { rules: task, isDeleted, recallNumber: recallNumberOf(counter), now };
    const verdict = reportCall(contact, call.nonce, report, circumstances);
    if (verdict.is === 'repeated') return { task, reported: verdict.reported };
    if (verdict.is === 'refused') {
      const { reason } = verdict;
      this.#deps.logCall('refused', {
        ...describeCall(contact, call.nonce),
        outcome: report.outcome,
        reason,
      });
      throw conflict(reason);
    }
    await this.#write(found, verdict.contact, report, now);
    const { contact: after, reported: result } = verdict;
    this.#deps.logCall('reported', { ...describeCall(after, call.nonce), outcome: report.outcome });
    return { task, reported: result, checkTime: checkTimeAfter(contact, after, now), counter };
  }

  async #write(found: CallRecords, after: TaskContact, report: CallResult, now: Instant) {
    const { database, taskContacts } = this.#deps;
    const move = { before: found.contact, after, call: { ...report, at: now } };
    await database.transact([...taskContacts.movesOf([move]), ...this.#contactUpdate(found, report.outcome)]);
  }

  /** Nothing when the contact was deleted. */
  #contactUpdate({ isDeleted, contact }: CallRecords, outcome: Outcome): TransactItem[] {
    if (isDeleted) return [];
    const { taskId, dataSourceId, seq } = contact;
    return [
      this.#deps.database.updateOf(keys.contact(dataSourceId, seq), {
        UpdateExpression: 'SET #status = :status ADD #calls :one REMOVE #call',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#status': 'status', '#calls': 'callCount', '#call': inCallMark(taskId) },
        ExpressionAttributeValues: { ':status': outcomeStatus[outcome], ':one': 1 },
      }),
    ];
  }

  async #find({ taskId, seq }: Call): Promise<CallRecords> {
    const { database } = this.#deps;
    const [taskItem, counter, item] = await database.batchGet([
      keys.task(taskId),
      counterKey(taskId, seq),
      keys.taskContact(taskId, seq),
    ]);
    if (taskItem === undefined || item === undefined) throw notFound('call');
    const task = taskItem as unknown as Task;
    const called = await database.get(keys.contact(task.dataSourceId, seq));
    return { task, contact: taskContactOf(item), counter, isDeleted: called === undefined };
  }
}
