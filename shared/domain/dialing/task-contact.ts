import { declaredDisposition } from '../calls/dispositions.ts';
import { type ErrorWord, invalid } from '../errors.ts';
import { type Instant, secondMs } from '../time.ts';
import { type CallReason, type Outcome, toMilliseconds } from './dialing.ts';
import type { Channels } from './pace.ts';
import { consequenceOf, type Rules, recallDue } from './retries.ts';

/** The right to call a contact until then. */
export type Lease = {
  /** Tells the leases of one contact apart. */
  nonce: string;
  until: Instant;
  /** When it was given. Leases of 0.3 do not say. */
  time?: Instant | undefined;
  /** What the dialer was told to call from, if anything. */
  callerNumber?: string | undefined;
  /** What the call takes of the limits of its task and of the service, where there are limits. */
  channels?: Channels | undefined;
};

/** What happened to the contact since the lease was given. */
type LeaseFate = {
  isBeforeRecall: boolean;
  /** The number that is called, where the contact was deleted or got another number since. */
  calledNumber?: string | undefined;
  /** The person was erased: nothing that a dialer learns in the call is stored. */
  isErased?: true | undefined;
};

/** How a call ended. `duration` in seconds. */
export type CallResult = {
  outcome: Outcome;
  reason: CallReason | null;
  duration: number;
  /** The person asked to be called then. */
  callbackTime?: Instant;
  /** The person asked not to be called again. */
  doNotCall?: true;
};

/** Names a call of the contact, and says when it ended. */
export type EndedCallTime = { nonce: string; time: Instant };

/** Kept to recognise a result that is sent again, and to show what happened. */
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
  /** Of the latest call. */
  outcome: Outcome | null;
  lastCallTime: Instant | null;
  callCount: number;
  /** Seconds. */
  duration: number;
  /** Callbacks that were agreed so far. */
  callbacks: number;
  /** The latest ones, oldest first. */
  results: ReportedCall[];
  /** The calls before these, oldest first. */
  earlier: EndedCallTime[];
  /** Counts the writes; missing until the first. */
  version?: number;
};

/** `isCallback`: the call was agreed for that time, and comes before every other. */
type InLine = { due: Instant; isCallback: boolean };

/** When the contact was due before it was deferred, and when it was deferred. */
type Deferral = { from: Instant; time: Instant };

/** To be called when due. */
export type WaitingContact = CommonFacts &
  InLine & {
    state: 'waiting';
    deferral?: Deferral | undefined;
  };
/**
 * Given to a dialer. It keeps its place in line, at `due`, where it is found when the lease runs out. In its first call
 * it has no place yet: its intake finds it.
 */
export type LeasedContact = CommonFacts &
  InLine & {
    state: 'leased';
    isInLine: boolean;
    lease: NonNullable<CommonFacts['lease']>;
  };
/** Needs no further call unless recalled. */
type FinalContact = CommonFacts & { state: 'final'; outcome: Outcome; recallNumber: number };
/** Its number is on an exclusion list: final like an outcome, but without a call. */
type BlockedContact = CommonFacts & { state: 'blocked' };
/** It does not match the task's filter, and was never called: final like an outcome, but without a call. */
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
 * Every move there is. The functions below accept what this table allows: by their types, and by `canBe` where only
 * the stored contact knows. A lease that runs out is no move. The contact counts as waiting from then on, though it is
 * stored as leased.
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
type Movable<Name extends MoveName> = Extract<TaskContact, { state: (typeof moves)[Name]['from'][number] }>;

export const canBe = <Name extends MoveName>(move: Name, contact: TaskContact): contact is Movable<Name> =>
  (moves[move].from as readonly TaskContactState[]).includes(contact.state);

/** A contact that the task takes up now, waiting since `due`. */
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
  due,
  isCallback: false,
});

export const isInCall = (contact: TaskContact, now: Instant): boolean =>
  contact.state === 'leased' && contact.lease.until > now;

/** In its first call, or that call's lease ran out: the contact has no place in line, only its intake. */
export const isOutOfLine = (contact: TaskContact): contact is LeasedContact =>
  contact.state === 'leased' && !contact.isInLine;

/** Its final outcome is failed or no answer: a recall of all failed contacts includes it. */
export const isFailed = (contact: TaskContact | undefined): contact is FinalContact =>
  contact?.state === 'final' && contact.outcome !== 'success';

export const leaseContact = (contact: Movable<'leased'>, lease: Lease): LeasedContact => ({
  ...contact,
  state: 'leased',
  isInLine: contact.state === 'waiting' ? contact.version !== undefined : contact.isInLine,
  lease: { ...lease, isBeforeRecall: false },
});

/** Back in its old place, or from `notBefore` on. Nothing when the call was reported or its lease ran out. */
export const releaseContact = (
  contact: TaskContact,
  nonce: string,
  now: Instant,
  notBefore: Instant,
): WaitingContact | undefined =>
  canBe('released', contact) && isInCall(contact, now) && contact.lease.nonce === nonce
    ? { ...contact, state: 'waiting', due: Math.max(contact.due, notBefore) }
    : undefined;

