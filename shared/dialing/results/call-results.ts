import { type CallRecords, rememberDataNames } from '../../calls/call-records.ts';
import {
  assertResult,
  type Call,
  type CallRecord,
  callerNumberOf,
  callId,
  describeCall,
  detailsOf,
  erasedCall,
  type LogCall,
  parseCallId,
  type ResultAnswer,
  type SentResult,
} from '../../calls/rules/call.ts';
import type { ServiceDays, TaskTimeline } from '../../calls/timeline.ts';
import { contactOfItem, inCallMark } from '../../contacts/contact-items.ts';
import type { Contacts } from '../../contacts/contacts.ts';
import { type Contact, contactId, contactStatus } from '../../contacts/rules/contact.ts';
import type { Agenda } from '../../platform/agenda/agenda.ts';
import { notFound, ServiceError } from '../../platform/rules/errors.ts';
import type { Database, TransactItem } from '../../platform/table/database.ts';
import { ifPresent } from '../../platform/table/expressions.ts';
import { type Item, type Key, keys } from '../../platform/table/keys.ts';
import { isContended, optimistic } from '../../platform/table/optimistic.ts';
import { endOf } from '../../platform/time/schedule.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import { countedUnder, declaredDisposition } from '../../tasks/rules/dispositions.ts';
import type { Task } from '../../tasks/rules/task.ts';
import { type Outcome, toMilliseconds } from '../../tasks/rules/task-settings.ts';
import { status, type TaskStatus } from '../../tasks/rules/task-states.ts';
import { callbacksOf, callsOf } from '../../tasks/task-work.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import type { CallingRules } from '../calling-rules.ts';
import { taskContactOf } from '../dialing-items.ts';
import { bringTaskForward } from '../due-tasks.ts';
import { numberCallId } from '../earlier-calls.ts';
import type { Pace } from '../pace.ts';
import { reportCall } from '../rules/call-decisions.ts';
import type { CallResult, ReportedCall, TaskContact } from '../rules/task-contact.ts';
import { splitCounter } from '../split-counters.ts';
import type { TaskContacts } from '../task-contacts.ts';
import { counterKey, partKey, recallNumberOf } from '../task-counters.ts';
import type { TaskEnds } from './ends.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  taskContacts: TaskContacts;
  callRecords: CallRecords;
  ends: TaskEnds;
  tasks: Tasks;
  agenda: Agenda;
  timeline: TaskTimeline;
  days: ServiceDays;
  pace: Pace;
  rules: CallingRules;
  /** The zone of the service. */
  zone: string;
  logCall: LogCall;
};

/** What the table has of a call. */
type CalledContact = {
  task: Task;
  contact: TaskContact;
  /** Where the result is counted: a counter of the task, or a part of it. */
  counterKey: Key;
  counter: Item | undefined;
  /** Many results come at once. Only some of them do the work that any of them could do. */
  isBusy: boolean;
  /** The names of `data` that calls of the task have used. Read only for a result with `data`. */
  dataNames: Item | undefined;
  /** `undefined`: the contact was deleted. */
  called: Contact | undefined;
};

/** A result that lost to other writers this often splits the counter of its contact. */
const splitAfter = 2;
/** In a busy task, one result of this many checks whether too many calls failed. */
const brakedEvery = 16;
/** In a busy task, one result of this many moves past minutes. */
const gatheredEvery = 64;

/** `after`: the contact that was written; absent if the call was counted before. */
type CountedResult = CalledContact & { reported: ReportedCall; after?: TaskContact };

/** `by`: the client that reports. */
type SignedResult = SentResult & { by?: string | undefined };

/**
 * Takes in the result of a call. It counts in any state of the task except CLOSED, and also if it
 * comes after the lease has expired, as long as the contact was not leased again.
 *
 * One transaction writes the task contact, a counter of the task, the contact and the record of the
 * call. So a call counts once: the same result sent again is answered from the task contact, and a
 * different one is refused.
 *
 * Other effects come after the transaction: the agenda, the freed channel, the end or the pause of
 * the task. If the process dies in between, the result counts. A later check of the task or a later
 * result does the rest, and the channel is free by itself when the lease would have ended. An
 * agreed callback is also scheduled by the same result sent again.
 */
