import { secondMs } from '../time.ts';
export const outcomes = ['success', 'failed', 'noAnswer'] as const;
export type Outcome = (typeof outcomes)[number];

/** Why a call ended as it did, beside its outcome. */
export const callReasons = [
  'busy',
  'rejected',
  'noAnswer',
  'voicemail',
  'poweredOff',
  'outOfService',
  'unreachable',
  'invalidNumber',
  'networkError',
  'other',
] as const;
export type CallReason = (typeof callReasons)[number];

/** What a contact's `status` shows; within one task, its latest outcome in that task. */
export const outcomeStatus = { notDialed: 0, success: 1, failed: 2, noAnswer: 3, inCall: 4 } as const;
export type OutcomeStatus = (typeof outcomeStatus)[keyof typeof outcomeStatus];

/** The highest first. */
export const priorities = [1, 2, 3, 4, 5] as const;

/** Durations are kept to the millisecond: they add up without noise, and within the digits of a stored number. */
export const toMilliseconds = (seconds: number): number => Math.round(seconds * secondMs) / secondMs;
