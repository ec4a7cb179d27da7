import type { Instant } from '../time.ts';
import {
  type CallReason,
  consequenceOf,
  type Outcome,
  type Rules,
  recallDue,
  toMilliseconds,
} from './dialing.ts';

/**
 * What a dialer was given: the lease's id, and when it runs out; `notBefore`, where its call is the last that the
 * contact's number may get today.
 */
export type Lease = { nonce: string; until: Instant; notBefore?: Instant };

/** How a call ended. `duration` in seconds. */
export type CallResult = { outcome: Outcome; reason: CallReason | null; duration: number };

/** One reported call, kept so that the same report sent again is recognised, and for those who ask what happened. */
export type ReportedCall = CallResult & { nonce: string; time: Instant; final: boolean };

type CommonFacts = {
  taskId: string;
  dataSourceId: string;
  seq: number;
  priority: number;
  /** Calls of the allowance of `maxDialCount`; a recall gives a new one. */
  attempts: number;
  /** The latest lease. Its result is taken, late or not, as long as no other lease was given. */
  lease: (Lease & { isBeforeRecall: boolean }) | null;
  /** Of the latest call. */
  outcome: Outcome | null;
  lastCallTime: Instant | null;
  callCount: number;
  /** Seconds. */
  duration: number;
  /** Oldest first. */
  results: ReportedCall[];
  /** As it was at the latest call or recall; only where calls are counted by number. */
  phoneNumber?: string;
  /** Counts its writes; missing until the first. */
  version?: number;
};

/** To be called when due. */
type WaitingContact = CommonFacts & { state: 'waiting'; due: Instant };
/**
 * Handed to a dialer. It keeps its place in line, `due`, to be found there when its lease runs out; in its
 * first call it has none yet, and an intake record finds it.
 */
export type LeasedContact = CommonFacts & {
  state: 'leased';
  due: Instant;
  isInLine: boolean;
  lease: NonNullable<CommonFacts['lease']>;
};
/** Needs no further call unless recalled. */
type FinalContact = CommonFacts & { state: 'final'; outcome: Outcome; recallNumber: number };
/** Its number is on a list of those who are not called: final like an outcome, but no call was made. */
type BlockedContact = CommonFacts & { state: 'blocked' };
/** Its contact was deleted before it had a final outcome. */
type GoneContact = CommonFacts & { state: 'gone' };

/** A contact with the eyes of one task, from when it is first leased or recalled. */
export type TaskContact = WaitingContact | LeasedContact | FinalContact | BlockedContact | GoneContact;
export type TaskContactState = TaskContact['state'];

/**
 * Every move there is. A lease that ran out is no move: the contact counts as waiting from then on, though it
 * is stored as it was.
 */
export const moves = {
  leased: { from: ['waiting', 'leased'], to: ['leased'] },
  released: { from: ['leased'], to: ['waiting'] },
  reported: { from: ['leased', 'waiting', 'gone'], to: ['waiting', 'final', 'gone'] },
  blocked: { from: ['waiting', 'leased'], to: ['blocked'] },
  deferred: { from: ['waiting', 'leased'], to: ['waiting'] },
  recalled: { from: ['waiting', 'leased', 'final', 'blocked'], to: ['waiting'] },
  gone: { from: ['waiting', 'leased', 'final'], to: ['gone'] },
} as const satisfies Record<string, { from: readonly TaskContactState[]; to: readonly TaskContactState[] }>;

/** A contact that the task has not taken up before, waiting since `due`. */
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
  results: [],
  state: 'waiting',
  due,
});

/** With that phone number, if it is known. */
export const numbered = <C extends TaskContact>(contact: C, phoneNumber: string | undefined): C =>
  phoneNumber === undefined ? contact : { ...contact, phoneNumber };

export const isInCall = (contact: TaskContact, now: Instant): boolean =>
  contact.state === 'leased' && contact.lease.until > now;

/** Still waits for its first call, or is in it: no line has a place for it, only its intake record. */
export const isOutOfLine = (contact: TaskContact): contact is LeasedContact =>
  contact.state === 'leased' && !contact.isInLine;

/** Its final outcome is failed or no answer: a recall of all that failed is for it. */
export const isFailed = (contact: TaskContact): contact is FinalContact =>
  contact.state === 'final' && contact.outcome !== 'success';

const isInLine = (contact: WaitingContact | LeasedContact) =>
  contact.state === 'waiting' ? contact.version !== undefined : contact.isInLine;

export const leaseContact = (contact: WaitingContact | LeasedContact, lease: Lease): LeasedContact => ({
  ...contact,
  state: 'leased',
  isInLine: isInLine(contact),
  lease: { ...lease, isBeforeRecall: false },
});

const noEarlier = ({ lease }: TaskContact, due: Instant): Instant => Math.max(lease?.notBefore ?? 0, due);

