import type { Contact } from '../../contacts/rules/contact.ts';
import { type ContactFilter, isSelected } from '../../contacts/rules/contact-filter.ts';
import { isEmergencyNumber } from '../../contacts/rules/emergency-numbers.ts';
import { type ErrorWord, invalid } from '../../platform/rules/errors.ts';
import { endOf, openFrom, type Schedule, zoneOf } from '../../platform/time/schedule.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import {
  type CallReason,
  declaredDisposition,
  type Outcome,
  toMilliseconds,
} from '../../tasks/rules/task-settings.ts';
import {
  type BlockReason,
  type CallResult,
  canBe,
  dropContact,
  dueAfter,
  isInCall,
  type Movable,
  type ReportedCall,
  type Rules,
  recallDue,
  type TaskContact,
} from './task-contact.ts';

/** What is known of a contact whose turn has come. Before the lease the facts may lag; after it they are exact. */
type CallFacts = {
  /** The hours of the task, with those of the service. */
  schedule: Schedule;
  /** IANA name; of a task that names no zone. */
  serviceZone: string;
  /** ISO 3166 code of the service's country, if it has one. */
  country?: string | undefined;
  /** `undefined`: the contact was deleted. */
  contact: Pick<Contact, 'phoneNumber' | 'fields'> | undefined;
  /** Of the task: a contact that does not match it is not called. */
  filter?: ContactFilter | undefined;
  /** The number is on the do-not-call list or on another exclusion list of the task. */
  isExcluded?: boolean;
  /** When the number may be called again, if it had its calls of the day. */
  numberFreeFrom?: Instant | undefined;
  now: Instant;
};

export type CallDecision =
  | { is: 'call' }
  | { is: 'later'; at: Instant }
  | { is: 'notSelected' }
  | { is: 'blocked'; reason: BlockReason }
  | { is: 'gone' };

/** `openFrom` searches no further: a schedule that never opens is checked again then. */
const closedForMs = 400 * 24 * 3600 * 1000;

type HourFacts = Pick<CallFacts, 'schedule' | 'serviceZone' | 'contact'>;

/**
 * The first moment from `at` on within the task's dates and hours. Hours are by the clock of the contact's own zone if it
 * has one. `undefined`: the task ends before, or never opens.
 */
const openAfter = ({ schedule, serviceZone, contact }: HourFacts, at: Instant): Instant | undefined =>
  openFrom(schedule, at, serviceZone, zoneOf(contact?.fields, schedule, serviceZone));

/** A task that ends before it opens is checked again at its end: by then the end may have been moved. */
export const checkAgain = (schedule: Schedule, serviceZone: string, at: Instant): Instant => {
  const end = endOf(schedule, serviceZone);
  return end > at && end < at + closedForMs ? end : at + closedForMs;
};

/** When the contact may be called as far as hours and dates go, from `at` on. */
export const openingFor = (facts: HourFacts, at: Instant): Instant =>
  openAfter(facts, at) ?? checkAgain(facts.schedule, facts.serviceZone, at);

/** The one place that decides whether a contact is called now. */
export const mayCall = (facts: CallFacts): CallDecision => {
  const { contact, isExcluded = false, numberFreeFrom = 0, now } = facts;
  if (contact === undefined) return { is: 'gone' };
  // Before the lists: a contact that does not match is not counted as blocked.
  if (!isSelected(facts.filter, contact)) return { is: 'notSelected' };
  if (isEmergencyNumber(contact.phoneNumber, facts.country ?? ''))
    return { is: 'blocked', reason: 'EMERGENCY' };
  if (isExcluded) return { is: 'blocked', reason: 'LIST' };
  // A task that ends before the number is free is checked again then: by then the end may have been moved.
  if (numberFreeFrom > now) return { is: 'later', at: openAfter(facts, numberFreeFrom) ?? numberFreeFrom };
  const at = openingFor(facts, now);
  return at > now ? { is: 'later', at } : { is: 'call' };
};

/** What keeps a contact from being called before a time. Hours are those of the task, of the service and of the contact's zone. */
export const waitReasons = ['DAILY_LIMIT', 'HOURS', 'CALLBACK', 'RETRY'] as const;
type WaitReason = (typeof waitReasons)[number];

