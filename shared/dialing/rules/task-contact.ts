import type { Contact } from '../../contacts/rules/contact.ts';
import { ownZoneOf } from '../../platform/time/schedule.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import type { Channels } from '../../tasks/rules/limits.ts';
import type { Task } from '../../tasks/rules/task.ts';
import type { CallReason, Outcome } from '../../tasks/rules/task-settings.ts';
import type { BlockReason, Hold, Place } from './waits.ts';

/** The right to call a contact until `until`. */
export type Lease = {
  /** Identifies a lease among the leases of one contact. */
  nonce: string;
  until: Instant;
  /** When the lease was given. Leases of 0.3 have no time. */
  time?: Instant | undefined;
  /** The dialer had asked for calls of any task. Missing in leases before 0.6. */
  isOfAny?: true | undefined;
  /** The call was added to the calls of its number when it was handed out. */
  isCounted?: true | undefined;
  /** The number from which the dialer was asked to call, if any. */
  callerNumber?: string | undefined;
  /** What the call takes of the limits of its task and of the service, if there are limits. */
  channels?: Channels | undefined;
};

/** What happened to the contact since the lease was given. */
type LeaseFate = {
  isBeforeRecall: boolean;
  /** The number that is called, if the contact was deleted or got another number since. */
  calledNumber?: string | undefined;
  /** The person was erased. Nothing that a dialer learns in the call is stored. */
  isErased?: true | undefined;
};

/** How a call ended. `duration` in seconds. */
export type CallResult = {
  outcome: Outcome;
  reason: CallReason | null;
  duration: number;
  /** When the person asked to be called. */
  callbackTime?: Instant;
  /** The person asked not to be called again. */
  doNotCall?: true;
};

/** Identifies a call of the contact, and says when it ended. */
export type EndedCallTime = { nonce: string; time: Instant };

/** Stored to recognise a result that is sent again, and to show what happened. */
export type ReportedCall = CallResult & EndedCallTime & { final: boolean };

type CommonFacts = {
  taskId: string;
  dataSourceId: string;
  seq: number;
  priority: number;
  /** Calls of the allowance of `maxDialCount`. A recall gives a new allowance. */
  attempts: number;
  /** The latest lease. Its result is accepted, late or not, until another lease is given. */
  lease: (Lease & LeaseFate) | null;
  /** The outcome of the latest call. */
  outcome: Outcome | null;
  lastCallTime: Instant | null;
  /** It was never called, and a recall named it. It counts as waiting. */
  isRecalled?: true | undefined;
  callCount: number;
  /** Seconds. */
  duration: number;
  /** Callbacks that were agreed so far. */
  callbacks: number;
  /** The latest results, oldest first. */
  results: ReportedCall[];
  /** The calls before these, oldest first. */
  earlier: EndedCallTime[];
  /** Counts the writes. Missing before the first one. */
  version?: number;
};

/** `isCallback`: the call was agreed for a time, and comes before every other. */
type InLine = Place & { isCallback: boolean };

/** To be called when due. */
export type WaitingContact = CommonFacts &
  InLine & {
    state: 'waiting';
    /**
     * What the task itself waits for. The place in line also takes the limits and the hours of the
     * contact's zone into account.
     */
    own: Hold;
    /** When it was deferred beyond that. */
    deferTime?: Instant | undefined;
  };
/**
 * Given to a dialer. It keeps its place in line, at `due`, where it is found when the lease
 * expires. In its first call it has no place yet, and is found by its intake.
 */
export type LeasedContact = CommonFacts &
  InLine & {
    state: 'leased';
    isInLine: boolean;
    lease: NonNullable<CommonFacts['lease']>;
  };
/** Needs no further call unless recalled. */
type FinalContact = CommonFacts & { state: 'final'; outcome: Outcome; recallNumber: number };
/** Final like an outcome, but without a call. */
type BlockedContact = CommonFacts & { state: 'blocked'; blockReason: BlockReason };
/** It does not match the task's filter, and was never called. Final, but without a call. */
export type NotSelectedContact = CommonFacts & { state: 'notSelected' };
/** Its contact was deleted before it had a final outcome. */
type GoneContact = CommonFacts & { state: 'gone' };

