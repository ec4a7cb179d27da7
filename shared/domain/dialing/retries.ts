import type { Task } from '../tasks/task.ts';
import { type Instant, secondMs } from '../time.ts';
import type { CallReason, Outcome } from './dialing.ts';

export type Rules = Pick<Task, 'maxDialCount' | 'callInterval' | 'retryRules' | 'dispositions'>;

/** How a call ended, as far as it decides about the next one. */
export type EndedCall = { outcome: Outcome; reason: CallReason | null };

export type Consequence = { final: true } | { final: false; due: Instant };

/** When the contact may be called again at the earliest, `callInterval` after the call that ended then. */
const dueAfter = ({ callInterval }: Pick<Rules, 'callInterval'>, callEnd: Instant): Instant =>
  callEnd + callInterval * secondMs;

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

/** When a recalled contact comes due: at once, but never before its interval has passed. */
export const recallDue = (
  rules: Pick<Rules, 'callInterval'>,
  recallTime: Instant,
  lastCallTime: Instant | null,
): Instant => (lastCallTime === null ? recallTime : Math.max(recallTime, dueAfter(rules, lastCallTime)));