/** A lease never gets shorter. Nothing when the call was reported or its lease ran out. */
export const extendLease = (
  contact: TaskContact,
  nonce: string,
  now: Instant,
  until: Instant,
): LeasedContact | undefined =>
  canBe('extended', contact) && isInCall(contact, now) && contact.lease.nonce === nonce
    ? { ...contact, lease: { ...contact.lease, until: Math.max(contact.lease.until, until) } }
    : undefined;

/** Queued again, with a fresh allowance of attempts, instead of an agreed callback. Nothing when the contact is in a call right now, or gone. */
export const recallContact = (
  contact: TaskContact,
  rules: Pick<Rules, 'callInterval'>,
  recall: { priority: number; time: Instant },
  now: Instant,
): WaitingContact | undefined => {
  if (!canBe('recalled', contact) || isInCall(contact, now)) return undefined;
  return {
    ...contact,
    state: 'waiting',
    priority: recall.priority,
    attempts: 0,
    isCallback: false,
    due: recallDue(rules, recall.time, contact.lastCallTime),
    deferral: undefined,
    lease: contact.lease && { ...contact.lease, isBeforeRecall: true },
  };
};

/** Never called unless recalled. A late result of its lease still counts. */
export const blockContact = (contact: Movable<'blocked'>): BlockedContact => ({
  ...contact,
  state: 'blocked',
});

/**
 * It does not match the filter of its task. A contact that was called before keeps the outcome of its last call as its
 * final one. A late result of its lease still counts.
 */
export const leaveOutContact = (
  contact: Movable<'leftOut'>,
  recallNumber: number,
): NotSelectedContact | FinalContact =>
  contact.outcome === null
    ? { ...contact, state: 'notSelected' }
    : { ...contact, outcome: contact.outcome, state: 'final', recallNumber };

/** It matches the filter by now: the contact was changed, or the filter. */
export const selectContact = (contact: Movable<'selected'>, now: Instant): WaitingContact => ({
  ...contact,
  state: 'waiting',
  due: now,
  isCallback: false,
});

/** Nothing when it was not deferred. */
export const deferralOf = (contact: TaskContact): Deferral | undefined =>
  contact.state === 'waiting' ? contact.deferral : undefined;

/** In line for the moment it may be called. A late result of its lease still counts. */
export const deferContact = (contact: Movable<'deferred'>, due: Instant, now: Instant): WaitingContact => ({
  ...contact,
  state: 'waiting',
  due,
  deferral: { from: deferralOf(contact)?.from ?? contact.due, time: now },
});

/**
 * Due as before it was deferred: its number or time zone was corrected, or the hours of the task were adjusted. Nothing when
 * it was not deferred.
 */
export const reconsiderContact = (contact: TaskContact, now: Instant): WaitingContact | undefined =>
  canBe('reconsidered', contact) && contact.deferral !== undefined && contact.due > now
    ? { ...contact, due: contact.deferral.from, deferral: undefined }
    : undefined;

export const dropContact = (contact: Movable<'gone'>): GoneContact => ({ ...contact, state: 'gone' });

const endedCalls = ({ earlier, results }: TaskContact): EndedCallTime[] => [...earlier, ...results];

/** Names a record: the call, and when it ended. */
export type CallRef = { taskId: string; seq: number; nonce: string; endTime: Instant };

/** Every call of the contact that was counted, oldest first. */
export const callRefs = (contact: TaskContact): CallRef[] =>
  endedCalls(contact).map(({ nonce, time }) => ({
    taskId: contact.taskId,
    seq: contact.seq,
    nonce,
    endTime: time,
  }));

/**
 * Without its calls, except when they ended: the person was erased. The counts stay, and so does a lease that was not
 * reported, whose result still counts. A reported lease goes with its result, so that the result is not counted again.
 */
export const forgetCalls = (contact: TaskContact): TaskContact => {
  const earlier = endedCalls(contact).map(({ nonce, time }) => ({ nonce, time }));
  const forgotten = { ...contact, results: [], earlier };
  const { lease } = contact;
  if (lease === null) return forgotten;
  const kept = { ...lease, calledNumber: undefined, isErased: true as const };
  if (forgotten.state === 'leased') return { ...forgotten, lease: kept };
  const isReported = contact.results.some(({ nonce }) => nonce === lease.nonce);
  return { ...forgotten, lease: isReported ? null : kept };
};

/** Nothing is left to forget. */
export const isForgotten = ({ results, lease }: TaskContact): boolean =>
  results.length === 0 && (lease === null || lease.isErased === true);

/** A contact that is called back again and again is not reached by another callback. */
export const callbacksAtMost = 5;

export type ResultDecision =
  /** `isExcluded`: the number is put on the do-not-call list. */
  | { is: 'counted'; contact: TaskContact; reported: ReportedCall; isExcluded: boolean }
  | { is: 'repeated'; reported: ReportedCall }
  | { is: 'refused'; word: ErrorWord; reason: string };

