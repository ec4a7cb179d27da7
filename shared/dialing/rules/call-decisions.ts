import { type ErrorWord, invalid } from '../../platform/rules/errors.ts';
import { type Instant, secondMs } from '../../platform/time/time.ts';
import { declaredDisposition } from '../../tasks/rules/dispositions.ts';
import { type CallReason, type Outcome, toMilliseconds } from '../../tasks/rules/task-settings.ts';
import {
  type CallResult,
  canBe,
  dropContact,
  dueAfter,
  type Movable,
  type ReportedCall,
  type RetrySettings,
  recallDue,
  type TaskContact,
  type WaitingContact,
  waitContact,
} from './task-contact.ts';

/** How a call ended, as far as the next call depends on it. */
export type EndedCall = { outcome: Outcome; reason: CallReason | null };

type Consequence = { final: true } | { final: false; due: Instant };

/** The calls of an allowance. */
type Allowance = {
  /** How many calls there were, including the one that just ended. */
  attempts: number;
  /** Oldest first, the call that just ended last. */
  calls: readonly EndedCall[];
};

/**
 * What a result leads to. The first rule that lists its reason decides when the next call may be
 * made, and how many calls may end with such reasons. `maxDialCount` limits all calls, whatever the
 * rules say. `triesAgain`: the disposition asks for another call although the contact was reached.
 */
export const consequenceOf = (
  rules: RetrySettings,
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

/** Maximum of callbacks to a contact. */
export const callbacksAtMost = 5;

type ResultDecision =
  /** `isExcluded`: the number is put on the do-not-call list. */
  | { is: 'counted'; contact: TaskContact; reported: ReportedCall; isExcluded: boolean }
  | { is: 'repeated'; reported: ReportedCall }
  | { is: 'refused'; word: ErrorWord; reason: string };

type Circumstances = {
  rules: RetrySettings;
  isTaskClosed: boolean;
  /** The instant from which on the task makes no calls. */
  taskEnd: Instant;
  isDeleted: boolean;
  recallNumber: number;
  now: Instant;
  /** The business result that the dialer reported. */
  disposition?: string | null;
};

/**
 * Each call counts once. The number of recalls so far is part of a final outcome, and later recalls
 * include it.
 * @throws ServiceError invalid (a callback in the past, or a disposition that does not fit the
 *   result or the task)
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

/** When the contact was due by the task alone. */
const ownDueOf = (contact: Pick<WaitingContact, 'due'> & Partial<Pick<WaitingContact, 'own'>>): Instant =>
  contact.own?.until ?? contact.due;

/** Seconds: the difference of clocks, and the time that a result takes to arrive. */
const pastAtMost = 60;

/**
 * A result that is repeated after its callback is not checked, because it was accepted before.
 * @throws ServiceError invalid
 */
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
 * A late result from before a recall uses up no attempt of the new allowance. Gone and blocked
 * contacts stay so. A contact that was not selected keeps this outcome. An agreed callback is made
 * even if the attempts are used up. `then`: the consequence of the person's wish or of the
 * disposition.
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
    isRecalled: undefined,
    lastCallTime: now,
    callCount: contact.callCount + 1,
    duration: toMilliseconds(contact.duration + result.duration),
  };
  if (called.state === 'gone' || called.state === 'blocked') return called;
  if (called.state === 'notSelected') return { ...called, state: 'final', recallNumber };
  const { callbackTime } = result;
  if (callbackTime !== undefined) {
    if (isDeleted) return dropContact(called);
    const agreed = { ...called, isCallback: true, callbacks: called.callbacks + 1 };
    return waitContact(agreed, { reason: 'CALLBACK', until: Math.max(callbackTime, now) });
  }
  if (then === 'final') return { ...called, state: 'final', recallNumber };
  const calls = [...contact.results, result].slice(-called.attempts);
  const next = isLate
    ? ({ final: false, due: recallDue(rules, ownDueOf(called), now) } as const)
    : consequenceOf(rules, { attempts: called.attempts, calls }, now, then === 'retry');
  if (next.final) return { ...called, state: 'final', recallNumber };
  if (isDeleted) return dropContact(called);
  return waitContact({ ...called, isCallback: false }, { reason: 'RETRY', until: next.due });
};