export class CallResults {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @throws ServiceError notFound (no such call), invalid (its callback), conflict (reported
   *   otherwise, leased again, a callback that cannot be kept, or the task is CLOSED)
   */
  async report(sent: SignedResult, now: Instant): Promise<ResultAnswer> {
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
    let lost = 0;
    const counted = await optimistic(async () => {
      try {
        return await this.#count(call, result, sent, now);
      } catch (error) {
        if (isContended(error) && ++lost % splitAfter === 0) await splitCounter(this.#deps.database, call);
        throw error;
      }
    });
    const { task } = counted;
    await this.#tidyUp(counted, now);
    return {
      callId: callId(call),
      taskId: task.id,
      contactId: contactId(task.dataSourceId, call.seq),
      contactStatus: contactStatus[counted.reported.outcome],
      final: counted.reported.final,
      taskStatus: await this.#statusAfter(counted, now),
    };
  }

  /** The last result completes its task. A failed result may pause it. */
  async #statusAfter({ task, reported, isBusy }: CountedResult, now: Instant): Promise<TaskStatus> {
    const { ends } = this.#deps;
    const mayEnd = reported.final && task.status === status.running;
    const isUnderWay = mayEnd && isBusy && (await ends.isUnderWay(task));
    const after = mayEnd && !isUnderWay ? await ends.complete(task, now) : task.status;
    const isBraking = task.pauseWhen && (!isBusy || Math.random() < 1 / brakedEvery);
    return isBraking ? ends.pauseIfFailing({ ...task, status: after }, now) : after;
  }

