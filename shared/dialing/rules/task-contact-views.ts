import { callId } from '../../calls/rules/call.ts';
import { type Contact, type ContactStatus, contactStatus } from '../../contacts/rules/contact.ts';
import { type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import type { CallReason } from '../../tasks/rules/task-settings.ts';
import { type NextCall, type Wait, waitOf } from './call-decisions.ts';
import type { DialState } from './dial-state.ts';
import {
  type BlockReason,
  deferralOf,
  isFailed,
  isInCall,
  type ReportedCall,
  recallContact,
  type TaskContact,
} from './task-contact.ts';

/** Where a contact stands in a task: the `outcome` of answers. `callback` waits for an agreed time. From `success` on all are final. */
export const standingNames = [
  'notDialed',
  'inCall',
  'waiting',
  'callback',
  'success',
  'failed',
  'noAnswer',
  'blocked',
  'notSelected',
] as const;
export type StandingName = (typeof standingNames)[number];

/** A call as it is listed with its contact. */
export type ListedCall = Pick<ReportedCall, 'time' | 'outcome' | 'reason' | 'duration'> & { callId: string };

export type ListName = { dataSourceId: string; dataSourceName: string };

/** How a contact stands in one task. */
export type ContactStanding = {
  is: StandingName;
  /** Calls since it was taken up or last recalled. */
  attempts: number;
  /** What a contact that is to be called again waits for; missing where it is in a call, settled or was never called. */
  wait?: Wait | undefined;
  /** When its call was put off, for its hours or for the calls of a day. */
  deferTime: Instant | null;
  /** Of a blocked contact. */
  blockReason: BlockReason | null;
  /** The exclusion lists that have the number of a blocked contact now. */
  blockedBy: readonly ListName[];
  /** Agreed so far. */
  callbacks: number;
  /** The last 20 at most, oldest first. */
  calls: readonly ListedCall[];
};

export const untouched: ContactStanding = {
  is: 'notDialed',
  attempts: 0,
  deferTime: null,
  blockReason: null,
  blockedBy: [],
  callbacks: 0,
  calls: [],
};

/** The task's filter has left the contact out. */
export const notSelected: ContactStanding = { ...untouched, is: 'notSelected' };

const standingOf = (contact: TaskContact, recallNumber: number, now: Instant): StandingName => {
  if (isInCall(contact, now)) return 'inCall';
  // A recall of all that failed has not queued it again yet.
  if (isFailed(contact) && contact.recallNumber < recallNumber) return 'waiting';
  if (contact.state === 'final') return contact.outcome;
  if (contact.state === 'blocked' || contact.state === 'notSelected') return contact.state;
  return 'isCallback' in contact && contact.isCallback ? 'callback' : 'waiting';
};

/** Whether the contact is to be called, as far as the task has looked at it. */
export const isToBeCalled = ({ is }: Pick<ContactStanding, 'is'>): boolean =>
  is === 'notDialed' || is === 'waiting' || is === 'callback';

export const contactStanding = (
  contact: TaskContact,
  task: Pick<Task, 'callInterval'>,
  { recallNumber, recalls }: Pick<DialState, 'recallNumber' | 'recalls'>,
  now: Instant,
): ContactStanding => {
  // A recall of all that failed has not queued it again yet.
  const recall = isFailed(contact) && recalls.find(({ upTo }) => upTo >= contact.recallNumber);
  const queued = (recall && recallContact(contact, task, recall, now)) || contact;
  const wait = waitOf(queued, now);
  return {
    is: standingOf(contact, recallNumber, now),
    attempts: contact.attempts,
    wait,
    deferTime: wait && wait.until > now ? (deferralOf(contact)?.time ?? null) : null,
    blockReason: contact.state === 'blocked' ? contact.blockReason : null,
    blockedBy: [],
    callbacks: contact.callbacks,
    calls: contact.results.map((each) => ({ ...each, callId: callId({ ...contact, nonce: each.nonce }) })),
  };
};

/** What a task has made of one contact so far. */
export type ContactSummary = {
  status: ContactStatus;
  callCount: number;
  /** Seconds. */
  callDuration: number;
  lastCallTime: Instant | null;
  standing: StandingName;
  /** Of its last call. */
  reason: CallReason | null;
  /** The last 20 at most, oldest first. */
  calls: readonly ReportedCall[];
};

/** Of a contact that the task has not called. */
export const noCall = (standing: 'notDialed' | 'notSelected'): ContactSummary => ({
  status: contactStatus.notDialed,
  callCount: 0,
  callDuration: 0,
  lastCallTime: null,
  standing,
  reason: null,
  calls: [],
});

export const contactSummary = (contact: TaskContact, recallNumber: number, now: Instant): ContactSummary => ({
  status: isInCall(contact, now) ? contactStatus.inCall : contactStatus[contact.outcome ?? 'notDialed'],
  callCount: contact.callCount,
  callDuration: contact.duration,
  lastCallTime: contact.lastCallTime,
  standing: standingOf(contact, recallNumber, now),
  reason: contact.results.at(-1)?.reason ?? null,
  calls: contact.results,
});

export const callRow = ({ callId: id, time, outcome, reason, duration }: ListedCall, format: FormatTime) => ({
  callId: id,
  time: format(time),
  outcome,
  reason,
  duration,
});

export const nextCallColumns = (next: NextCall, format: FormatTime) =>
  next.is === 'none'
    ? { nextCallTime: null, waitReason: null }
    : { nextCallTime: format(next.time), waitReason: next.reason };

export const taskContactRow = (
  { id, phoneNumber, fields }: Pick<Contact, 'id' | 'phoneNumber' | 'fields'>,
  { is, attempts, deferTime, blockReason, blockedBy, callbacks, calls }: ContactStanding,
  next: NextCall,
  format: FormatTime,
) => ({
  contactId: id,
  phoneNumber,
  fields,
  outcome: is,
  attempts,
  ...nextCallColumns(next, format),
  deferTime: next.is === 'none' ? null : formatOrNull(deferTime, format),
  blockReason,
  blockedBy: [...blockedBy],
  callbacks,
  calls: calls.map((call) => callRow(call, format)),
});
