import type { Contact } from '../../domain/contacts/contact.ts';
import { contactId } from '../../domain/contacts/contact-id.ts';
import { doNotCall } from '../../domain/contacts/data-source.ts';
import type { LogCall, ResultAnswer, SentResult } from '../../domain/dialing/call.ts';
import { assertResult, type Call, callId, describeCall, parseCallId } from '../../domain/dialing/call.ts';
import { type Outcome, outcomeStatus, toMilliseconds } from '../../domain/dialing/dialing.ts';
import type { CallResult, ReportedCall, TaskContact } from '../../domain/dialing/task-contact.ts';
import { reportCall } from '../../domain/dialing/task-contact.ts';
import { notFound, ServiceError } from '../../domain/errors.ts';
import { endOf } from '../../domain/schedule.ts';
import type { Task } from '../../domain/tasks/task.ts';
import { status, type TaskStatus } from '../../domain/tasks/task-states.ts';
import type { Instant } from '../../domain/time.ts';
import { type Agenda, callbacksOf, callsOf } from '../agenda/index.ts';
import { type Contacts, contactOfItem, inCallMark } from '../contacts/index.ts';
import type { Pace } from '../pace/index.ts';
import { type Database, type Item, ifPresent, keys, optimistic, type TransactItem } from '../table/index.ts';
import type { ServiceDays, TaskTimeline } from '../tasks/index.ts';
import type { Brake } from './ends/brake.ts';
import type { Completion } from './ends/completion.ts';
import { bringTaskForward } from './leases/due-tasks.ts';
import { taskContactOf } from './records/dialing-items.ts';
import type { TaskContacts } from './records/task-contacts.ts';
import { counterKey, recallNumberOf } from './records/task-counters.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  taskContacts: TaskContacts;
  completion: Completion;
  brake: Brake;
  agenda: Agenda;
  timeline: TaskTimeline;
  days: ServiceDays;
  pace: Pace;
  /** Of the service. */
  zone: string;
  logCall: LogCall;
};

/** What the table has of a call. */
type CallRecords = {
  task: Task;
  contact: TaskContact;
  counter: Item | undefined;
  /** `undefined`: the contact was deleted. */
  called: Contact | undefined;
};

/** `after`: the contact that was written; nothing where the call had been counted before. */
type CountedResult = CallRecords & { reported: ReportedCall; after?: TaskContact };

/** Takes in what became of a call. Each call counts once, in any state of its task except CLOSED. */
export class CallResults {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @throws ServiceError notFound (no such call), invalid (its callback), conflict (reported otherwise, given out again, a
   * callback that cannot be kept, or the task is CLOSED)
   */
  async report(sent: SentResult, now: Instant): Promise<ResultAnswer> {
    const call = parseCallId(sent.callId);
    if (call === undefined) throw notFound('call');
    assertResult(sent, now);
    const { outcome, reason = null, callbackTime } = sent;
    const result: CallResult = {
      outcome,
      reason,
      duration: toMilliseconds(sent.duration),
      ...(callbackTime !== undefined && { callbackTime }),
      ...(sent.doNotCall && { doNotCall: true }),
    };
    const counted = await optimistic(() => this.#count(call, result, now));
    const { task, reported } = counted;
    await this.#tidyUp(counted, now);
    return {
      callId: callId(call),
      taskId: task.id,
      contactId: contactId(task.dataSourceId, call.seq),
      contactStatus: outcomeStatus[reported.outcome],
      final: reported.final,
      taskStatus: await this.#statusAfter(task, reported, now),
    };
  }

  /** The last result completes its task. A failed result may pause it. */
  async #statusAfter(task: Task, { final }: ReportedCall, now: Instant): Promise<TaskStatus> {
    const { completion, brake } = this.#deps;
    const mayEnd = final && task.status === status.running;
    const after = mayEnd ? await completion.complete(task, now) : task.status;
    return task.pauseWhen ? brake.apply({ ...task, status: after }, now) : after;
  }

