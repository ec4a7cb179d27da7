import { callId, describeCall, type LogCall, parseCallId } from '../../calls/rules/call.ts';
import { contactOfItem, showInCall, showNoCall } from '../../contacts/contact-items.ts';
import { type Contact, contactId } from '../../contacts/rules/contact.ts';
import type { Agenda } from '../../platform/agenda/agenda.ts';
import { type EffectRecord, once, type RequestKey } from '../../platform/requests/effects.ts';
import { notFound, ServiceError } from '../../platform/rules/errors.ts';
import { type Database, Lost, type TransactItem } from '../../platform/table/database.ts';
import { optimistic } from '../../platform/table/optimistic.ts';
import type { Instant } from '../../platform/time/time.ts';
import type { AskedTimes } from '../../tasks/task-items.ts';
import { callbacksOf, callsOf } from '../../tasks/task-work.ts';
import type { Tasks } from '../../tasks/tasks.ts';
import type { CallingRules } from '../calling-rules.ts';
import { bringTaskForward } from '../due-tasks.ts';
import { numberCallId } from '../earlier-calls.ts';
import type { Pace } from '../pace.ts';
import { wasReported } from '../rules/contact-calls.ts';
import {
  extendLease,
  type LeasedContact,
  releaseContact,
  type TaskContact,
  type WaitingContact,
} from '../rules/task-contact.ts';
import type { TaskContacts } from '../task-contacts.ts';

/**
 * `notBefore`: the earliest time at which the contact may be called again. By default it is at its
 * old place in line.
 */
type Release = { callId: string; notBefore?: Instant };
type ReleaseAnswer = { callId: string; taskId: string; contactId: string };
/** `until`: the new end of the lease. A lease never gets shorter. */
type Extension = { callId: string; until: Instant };

type Dependencies = {
  database: Database;
  taskContacts: TaskContacts;
  agenda: Agenda;
  tasks: Tasks;
  rules: CallingRules;
  pace: Pace;
  asked: AskedTimes;
  logCall: LogCall;
};