/** Back in its old place, or from `notBefore` on. Nothing when the call was reported or its lease ran out. */
export const releaseContact = (
  contact: TaskContact,
  nonce: string,
  now: Instant,
  notBefore: Instant,
): WaitingContact | undefined =>
  contact.state === 'leased' && isInCall(contact, now) && contact.lease.nonce === nonce
    ? { ...contact, state: 'waiting', due: Math.max(contact.due, notBefore) }
    : undefined;

/** Queued again, with a fresh allowance of calls. Nothing when it is in a call right now, or gone. */
export const recallContact = (
  contact: TaskContact,
  rules: Pick<Rules, 'callInterval'>,
  recall: { priority: number; time: Instant },
  now: Instant,
): WaitingContact | undefined => {
  if (contact.state === 'gone' || isInCall(contact, now)) return undefined;
  return {
    ...contact,
    state: 'waiting',
    priority: recall.priority,
    attempts: 0,
    due: noEarlier(contact, recallDue(rules, recall.time, contact.lastCallTime)),
    lease: contact.lease && { ...contact.lease, isBeforeRecall: true },
  };
};

/** Not called now or later, unless recalled. A late result of an earlier lease still counts. */
export const blockContact = (contact: TaskContact): BlockedContact => ({ ...contact, state: 'blocked' });

/** In line for the moment it may be called: its own hours, or the day its number may be called again. */
export const deferContact = (contact: TaskContact, due: Instant): WaitingContact => ({
  ...contact,
  state: 'waiting',
  due,
});

export const dropContact = (contact: TaskContact): GoneContact => ({ ...contact, state: 'gone' });

/** What a report comes to. */
export type ReportDecision =
  | { is: 'counted'; contact: TaskContact; reported: ReportedCall }
  | { is: 'repeated'; reported: ReportedCall }
  | { is: 'refused'; reason: string };

type Circumstances = { rules: Rules; isDeleted: boolean; recallNumber: number; now: Instant };

/** Each call counts once. The number of recalls so far goes into a final outcome: later ones are for it. */
export const reportCall = (
  contact: TaskContact,
  nonce: string,
  report: CallResult,
  circumstances: Circumstances,
): ReportDecision => {
  const known = contact.results.find((earlier) => earlier.nonce === nonce);
  if (known && isSame(known, report)) return { is: 'repeated', reported: known };
  if (known)
    return {
      is: 'refused',
      reason: `the call was reported before, as ${known.outcome} after ${known.duration} s`,
    };
  if (contact.lease?.nonce !== nonce)
    return { is: 'refused', reason: 'the lease ran out and the contact was given out again' };
  const after = afterCall(contact, report, circumstances);
  const counted = { nonce, ...report, time: circumstances.now, final: after.state !== 'waiting' };
  return {
    is: 'counted',
    contact: { ...after, results: [...contact.results, counted] },
    reported: counted,
  };
};

const isSame = (known: ReportedCall, { outcome, reason, duration }: CallResult) =>
  known.outcome === outcome && known.reason === reason && known.duration === duration;

/** A late call from before a recall takes nothing from the new allowance. */
const afterCall = (
  contact: TaskContact,
  { outcome, duration }: CallResult,
  { rules, isDeleted, recallNumber, now }: Circumstances,
): TaskContact => {
  const isLate = contact.lease?.isBeforeRecall === true;
  const called = {
    ...contact,
    attempts: contact.attempts + (isLate ? 0 : 1),
    outcome,
    lastCallTime: now,
    callCount: contact.callCount + 1,
    duration: toMilliseconds(contact.duration + duration),
  };
  if (called.state === 'gone' || called.state === 'final') return { ...called, state: 'gone' };
  if (called.state === 'blocked') return called;
  const next = isLate
    ? ({ final: false, due: recallDue(rules, called.due, now) } as const)
    : consequenceOf(rules, outcome, called.attempts, now);
  if (next.final) return { ...called, state: 'final', recallNumber };
  return isDeleted ? dropContact(called) : { ...called, state: 'waiting', due: noEarlier(contact, next.due) };
};

/** What a task contact adds to the counts of its task; nothing as long as there is none. */
export type Share = {
  /** Needs no further call. */
  settled: 0 | 1;
  /** How it ended, for good or until it is recalled. */
  ended?: Outcome | 'blocked';
  /** Failed for good, after so many recalls. */
  failedAfter?: number;
};

export const shareOf = (contact: TaskContact | undefined): Share => {
  if (contact === undefined || contact.state === 'waiting' || contact.state === 'leased')
    return { settled: 0 };
  if (contact.state === 'gone') return { settled: 1 };
  if (contact.state === 'blocked') return { settled: 1, ended: 'blocked' };
  const { outcome, recallNumber } = contact;
  return { settled: 1, ended: outcome, ...(isFailed(contact) && { failedAfter: recallNumber }) };
};
