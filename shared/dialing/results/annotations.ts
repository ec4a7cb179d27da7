import { type CallRecords, rememberDataNames, type StoredCall } from '../../calls/call-records.ts';
import { assertDetails, type Call, callId, parseCallId, type SentDetails } from '../../calls/rules/call.ts';
import type { Contacts } from '../../contacts/contacts.ts';
import { notFound, ServiceError } from '../../platform/rules/errors.ts';
import type { Database } from '../../platform/table/database.ts';
import { type Item, keys } from '../../platform/table/keys.ts';
import { optimistic } from '../../platform/table/optimistic.ts';
import { dayMs, type Instant } from '../../platform/time/time.ts';
import { countedUnder, declaredDisposition } from '../../tasks/rules/dispositions.ts';
import type { Task } from '../../tasks/rules/task.ts';
import { status } from '../../tasks/rules/task-states.ts';
import type { CallingRules } from '../calling-rules.ts';
import { taskContactOf } from '../dialing-items.ts';
import { numberCallId } from '../earlier-calls.ts';
import type { DeferredContacts } from '../reconsidered.ts';
import { callRefs } from '../rules/contact-calls.ts';
import { countAgain } from '../task-counters.ts';

type Dependencies = {
  database: Database;
  contacts: Contacts;
  callRecords: CallRecords;
  rules: CallingRules;
  deferred: DeferredContacts;
};

/** Absent: not changed. `null`: removed. */
type Annotation = SentDetails & { callId: string; doNotCall?: boolean | null | undefined };

const daysAtMost = 30;

type Found = { task: Task; record: StoredCall; dataNames: Item | undefined };

/** Adds to a call what was found out after it ended. The result's decisions stay. */
export class Annotations {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * @throws ServiceError notFound (no such call), invalid (a detail), conflict (no result yet, too
   *   old, the person was erased, or the task is CLOSED)
   */
  async annotate({ callId: id, doNotCall, ...details }: Annotation, now: Instant) {
    const call = parseCallId(id);
    if (call === undefined) throw notFound('call');
    assertDetails(details);
    return optimistic(async () => {
      const found = await this.#find(call, now);
      await this.#write(found, details, doNotCall, now);
      return { callId: callId(call), updateTime: now };
    });
  }

  /** The number is excluded first. After a crash in between, the annotation is sent again. */
  async #write(
    { task, record, dataNames }: Found,
    details: SentDetails,
    doNotCall: boolean | null | undefined,
    now: Instant,
  ): Promise<void> {
    const { database, contacts, callRecords } = this.#deps;
    const declared = declaredDisposition(task, details.disposition ?? null);
    const isExcluded = doNotCall === true || declared?.then === 'doNotCall';
    if (isExcluded && record.phoneNumber !== null) await contacts.exclude(record.phoneNumber, now);
    await this.#beginRest(task, record, declared?.restHours, now);
    await rememberDataNames(database, task.id, Object.keys(details.data ?? {}), dataNames);
    const named = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
    const { disposition = record.disposition } = details;
    const counted = disposition === record.disposition ? record.counted : countedUnder(task, disposition);
    const after = {
      ...record,
      ...named,
      doNotCall: isExcluded || (doNotCall === undefined ? record.doNotCall : doNotCall),
      counted,
      updateTime: now,
    };
    await database.transact([
      callRecords.changeOf(after),
      ...countAgain(database, record, record.counted, counted),
    ]);
  }

  /** The disposition asks for a rest of the number, counted from the end of the call. */
  async #beginRest(
    task: Task,
    record: StoredCall,
    restHours: number | undefined,
    now: Instant,
  ): Promise<void> {
    const { rules, deferred } = this.#deps;
    const { phoneNumber, outcome, endTime, startTime: time, seq } = record;
    if (restHours === undefined || phoneNumber === null) return;
    const ended = { id: numberCallId(record), time, outcome, endTime, restHours };
    await rules.noteEnd(phoneNumber, ended, now);
    await deferred.replace(task, seq, now);
  }

  async #find(call: Call, now: Instant): Promise<Found> {
    const { database, callRecords } = this.#deps;
    const { taskId, seq, nonce } = call;
    const [taskItem, item, dataNames] = await database.batchGet([
      keys.task(taskId),
      keys.taskContact(taskId, seq),
      keys.dataNames(taskId),
    ]);
    if (taskItem === undefined || item === undefined) throw notFound('call');
    const task = taskItem as unknown as Task;
    const contact = taskContactOf(item);
    const ended = callRefs(contact).find((each) => each.nonce === nonce);
    if (ended === undefined && contact.lease?.nonce === nonce)
      throw new ServiceError('CALL_NOT_REPORTED', 'the call has no result yet');
    if (ended === undefined) throw notFound('call');
    if (task.status === status.closed)
      throw new ServiceError('TASK_CLOSED', 'the task is CLOSED and its figures are final');
    if (ended.endTime < now - daysAtMost * dayMs)
      throw new ServiceError('CALL_TOO_OLD', `the call ended more than ${daysAtMost} days ago`);
    const [record] = await callRecords.read([ended], now);
    if (record === undefined) throw notFound('call');
    if (record.isErased) throw new ServiceError('CALL_ERASED', 'the person of the call was erased');
    return { task, record, dataNames };
  }
}