/** What one task knows of one contact, from its first lease or recall on. */
export type TaskContact =
  | WaitingContact
  | LeasedContact
  | FinalContact
  | BlockedContact
  | NotSelectedContact
  | GoneContact;
export type TaskContactState = TaskContact['state'];

/**
 * Every move there is. The functions below accept what this table allows: by their types, and by
 * `canBe` if only the stored contact shows it. A lease that expires is no move. The contact counts
 * as waiting from then on, though it is stored as leased.
 */
export const moves = {
  leased: { from: ['waiting', 'leased'], to: ['leased'] },
  released: { from: ['leased'], to: ['waiting'] },
  extended: { from: ['leased'], to: ['leased'] },
  reported: {
    from: ['leased', 'waiting', 'blocked', 'notSelected', 'gone'],
    to: ['waiting', 'final', 'blocked', 'gone'],
  },
  leftOut: { from: ['waiting', 'leased'], to: ['notSelected', 'final'] },
  selected: { from: ['notSelected'], to: ['waiting'] },
  blocked: { from: ['waiting', 'leased'], to: ['blocked'] },
  deferred: { from: ['waiting', 'leased'], to: ['waiting'] },
  reconsidered: { from: ['waiting'], to: ['waiting'] },
  recalled: { from: ['waiting', 'leased', 'final', 'blocked', 'notSelected'], to: ['waiting'] },
  gone: { from: ['waiting', 'leased', 'final'], to: ['gone'] },
} as const satisfies Record<string, { from: readonly TaskContactState[]; to: readonly TaskContactState[] }>;

type MoveName = keyof typeof moves;
/** A contact in a state from which the table allows the move. */
export type Movable<Name extends MoveName> = Extract<
  TaskContact,
  { state: (typeof moves)[Name]['from'][number] }
>;

export const canBe = <Name extends MoveName>(move: Name, contact: TaskContact): contact is Movable<Name> =>
  (moves[move].from as readonly TaskContactState[]).includes(contact.state);

/** A contact that the task takes up now. It has been waiting since `due`. */
export const newTaskContact = (
  task: { id: string; dataSourceId: string; priority: number },
  seq: number,
  due: Instant,
): WaitingContact => ({
  taskId: task.id,
  dataSourceId: task.dataSourceId,
  seq,
  priority: task.priority,
  attempts: 0,
  lease: null,
  outcome: null,
  lastCallTime: null,
  callCount: 0,
  duration: 0,
  callbacks: 0,
  results: [],
  earlier: [],
  state: 'waiting',
  isCallback: false,
  ...inLineFor({ reason: 'RETRY', until: due }),
});

/** A place in line that depends on the task alone. */
const inLineFor = (own: Hold) => ({
  own,
  due: own.until,
  reason: own.reason,
  zone: undefined,
  deferTime: undefined,
});

/** In line at the place that the rules give it. */
export const placeContact = (contact: WaitingContact, place: Place, now: Instant): WaitingContact => ({
  ...contact,
  ...place,
  zone: place.zone,
  deferTime: place.due > contact.own.until ? now : undefined,
});

/** To be called again at `due`, by the task alone. */
export const waitContact = (contact: CommonFacts & { isCallback: boolean }, own: Hold): WaitingContact => ({
  ...contact,
  state: 'waiting',
  ...inLineFor(own),
});

export const isInCall = (contact: TaskContact, now: Instant): boolean =>
  contact.state === 'leased' && contact.lease.until > now;

/**
 * The contact is in its first call, or the lease of that call has expired. It has no place in line,
 * only its intake.
 */
export const isOutOfLine = (contact: TaskContact): contact is LeasedContact =>
  contact.state === 'leased' && !contact.isInLine;

/** Its final outcome is failed or no answer. A recall of all failed contacts includes it. */
export const isFailed = (contact: TaskContact | undefined): contact is FinalContact =>
  contact?.state === 'final' && contact.outcome !== 'success';

export const leaseContact = (contact: Movable<'leased'>, lease: Lease): LeasedContact => ({
  ...contact,
  state: 'leased',
  isInLine: contact.state === 'waiting' ? contact.version !== undefined : contact.isInLine,
  lease: { ...lease, isBeforeRecall: false },
});