type Circumstances = {
  rules: Rules;
  isTaskClosed: boolean;
  /** The instant from which on the task makes no calls. */
  taskEnd: Instant;
  isDeleted: boolean;
  recallNumber: number;
  now: Instant;
  /** What the dialer reported as the business result. */
  disposition?: string | null;
};

/**
 * Each call counts once. The number of recalls so far goes into a final outcome: later recalls include it.
 * @throws ServiceError invalid (a callback in the past, or a disposition that does not go with the result or the task)
 */
export const reportCall = (
  contact: TaskContact,
  nonce: string,
  result: CallResult,
  circumstances: Circumstances,
): ResultDecision => {
  const known = contact.results.find((earlier) => earlier.nonce === nonce);
  if (known && isSame(known, result)) return { is: 'repeated', reported: known };
  if (known)
    return {
      is: 'refused',
      word: 'ALREADY_REPORTED',
      reason: `the call was reported before, as ${known.outcome} after ${known.duration} s`,
    };
  if (circumstances.isTaskClosed)
    return { is: 'refused', word: 'TASK_CLOSED', reason: 'the task is CLOSED and its figures are final' };
  if (contact.lease?.nonce !== nonce || !canBe('reported', contact))
    return {
      is: 'refused',
      word: 'LEASE_LOST',
      reason: 'the lease ran out and the contact was given out again',
    };
  if (result.callbackTime !== undefined) {
    assertNotPast(result.callbackTime, circumstances.now);
    if (contact.callbacks >= callbacksAtMost)
      return {
        is: 'refused',
        word: 'TOO_MANY_CALLBACKS',
        reason: `the contact has had ${callbacksAtMost} callbacks in this task`,
      };
    if (result.callbackTime >= circumstances.taskEnd)
      return {
        is: 'refused',
        word: 'CALLBACK_TOO_LATE',
        reason: 'the task ends before the callback, at its callUntil; report the result without callbackTime',
      };
  }
  const { rules, disposition = null } = circumstances;
  const then = declaredDisposition(rules, disposition)?.then;
  if (then === 'doNotCall' && result.callbackTime !== undefined)
    throw invalid('callbackTime', `must not be given together with the disposition ${disposition}`);
  const isExcluded = result.doNotCall === true || then === 'doNotCall';
  const after = afterCall(contact, result, circumstances, isExcluded ? 'final' : then);
  const reported = { nonce, ...result, time: circumstances.now, final: after.state !== 'waiting' };
  return {
    is: 'counted',
    contact: { ...after, results: [...contact.results, reported] },
    reported,
    isExcluded,
  };
};

/** In seconds: what clocks may differ by, and a result may take to arrive. */
const pastAtMost = 60;

/** A result that is repeated after its callback is not checked: it was accepted before. @throws ServiceError invalid */
const assertNotPast = (callbackTime: Instant, now: Instant): void => {
  if (callbackTime < now - pastAtMost * secondMs)
    throw invalid('callbackTime', `must not be more than ${pastAtMost} seconds in the past`, 'TOO_SMALL');
};

const isSame = (known: ReportedCall, result: CallResult) =>
  known.outcome === result.outcome &&
  known.reason === result.reason &&
  known.duration === result.duration &&
  known.callbackTime === result.callbackTime &&
  known.doNotCall === result.doNotCall;

/**
 * A late result from before a recall uses up no attempt of the new allowance. Gone and blocked contacts stay so. A contact
 * that was not selected keeps this outcome. An agreed callback is made even if the attempts are used up. `then`: what the
 * person's wish or the disposition decides.
 */
const afterCall = (
  contact: Movable<'reported'>,
  result: CallResult,
  { rules, isDeleted, recallNumber, now }: Circumstances,
  then: 'final' | 'retry' | undefined,
): TaskContact => {
  const isLate = contact.lease?.isBeforeRecall === true;
  const called = {
    ...contact,
    attempts: contact.attempts + (isLate ? 0 : 1),
    outcome: result.outcome,
    lastCallTime: now,
    callCount: contact.callCount + 1,
    duration: toMilliseconds(contact.duration + result.duration),
  };
  if (called.state === 'gone' || called.state === 'blocked') return called;
  if (called.state === 'notSelected') return { ...called, state: 'final', recallNumber };
  const { callbackTime } = result;
  if (callbackTime !== undefined) {
    if (isDeleted) return dropContact(called);
    const due = Math.max(callbackTime, now);
    const callbacks = called.callbacks + 1;
    return { ...called, state: 'waiting', due, isCallback: true, callbacks, deferral: undefined };
  }
  if (then === 'final') return { ...called, state: 'final', recallNumber };
  const calls = [...contact.results, result].slice(-called.attempts);
  const next = isLate
    ? ({ final: false, due: recallDue(rules, called.due, now) } as const)
    : consequenceOf(rules, { attempts: called.attempts, calls }, now, then === 'retry');
  if (next.final) return { ...called, state: 'final', recallNumber };
  if (isDeleted) return dropContact(called);
  return { ...called, state: 'waiting', due: next.due, isCallback: false, deferral: undefined };
};
