import type { Contact } from '../contacts/contact.ts';
import { type FormatTime, formatOrNull, type Instant } from '../time.ts';
import { callId } from './call.ts';
import { type CallReason, type OutcomeStatus, outcomeStatus } from './dialing.ts';
import { deferralOf, isFailed, isInCall, type ReportedCall, type TaskContact } from './task-contact.ts';

/** Where a contact stands in a task. Answers call it its outcome. `callback` waits for an agreed time. `success`, `failed`, `noAnswer` and `blocked` are final. `notSelected` does not match the task's filter. */
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

/** How a contact stands in one task. */
export type ContactStanding = {
  is: StandingName;
  /** Calls since it was taken up or last recalled. */
  attempts: number;
  nextCallTime: Instant | null;
  /** When its call was put off to `nextCallTime`, for its hours or for the calls of a day. */
  deferTime: Instant | null;
  /** Agreed so far. */
  callbacks: number;
  /** The last 20 at most, oldest first. */
  calls: readonly ListedCall[];
};

export const untouched: ContactStanding = {
  is: 'notDialed',
  attempts: 0,
  nextCallTime: null,
  deferTime: null,
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

/** `recallNumber`: how often the task's failed contacts were recalled. */
export const contactStanding = (
  contact: TaskContact,
  recallNumber: number,
  now: Instant,
): ContactStanding => {
  const is = standingOf(contact, recallNumber, now);
  const due =
    contact.state === 'waiting' ? contact.due : contact.state === 'leased' ? contact.lease.until : now;
  return {
    is,
    attempts: contact.attempts,
    nextCallTime: is === 'waiting' || is === 'callback' ? due : null,
    deferTime: due > now ? (deferralOf(contact)?.time ?? null) : null,
    callbacks: contact.callbacks,
    calls: contact.results.map((each) => ({ ...each, callId: callId({ ...contact, nonce: each.nonce }) })),
  };
};

/** What a task has made of one contact so far. */
export type ContactSummary = {
  status: OutcomeStatus;
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
  status: outcomeStatus.notDialed,
  callCount: 0,
  callDuration: 0,
  lastCallTime: null,
  standing,
  reason: null,
  calls: [],
});

export const contactSummary = (contact: TaskContact, recallNumber: number, now: Instant): ContactSummary => ({
  status: isInCall(contact, now) ? outcomeStatus.inCall : outcomeStatus[contact.outcome ?? 'notDialed'],
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

export const taskContactRow = (
  { id, phoneNumber, fields }: Pick<Contact, 'id' | 'phoneNumber' | 'fields'>,
  { is, attempts, nextCallTime, deferTime, callbacks, calls }: ContactStanding,
  format: FormatTime,
) => ({
  contactId: id,
  phoneNumber,
  fields,
  outcome: is,
  attempts,
  nextCallTime: formatOrNull(nextCallTime, format),
  deferTime: formatOrNull(deferTime, format),
  callbacks,
  calls: calls.map((call) => callRow(call, format)),
});