  async #count(call: Call, result: CallResult, now: Instant): Promise<CountedResult> {
    const { database, taskContacts, days, zone, logCall } = this.#deps;
    const records = await this.#read(call);
    const { task, contact, counter, called } = records;
    const { outcome } = result;
    const circumstances = {
      rules: task,
      isTaskClosed: task.status === status.closed,
      taskEnd: endOf(task, zone),
      isDeleted: called === undefined,
      recallNumber: recallNumberOf(counter),
      now,
    };
    const decision = reportCall(contact, call.nonce, result, circumstances);
    if (decision.is === 'repeated') return { ...records, reported: decision.reported };
    if (decision.is === 'refused') {
      const { word, reason } = decision;
      logCall('refused', { ...describeCall(contact, call.nonce), outcome, reason });
      throw new ServiceError(word, reason);
    }
    const { contact: after, reported } = decision;
    if (result.doNotCall && called !== undefined) await this.#exclude(called.phoneNumber, now);
    await days.enter(task, counter, now);
    const move = { before: contact, after, call: { ...result, at: now } };
    await database.transact([...taskContacts.movesOf([move]), ...this.#showOutcome(records, outcome)]);
    logCall('reported', { ...describeCall(after, call.nonce), outcome });
    return { ...records, reported, after };
  }

  /** Before the result is counted: a crash in between leaves a call that is reported again. */
  async #exclude(phoneNumber: string, now: Instant): Promise<void> {
    await this.#deps.contacts.add(doNotCall.id, { phoneNumber, fields: {} }, now).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.word !== 'PHONE_NUMBER_TAKEN') throw error;
    });
  }

  /** At the contact, unless it was deleted. */
  #showOutcome({ called, contact: { taskId, dataSourceId, seq } }: CallRecords, outcome: Outcome) {
    const update = {
      UpdateExpression: 'SET #status = :status ADD #calls :one REMOVE #call',
      ...ifPresent,
      ExpressionAttributeNames: { '#status': 'status', '#calls': 'callCount', '#call': inCallMark(taskId) },
      ExpressionAttributeValues: { ':status': outcomeStatus[outcome], ':one': 1 },
    };
    const key = keys.contact(dataSourceId, seq);
    return called === undefined ? [] : ([this.#deps.database.updateOf(key, update)] satisfies TransactItem[]);
  }

  /** Brings the agenda up to date. The due time of the task may be based on the wait of a contact whose late result has just come. */
  async #tidyUp({ task, contact, counter, after }: CountedResult, now: Instant): Promise<void> {
    const { timeline, agenda, pace } = this.#deps;
    // A result that is sent again finishes what the first request may not have got to.
    const waiting = after ?? contact;
    if (waiting.state === 'waiting' && waiting.isCallback)
      await agenda.schedule(callbacksOf(task), waiting.due);
    if (after === undefined) return;
    await timeline.gather(task.id, counter, now);
    const isLeased = contact.state === 'leased';
    if (isLeased && (await pace.free({ ...contact, channels: contact.lease.channels }, now)))
      await bringTaskForward(agenda, task, now);
    if (after.state === 'waiting') await agenda.bringForward(callsOf(task), after.due);
    else if (contact.state === 'waiting') await agenda.bringForward(callsOf(task), now);
  }

  async #read({ taskId, seq }: Call): Promise<CallRecords> {
    const { database } = this.#deps;
    const [taskItem, counter, item] = await database.batchGet([
      keys.task(taskId),
      counterKey(taskId, seq),
      keys.taskContact(taskId, seq),
    ]);
    if (taskItem === undefined || item === undefined) throw notFound('call');
    const task = taskItem as unknown as Task;
    const called = await database.get(keys.contact(task.dataSourceId, seq));
    return {
      task,
      contact: taskContactOf(item),
      counter,
      called: called && contactOfItem(task.dataSourceId, called),
    };
  }
}
