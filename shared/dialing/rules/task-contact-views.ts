import { callId } from '../../calls/rules/call.ts';
import { type Contact, type ContactStatus, contactStatus } from '../../contacts/rules/contact.ts';
import { type FormatTime, formatOrNull, type Instant } from '../../platform/time/time.ts';
import type { Task } from '../../tasks/rules/task.ts';
import type { CallReason } from '../../tasks/rules/task-settings.ts';
import { hasEnded } from '../../tasks/rules/task-states.ts';
import type { DialState } from './dial-state.ts';
import { isFailed, isInCall, type ReportedCall, recallContact, type TaskContact } from './task-contact.ts';
import type { BlockReason, Hold, LastingHold } from './waits.ts';

/**
 * Where a contact stands in a task: the `outcome` of answers. `callback` waits for an agreed time.
 * All from `success` on are final.
 */
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
  /**
   * What keeps a contact back that has a place in line: the task itself, and its place, which it
   * does not leave earlier.
   */
  held?: readonly Hold[] | undefined;
  /** When its call was deferred, for its hours or for a limit. */
  deferTime: Instant | null;
  /** Only for a blocked contact. */
  blockReason: BlockReason | null;
  /** The exclusion lists that have the number of a blocked contact now. */
  blockedBy: readonly ListName[];
  /** The time of an agreed callback that was not made yet. */
  callbackTime: Instant | null;
  /** Callbacks that were agreed so far. */
  callbacks: number;
  /** At most the last 20, oldest first. */
  calls: readonly ListedCall[];
};

export const untouched: ContactStanding = {
  is: 'notDialed',
  attempts: 0,
  deferTime: null,
  blockReason: null,
  blockedBy: [],
  callbackTime: null,
  callbacks: 0,
  calls: [],
};

/** The task's filter excluded the contact. */
export const notSelected: ContactStanding = { ...untouched, is: 'notSelected' };

/** How a contact stands depends on how far the task is. */
type TaskFacts = Pick<DialState, 'recallNumber' | 'review'> & {
  /** The task makes no calls any more: no contact waits, and the last outcome stays. */
  isEnded: boolean;
};

const standingOf = (
  contact: TaskContact,
  { recallNumber, review, isEnded }: TaskFacts,
  now: Instant,
): StandingName => {
  if (isInCall(contact, now)) return 'inCall';
  const { state, outcome, isRecalled, seq } = contact;
  if (state === 'blocked') return state;
  // A review of the filter has not come to it yet.
  if (state === 'notSelected') return review !== undefined && seq >= review.from ? 'notDialed' : state;
  if (isEnded || state === 'gone') return outcome ?? 'notDialed';
  // A recall of all failed contacts has not queued it again yet.
  if (isFailed(contact) && contact.recallNumber < recallNumber) return 'waiting';
  if (state === 'final') return contact.outcome;
  if (outcome === null && !isRecalled) return 'notDialed';
  return 'isCallback' in contact && contact.isCallback ? 'callback' : 'waiting';
};

/** Whether the contact is to be called, as far as the task has looked at it. */
export const isToBeCalled = ({ is }: Pick<ContactStanding, 'is'>): boolean =>
  is === 'notDialed' || is === 'waiting' || is === 'callback';

/** A contact whose lease has expired is in line again, and waits for nothing of its own. */
const heldBy = (contact: TaskContact): readonly Hold[] =>
  contact.state === 'waiting' ? [contact.own, { reason: contact.reason, until: contact.due }] : [];

const callbackTimeOf = (contact: TaskContact): Instant | null =>
  contact.state === 'waiting' && contact.isCallback
    ? (contact.results.findLast(({ callbackTime }) => callbackTime !== undefined)?.callbackTime ?? null)
    : null;

export const contactStanding = (
  contact: TaskContact,
  task: Pick<Task, 'callInterval' | 'status'>,
  { recallNumber, recalls, review }: Pick<DialState, 'recallNumber' | 'recalls' | 'review'>,
  now: Instant,
): ContactStanding => {
  // A recall of all failed contacts has not queued it again yet.
  const recall = isFailed(contact) && recalls.find(({ upTo }) => upTo >= contact.recallNumber);
  const queued = (recall && recallContact(contact, task, recall, now)) || contact;
  return {
    is: standingOf(contact, { recallNumber, review, isEnded: hasEnded(task.status) }, now),
    attempts: contact.attempts,
    held: heldBy(queued),
    deferTime: queued.state === 'waiting' && queued.due > now ? (queued.deferTime ?? null) : null,
    callbackTime: callbackTimeOf(contact),
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
  /** The reason of its last call. */
  reason: CallReason | null;
  /** At most the last 20, oldest first. */
  calls: readonly ReportedCall[];
};

/** For a contact that the task has not called. */
export const noCall = (standing: 'notDialed' | 'notSelected'): ContactSummary => ({
  status: contactStatus.notDialed,
  callCount: 0,
  callDuration: 0,
  lastCallTime: null,
  standing,
  reason: null,
  calls: [],
});

export const contactSummary = (
  contact: TaskContact,
  { status }: Pick<Task, 'status'>,
  { recallNumber, review }: DialState,
  now: Instant,
): ContactSummary => ({
  status: isInCall(contact, now) ? contactStatus.inCall : contactStatus[contact.outcome ?? 'notDialed'],
  callCount: contact.callCount,
  callDuration: contact.duration,
  lastCallTime: contact.lastCallTime,
  standing: standingOf(contact, { recallNumber, review, isEnded: hasEnded(status) }, now),
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

/** When a contact that is held back can be called, and what it waits for. */
export const nextCallColumns = (holds: readonly LastingHold[] | undefined, format: FormatTime) => {
  const { until = null, reason } = holds?.at(-1) ?? {};
  return until === null
    ? { nextCallTime: null, waitReason: null }
    : { nextCallTime: format(until), waitReason: reason! };
};

export const holdRows = (holds: readonly LastingHold[] | undefined, format: FormatTime) =>
  (holds ?? []).map(({ reason, until }) => ({ reason, until: formatOrNull(until, format) }));

export const taskContactRow = (
  { id, phoneNumber, fields }: Pick<Contact, 'id' | 'phoneNumber' | 'fields'>,
  { is, attempts, deferTime, callbackTime, blockReason, blockedBy, callbacks, calls }: ContactStanding,
  holds: readonly LastingHold[] | undefined,
  format: FormatTime,
) => ({
  contactId: id,
  phoneNumber,
  fields,
  outcome: is,
  attempts,
  ...nextCallColumns(holds, format),
  callbackTime: formatOrNull(callbackTime, format),
  deferTime: holds?.at(-1)?.until ? formatOrNull(deferTime, format) : null,
  blockReason,
  blockedBy: [...blockedBy],
  callbacks,
  calls: calls.map((call) => callRow(call, format)),
});