/** Until when a contact waits in line. A deferral is a wait for its hours, or for the next day. */
export type Wait = { until: Instant; for: 'callback' | 'retry' | 'deferral' };

/** `none`: the contact is not called any more, or it waits for nothing: it was never called and can be called now. */
export type NextCall = { is: 'none' } | { is: 'at'; time: Instant; reason: WaitReason };

const none: NextCall = { is: 'none' };

/** A lease that has expired is a retry, and so is a release that puts the call off. Nothing where the contact is not in line. */
export const waitOf = (contact: TaskContact, now: Instant): Wait | undefined => {
  if (contact.state === 'leased')
    return isInCall(contact, now) ? undefined : { until: contact.lease.until, for: 'retry' };
  if (contact.state !== 'waiting') return undefined;
  const { due: until, isCallback, deferral, results } = contact;
  if (deferral !== undefined) return { until, for: 'deferral' };
  const { callbackTime = until, time } = results.at(-1) ?? { time: until };
  // Times of results are kept to the second.
  const isReleased = until >= Math.max(callbackTime, time) + secondMs;
  return { until, for: isCallback && !isReleased ? 'callback' : 'retry' };
};

/**
 * When the contact could be called, by the rule that decides so for a lease, and the reason that ends last. A contact whose
 * turn has come since then keeps its time.
 */
export const nextCall = (facts: CallFacts, wait: Wait | undefined): NextCall => {
  const decision = mayCall({ ...facts, now: Math.max(facts.now, wait?.until ?? 0) });
  if (decision.is === 'call')
    return wait === undefined ? none : { is: 'at', time: wait.until, reason: reasonOf(facts, wait) };
  if (decision.is !== 'later') return none;
  // Where the task ends before, or its hours leave no time, the contact is only checked again then.
  if (mayCall({ ...facts, now: decision.at }).is !== 'call') return none;
  const isLimited = decision.at === facts.numberFreeFrom;
  return { is: 'at', time: decision.at, reason: isLimited ? 'DAILY_LIMIT' : 'HOURS' };
};

/** A contact that was deferred to a moment within its hours waits for the next day, not for the hours. */
const reasonOf = (facts: CallFacts, { until, for: what }: Wait): WaitReason => {
  if (what !== 'deferral') return what === 'callback' ? 'CALLBACK' : 'RETRY';
  const isOpenBefore = mayCall({ ...facts, numberFreeFrom: 0, now: until - 1 }).is === 'call';
  return isOpenBefore || until === facts.numberFreeFrom ? 'DAILY_LIMIT' : 'HOURS';
};

/** How a call ended, as far as it decides about the next one. */
export type EndedCall = { outcome: Outcome; reason: CallReason | null };

type Consequence = { final: true } | { final: false; due: Instant };

/** The calls of an allowance. */
type Allowance = {
  /** How many there were, the call that just ended included. */
  attempts: number;
  /** Oldest first, the call that just ended last. */
  calls: readonly EndedCall[];
};

/**
 * What a result leads to. The first rule that lists its reason decides when the next call may be made, and how many calls
 * may end with such reasons. `maxDialCount` limits all calls, whatever the rules say. `triesAgain`: the disposition asks for
 * another call although the contact was reached.
 */
export const consequenceOf = (
  rules: Rules,
  { attempts, calls }: Allowance,
  now: Instant,
  triesAgain = false,
): Consequence => {
  const { outcome, reason } = calls.at(-1)!;
  if ((outcome === 'success' && !triesAgain) || attempts >= rules.maxDialCount) return { final: true };
  const listsReason = ({ reasons }: { reasons: readonly CallReason[] }, of: EndedCall) =>
    of.reason !== null && reasons.includes(of.reason);
  const rule = rules.retryRules?.find((each) => listsReason(each, { outcome, reason }));
  if (rule === undefined)
    return reason === 'invalidNumber' ? { final: true } : { final: false, due: dueAfter(rules, now) };
  const isUsedUp = calls.filter((call) => listsReason(rule, call)).length >= rule.attempts;
  return isUsedUp ? { final: true } : { final: false, due: now + rule.waitSeconds * secondMs };
};

/** A contact that is called back again and again is not reached by another callback. */
export const callbacksAtMost = 5;

type ResultDecision =
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
