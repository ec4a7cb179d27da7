import { type Call, callId, parseCallId } from '../../domain/call-id.ts';
import { contactId } from '../../domain/contact-id.ts';
import { type Outcome, type OutcomeStatus, outcomeStatus, toMilliseconds } from '../../domain/dialing.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { Task } from '../../domain/task.ts';
import { status, type TaskStatus } from '../../domain/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import { callSign } from '../contacts/contact-items.ts';
import type { Database, TransactItem } from '../database.ts';
import { keys } from '../keys.ts';
import { Lost, optimistic, transactNamed } from '../optimistic.ts';
import { afterReport, type Situation } from './after-report.ts';
import type { Completion } from './completion.ts';
import { dialStateOf } from './dial-state.ts';
import { isFailed, type Reported, type TaskContact, taskContactOf } from './task-contact.ts';
import type { TaskContacts } from './task-contacts.ts';
import { countOf, shardOf } from './task-counters.ts';

/** Seconds. */
export type CallReport = { callId: string; outcome: Outcome; duration: number };

export type CallResult = {
  callId: string;
  taskId: string;
  contactId: string;
  contactStatus: OutcomeStatus;
  final: boolean;
  taskStatus: TaskStatus;
};

/** Takes in what became of a call; each counts once, whatever state its task is in by then. */
export class CallResults {
  readonly #database: Database;
  readonly #taskContacts: TaskContacts;
  readonly #completion: Completion;

  constructor(database: Database, taskContacts: TaskContacts, completion: Completion) {
    this.#database = database;
    this.#taskContacts = taskContacts;
    this.#completion = completion;
  }

  /** @throws ServiceError notFound (no such call), conflict (reported otherwise, or given out again) */
  async report(sent: CallReport, now: Instant): Promise<CallResult> {
    const call = parseCallId(sent.callId);
    if (call === undefined) throw notFound('call');
    const report = { ...sent, duration: toMilliseconds(sent.duration) };
    const { task, reported } = await optimistic(() => this.#count(call, report, now));
    const mayEnd = reported.final && task.status === status.running;
    return {
      callId: callId(call),
      taskId: task.id,
      contactId: contactId(task.dataSourceId, call.seq),
      contactStatus: outcomeStatus[reported.outcome],
      final: reported.final,
      taskStatus: mayEnd ? await this.#completion.complete(task, now) : task.status,
    };
  }

  async #count(call: Call, report: CallReport, now: Instant): Promise<{ task: Task; reported: Reported }> {
    const situation = await this.#situationOf(call);
    const { task, taskContact } = situation;
    const known = taskContact.reports.find(({ nonce }) => nonce === call.nonce);
    if (known) {
      if (known.outcome === report.outcome && known.duration === report.duration)
        return { task, reported: known };
      throw conflict(`the call was reported before, as ${known.outcome} after ${known.duration} s`);
    }
    if (taskContact.nonce !== call.nonce)
      throw conflict('the lease ran out and the contact was given out again');
    const next = afterReport(situation, call.nonce, report, now);
    await this.#write(situation, next.taskContact, report, now);
    return { task, reported: next.reported };
  }

  async #write(before: Situation, after: TaskContact, { outcome, duration }: CallReport, now: Instant) {
    const { taskId, seq, state, epoch } = after;
    const settles = before.taskContact.state !== 'gone' && state !== 'waiting';
    const failed = await transactNamed(this.#database, {
      taskContact: this.#taskContacts.writeOf(after),
      ...this.#contactUpdate(before, outcome),
      counter: countOf(this.#database, taskId, shardOf(seq), {
        call: { outcome, duration, at: now },
        settled: settles ? 1 : 0,
        failed: isFailed(after) ? [{ epoch, count: 1 }] : [],
      })[0] as TransactItem,
    });
    if (failed.size > 0) throw new Lost();
  }

  /** Nothing when the contact was deleted. */
  #contactUpdate({ isDeleted, taskContact }: Situation, outcome: Outcome): Record<string, TransactItem> {
    if (isDeleted) return {};
    const { taskId, dataSourceId, seq } = taskContact;
    return {
      contact: this.#database.updateOf(keys.contact(dataSourceId, seq), {
        UpdateExpression: 'SET #status = :status ADD #calls :one REMOVE #call',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#status': 'status', '#calls': 'callCount', '#call': callSign(taskId) },
        ExpressionAttributeValues: { ':status': outcomeStatus[outcome], ':one': 1 },
      }),
    };
  }

  async #situationOf({ taskId, seq }: Call): Promise<Situation> {
    const [taskItem, dialItem, item] = await this.#database.batchGet([
      keys.task(taskId),
      keys.dialState(taskId),
      keys.taskContact(taskId, seq),
    ]);
    if (taskItem === undefined || item === undefined) throw notFound('call');
    const task = taskItem as unknown as Task;
    const contact = await this.#database.get(keys.contact(task.dataSourceId, seq));
    return {
      task,
      dial: dialStateOf(taskId, dialItem),
      taskContact: taskContactOf(item),
      isDeleted: contact === undefined,
    };
  }
}