/**
 * Back at its old place, or from `notBefore` on.
 * @returns undefined if the call was reported or its lease has expired
 */
export const releaseContact = (
  contact: TaskContact,
  nonce: string,
  now: Instant,
  notBefore: Instant,
): WaitingContact | undefined =>
  canBe('released', contact) && isInCall(contact, now) && contact.lease.nonce === nonce
    ? waitContact(contact, { reason: 'RETRY', until: Math.max(contact.due, notBefore) })
    : undefined;

/**
 * A lease never gets shorter.
 * @returns undefined if the call was reported or its lease has expired
 */
export const extendLease = (
  contact: TaskContact,
  nonce: string,
  now: Instant,
  until: Instant,
): LeasedContact | undefined =>
  canBe('extended', contact) && isInCall(contact, now) && contact.lease.nonce === nonce
    ? { ...contact, lease: { ...contact.lease, until: Math.max(contact.lease.until, until) } }
    : undefined;

/** The settings of a task that decide when a contact is called again. */
export type RetrySettings = Pick<Task, 'maxDialCount' | 'callInterval' | 'retryRules' | 'dispositions'>;

/** When the contact may be called again: `callInterval` after the end of the call. */
export const dueAfter = ({ callInterval }: Pick<RetrySettings, 'callInterval'>, callEnd: Instant): Instant =>
  callEnd + callInterval * secondMs;

/** When a recalled contact comes due: at once, but not before its interval has passed. */
export const recallDue = (
  rules: Pick<RetrySettings, 'callInterval'>,
  recallTime: Instant,
  lastCallTime: Instant | null,
): Instant => (lastCallTime === null ? recallTime : Math.max(recallTime, dueAfter(rules, lastCallTime)));

/**
 * Queued again with a fresh allowance, also in place of an agreed callback.
 * @returns undefined if the contact is in a call now, or gone
 */
export const recallContact = (
  contact: TaskContact,
  rules: Pick<RetrySettings, 'callInterval'>,
  recall: { priority: number; time: Instant },
  now: Instant,
): WaitingContact | undefined => {
  if (!canBe('recalled', contact) || isInCall(contact, now)) return undefined;
  const recalled = {
    ...contact,
    priority: recall.priority,
    attempts: 0,
    isCallback: false,
    isRecalled: contact.outcome === null ? (true as const) : undefined,
    lease: contact.lease && { ...contact.lease, isBeforeRecall: true },
  };
  return waitContact(recalled, {
    reason: 'RETRY',
    until: recallDue(rules, recall.time, contact.lastCallTime),
  });
};

/** Never called unless recalled. A late result of its lease still counts. */
export const blockContact = (contact: Movable<'blocked'>, blockReason: BlockReason): BlockedContact => ({
  ...contact,
  state: 'blocked',
  blockReason,
});

/**
 * It does not match the filter of its task. A contact that was called before keeps the outcome of
 * its last call as its final one. A late result of its lease still counts.
 */
export const leaveOutContact = (
  contact: Movable<'leftOut'>,
  recallNumber: number,
): NotSelectedContact | FinalContact =>
  contact.outcome === null
    ? { ...contact, state: 'notSelected' }
    : { ...contact, outcome: contact.outcome, state: 'final', recallNumber };

/** It matches the filter now, because the contact or the filter was changed. */
export const selectContact = (
  taskContact: Movable<'selected'>,
  { fields }: Pick<Contact, 'fields'>,
  now: Instant,
): WaitingContact => ({
  ...waitContact({ ...taskContact, isCallback: false }, { reason: 'RETRY', until: now }),
  zone: ownZoneOf(fields),
});

/** In line for the moment from which it may be called. A late result of its lease still counts. */
export const deferContact = (contact: Movable<'deferred'>, place: Place, now: Instant): WaitingContact => {
  const own = contact.state === 'waiting' ? contact.own : { reason: 'RETRY' as const, until: contact.due };
  return placeContact(waitContact(contact, own), place, now);
};

/** Whether a contact waits at that place already. */
export const isPlacedAt = ({ due, reason, zone }: WaitingContact, place: Place): boolean =>
  due === place.due && reason === place.reason && zone === place.zone;

export const dropContact = (contact: Movable<'gone'>): GoneContact => ({ ...contact, state: 'gone' });