  async #count(call: Call, result: CallResult, sent: SignedResult, now: Instant): Promise<CountedResult> {
    const { database, taskContacts, callRecords, days, zone, logCall } = this.#deps;
    const dataNames = Object.keys(sent.data ?? {});
    const [records] = await Promise.all([
      this.#read(call, dataNames.length > 0),
      this.#deps.rules.prepare(now),
    ]);
    const { task, contact, counter, called } = records;
    const { outcome } = result;
    const disposition = sent.disposition ?? null;
    const circumstances = {
      rules: task,
      isTaskClosed: task.status === status.closed,
      taskEnd: endOf(task, zone),
      isDeleted: called === undefined,
      recallNumber: recallNumberOf(counter),
      now,
      disposition,
    };
    const decision = reportCall(contact, call.nonce, result, circumstances);
    if (decision.is === 'repeated') return { ...records, reported: decision.reported };
    if (decision.is === 'refused') {
      const { word, reason } = decision;
      logCall('refused', { ...describeCall(contact, call.nonce), outcome, reason });
      throw new ServiceError(word, reason);
    }
    const { reported, isExcluded } = decision;
    const record = recordOf(records, call, reported, sent, isExcluded);
    await this.#noteEnd(task, contact, record, now);
    const after = await this.#placed(task, decision.contact, called, now);
    // Before the result is counted. After a crash in between, the call is reported again.
    if (isExcluded && record.phoneNumber !== null) await this.#deps.contacts.exclude(record.phoneNumber, now);
    if (record.data !== null) await rememberDataNames(database, task.id, dataNames, records.dataNames);
    await days.enter(task, counter, now);
    const counted = countedUnder(task, disposition);
    const move = { before: contact, after, call: { ...result, at: now, counted } };
    await database.transact([
      ...taskContacts.resultOf(move, records.counterKey),
      ...this.#showOutcome(records, outcome),
      callRecords.addOf(record, counted),
    ]);
    logCall('reported', { ...describeCall(after, call.nonce), outcome });
    return { ...records, reported, after };
  }

  /** Before the result is counted. After a crash in between, the call is reported again. */
  async #noteEnd(task: Task, { lease }: TaskContact, record: CallRecord, now: Instant): Promise<void> {
    const { phoneNumber, outcome, endTime, startTime, disposition } = record;
    const restHours = declaredDisposition(task, disposition)?.restHours;
    const bringsRest = outcome === 'success' || restHours !== undefined;
    if (phoneNumber === null || (lease?.isCounted && !bringsRest)) return;
    const ended = { id: numberCallId(record), time: lease?.time ?? startTime, outcome, endTime, restHours };
    await this.#deps.rules.noteEnd(phoneNumber, ended, now);
  }

  /** A contact that is to be called again waits until the rules allow it. */
  async #placed(
    task: Task,
    contact: TaskContact,
    called: Contact | undefined,
    now: Instant,
  ): Promise<TaskContact> {
    if (contact.state !== 'waiting') return contact;
    const [placed] = await this.#deps.rules.place(task, [contact], now, { known: [called] });
    return placed!;
  }

  /** Shows the outcome at the contact, unless it was deleted. */
  #showOutcome({ called, contact: { taskId, dataSourceId, seq } }: CalledContact, outcome: Outcome) {
    const update = {
      UpdateExpression: 'SET #status = :status ADD #calls :one REMOVE #call',
      ...ifPresent,
      ExpressionAttributeNames: { '#status': 'status', '#calls': 'callCount', '#call': inCallMark(taskId) },
      ExpressionAttributeValues: { ':status': contactStatus[outcome], ':one': 1 },
    };
    const key = keys.contact(dataSourceId, seq);
    return called === undefined ? [] : ([this.#deps.database.updateOf(key, update)] satisfies TransactItem[]);
  }

  /**
   * Brings the agenda up to date. The due time of the task may depend on the wait of a contact
   * whose late result has just come.
   */
  async #tidyUp({ task, contact, counter, after, isBusy }: CountedResult, now: Instant): Promise<void> {
    const { timeline, agenda, pace } = this.#deps;
    // A result that is sent again finishes what the first request may not have done.
    const waiting = after ?? contact;
    if (waiting.state === 'waiting' && waiting.isCallback)
      await agenda.schedule(callbacksOf(task), waiting.due);
    if (after === undefined) return;
    // The parts of all counters have gathered enough at about the same time, and share the item of
    // the hour.
    if (!isBusy || Math.random() < 1 / gatheredEvery) await timeline.gather(task.id, counter, now);
    const isLeased = contact.state === 'leased';
    if (isLeased && (await pace.free({ ...contact, channels: contact.lease.channels }, now)))
      await bringTaskForward(agenda, task, now);
    if (after.state === 'waiting') await agenda.bringForward(callsOf(task), after.due);
    else if (contact.state === 'waiting') await agenda.bringForward(callsOf(task), now);
  }

  async #read({ taskId, seq }: Call, hasData: boolean): Promise<CalledContact> {
    const { database } = this.#deps;
    const [taskItem, counter, item, dataNames] = await database.batchGet([
      keys.task(taskId),
      counterKey(taskId, seq),
      keys.taskContact(taskId, seq),
      ...(hasData ? [keys.dataNames(taskId)] : []),
    ]);
    if (taskItem === undefined || item === undefined) throw notFound('call');
    const task = taskItem as unknown as Task;
    const isBusy = counter?.isSplit === true;
    const [called, part] = await Promise.all([
      database.get(keys.contact(task.dataSourceId, seq)),
      isBusy ? database.get(partKey(taskId, seq)) : undefined,
    ]);
    return {
      task,
      contact: taskContactOf(item),
      ...(isBusy
        ? { counterKey: partKey(taskId, seq), counter: part }
        : { counterKey: counterKey(taskId, seq), counter }),
      isBusy,
      dataNames,
      called: called && contactOfItem(task.dataSourceId, called),
    };
  }
}

/** The call as it is stored. Leases of 0.3 have neither their time nor their number. */
const recordOf = (
  { task, contact, called }: CalledContact,
  { nonce }: Call,
  { outcome, reason, duration, final, callbackTime, time }: ReportedCall,
  sent: SignedResult,
  isExcluded: boolean,
): CallRecord => {
  const { taskId, dataSourceId, seq, lease } = contact;
  const record = {
    taskId,
    dataSourceId,
    seq,
    nonce,
    outcome,
    reason,
    duration,
    final,
    phoneNumber: lease?.calledNumber ?? called?.phoneNumber ?? null,
    callerNumber: sent.callerNumber ?? lease?.callerNumber ?? callerNumberOf(task, seq),
    attempt: describeCall(contact, nonce).attempt,
    startTime: sent.startTime ?? lease?.time ?? time - duration * secondMs,
    endTime: time,
    callbackTime: callbackTime ?? null,
    doNotCall: isExcluded || (sent.doNotCall ?? null),
    ...detailsOf(sent),
    reportedBy: sent.by ?? null,
    updateTime: null,
    isErased: false,
  };
  return lease?.isErased ? erasedCall(record, task) : record;
};