/** What a dialer may do with a lease while it lasts, besides reporting the call. */
export class LiveLeases {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Gives back a call that its dialer has not begun and never will. No call is counted. It may
   * break off anywhere, because the lease ends nevertheless.
   * @throws ServiceError notFound (no such call), conflict (the call was reported, or its lease has
   *   ended)
   */
  async release(
    { callId: id, notBefore = 0 }: Release,
    now: Instant,
    requestKey?: RequestKey,
  ): Promise<ReleaseAnswer> {
    const { database, agenda, rules, pace, logCall } = this.#deps;
    let mayCallMore = false;
    const effect = (effectRecord: EffectRecord<ReleaseAnswer>) =>
      optimistic(async () => {
        const [[leased, nonce]] = await Promise.all([this.#find(id), rules.prepare(now)]);
        const released = releaseContact(leased, nonce, now, notBefore);
        if (released === undefined) throw refusalOf(leased, nonce);
        const called = released.lease && (await showNoCall(database, released, released.lease.until));
        const contact = called ? contactOfItem(released.dataSourceId, called) : undefined;
        const waiting = await this.#placed(released, contact, nonce, now);
        const answer = answerOf(waiting, nonce);
        await this.#write(withNumber(waiting, called?.phone as string | undefined), effectRecord(answer));
        mayCallMore = await pace.free({ ...waiting, channels: waiting.lease?.channels }, now);
        logCall('released', describeCall(waiting, nonce));
        return answer;
      });
    const answer = await once(database, requestKey, `release#${id}`, effect);
    const [contact, nonce] = await this.#find(id);
    const task = { id: contact.taskId, dataSourceId: contact.dataSourceId };
    if (mayCallMore) await bringTaskForward(agenda, task, now);
    // A repeat finishes what the first request may not have done. Another lease has settled the
    // contact.
    if (contact.state !== 'waiting' || contact.lease?.nonce !== nonce) return answer;
    await rules.uncount(contact.dataSourceId, { seq: contact.seq, nonce }, now);
    await (contact.isCallback
      ? agenda.schedule(callbacksOf(task), contact.due, { isUnseen: true })
      : agenda.bringForward(callsOf(task), contact.due, { isUnseen: true }));
    return answer;
  }

  /** Where the contact waits now. The call that was given back does not count. */
  async #placed(
    taskContact: WaitingContact,
    contact: Contact | undefined,
    nonce: string,
    now: Instant,
  ): Promise<WaitingContact> {
    const { tasks, rules } = this.#deps;
    if (contact === undefined || !(await rules.mayHold(contact, now))) return taskContact;
    const task = await tasks.find(taskContact.taskId);
    const released = numberCallId({ seq: taskContact.seq, nonce });
    const [placed] = await rules.place(task, [taskContact], now, { known: [contact], released });
    return placed!;
  }

  /**
   * The call is still going on. A dialer all of whose lines are busy does not ask for calls, so
   * this also shows that it is alive.
   * @throws ServiceError notFound (no such call), conflict (as `release`)
   */
  async extend({ callId: id, until }: Extension, now: Instant) {
    const { database, pace, asked } = this.#deps;
    return optimistic(async () => {
      const [leased, nonce] = await this.#find(id);
      const extended = extendLease(leased, nonce, now, until);
      if (extended === undefined) throw refusalOf(leased, nonce);
      const { lease } = extended;
      await pace.keep({ ...extended, channels: lease.channels }, lease.until, now, (channels) =>
        this.#writeExtended({ ...extended, lease: { ...lease, channels } }),
      );
      await showInCall(database, extended, lease.until);
      await asked.note(lease.isOfAny ? undefined : extended.taskId, now);
      return { callId: id, leaseExpireTime: lease.until };
    });
  }

  /** A write that counts as lost may have been made: the SDK sent it again after a lost answer. */
  async #writeExtended(contact: LeasedContact): Promise<void> {
    const { taskContacts } = this.#deps;
    if (await taskContacts.write(contact)) return;
    const [found] = await taskContacts.read(contact.taskId, [contact.seq]);
    const { nonce, until } = contact.lease;
    if (found?.state !== 'leased' || found.lease.nonce !== nonce || found.lease.until !== until)
      throw new Lost();
  }

  async #find(id: string): Promise<[contact: TaskContact, nonce: string]> {
    const call = parseCallId(id);
    const [contact] = call === undefined ? [] : await this.#deps.taskContacts.read(call.taskId, [call.seq]);
    if (call === undefined || contact === undefined) throw notFound('call');
    return [contact, call.nonce];
  }

  async #write(contact: WaitingContact | LeasedContact, records: TransactItem[]): Promise<void> {
    const { database, taskContacts } = this.#deps;
    if (records.length > 0) await database.transact([taskContacts.writeOf(contact), ...records]);
    else if (!(await taskContacts.write(contact))) throw new Lost();
  }
}

const answerOf = ({ taskId, dataSourceId, seq }: TaskContact, nonce: string): ReleaseAnswer => ({
  callId: callId({ taskId, seq, nonce }),
  taskId,
  contactId: contactId(dataSourceId, seq),
});

const refusalOf = (contact: TaskContact, nonce: string): ServiceError =>
  wasReported(contact, nonce)
    ? new ServiceError('ALREADY_REPORTED', 'the result of the call was reported before')
    : new ServiceError('LEASE_LOST', 'the lease has ended');

/** Without the mark, a contact that is deleted cannot leave its number to a late result. */
const withNumber = (contact: WaitingContact, phoneNumber: string | undefined): WaitingContact =>
  contact.lease && phoneNumber !== undefined
    ? { ...contact, lease: { calledNumber: phoneNumber, ...contact.lease } }
    : contact;
