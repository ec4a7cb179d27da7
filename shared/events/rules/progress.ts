import {
  dayMs,
  type FormatTime,
  formatOrNull,
  hourMs,
  type Instant,
  minuteMs,
  secondMs,
} from '../../platform/time/time.ts';
import type { EventCursor, ServiceEvent } from './service-event.ts';

/** Why the service switched a webhook off: its receiver answered 410, or has failed for days. */
export type DisabledReason = 'gone' | 'failing';

/**
 * How far the deliveries to a webhook have come.
 *
 * - Events are sent in the order of the list. `position` is behind the last event that was sent,
 *   whatever its result.
 * - An event that fails waits for attempts of its own, by the schedule below. After its last
 *   attempt it is given up and counted.
 * - After several first attempts that failed, without a success between them, the webhook is
 *   *held*: the position does not move. At `knockTime` one delivery is tried. If it fails, the
 *   webhook is held for up to another hour. If it succeeds, everything goes on. Later attempts do
 *   not hold a webhook, because a receiver may refuse some events for good.
 * - The answer 410, or five days of failures only, switch the webhook off.
 */
export type Progress = {
  position: EventCursor;
  /** First attempts that failed since the last success, or since the webhook was resumed. */
  failures: number;
  /** The first failed attempt since then. */
  failingSince: Instant | null;
  /** Only while the webhook is held: when one delivery is tried. */
  knockTime: Instant | null;
  lastDeliveryTime: Instant | null;
  /** Events whose delivery was given up. */
  failedCount: number;
  /** All attempts. */
  attemptCount: number;
  /** The `resumeTime` of the webhook that this progress takes into account. */
  resumeTime: Instant;
};

/** An event on its way to a webhook. */
export type Delivery = {
  /** A test is not in the list of events, and has a type of its own. */
  event: Omit<ServiceEvent, 'type'> & { type: string };
  /** The number of the next attempt, from 1. */
  attempt: number;
};

/** How a receiver answered, or why not. `address`: one of its addresses is not allowed. */
export type Answer =
  | { status: number; retryAfterMs?: number; ms: number }
  | { failure: 'timeout' | 'connection' | 'address'; ms: number };

/** An attempt that was made. `next`: when the next one is due; `null` if there is none. */
export type Attempt = Delivery & { time: Instant; answer: Answer; next: Instant | null };

/** Delay between a failed attempt and the next one. */
const delays = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
export const mostAttempts = delays.length + 1;
const longestRetryAfterMs = dayMs;
/**
 * Share of a delay that is added at random, so that receivers that failed together are not all
 * tried at the same moment again.
 */
const jitter = 0.1;
/** After as many failed first attempts, without a success in between, a webhook is held. */
const heldAfter = 5;
/** A held webhook is tried more and more rarely, unless its receiver asks for more time. */
const shortestKnockMs = 5 * secondMs;
const longestKnockMs = hourMs;
const disabledAfterMs = 5 * dayMs;
export const testType = 'webhook.test';

export const newProgress = (position: EventCursor, resumeTime: Instant): Progress => ({
  position,
  failures: 0,
  failingSince: null,
  knockTime: null,
  lastDeliveryTime: null,
  failedCount: 0,
  attemptCount: 0,
  resumeTime,
});

/** Earlier failures do not count after the webhook was switched on or got another address. */
export const resumed = (progress: Progress, resumeTime: Instant): Progress =>
  progress.resumeTime >= resumeTime
    ? progress
    : { ...progress, failures: 0, failingSince: null, knockTime: null, resumeTime };

export const isSuccess = (answer: Answer): boolean =>
  'status' in answer && answer.status >= 200 && answer.status < 300;

const retryAfterOf = (answer: Answer): number =>
  'status' in answer ? Math.min(answer.retryAfterMs ?? 0, longestRetryAfterMs) : 0;

/** `random`: from 0 to 1. A test is tried once. */
export const attempted = (delivery: Delivery, answer: Answer, time: Instant, random: number): Attempt => {
  const delay = delivery.event.type === testType ? undefined : delays[delivery.attempt - 1];
  if (isSuccess(answer) || delay === undefined) return { ...delivery, time, answer, next: null };
  const wait = Math.max(delay, retryAfterOf(answer));
  return { ...delivery, time, answer, next: time + Math.round(wait * (1 + jitter * random)) };
};

const isGivenUp = ({ event, answer, next }: Attempt) =>
  next === null && !isSuccess(answer) && event.type !== testType;

export const isHeld = ({ failures }: Progress): boolean => failures >= heldAfter;

/** A held webhook does nothing before `knockTime`, except what a client asked for. */
export const mayKnock = (progress: Progress, now: Instant): boolean =>
  !isHeld(progress) || now >= (progress.knockTime ?? 0);

const nextKnock = (
  { knockTime }: Progress,
  attempts: readonly Attempt[],
  failingMs: number,
  now: Instant,
): Instant => {
  // An attempt that a client asked for does not change when the webhook is tried next.
  if (knockTime !== null && knockTime > now) return knockTime;
  const wait = Math.min(longestKnockMs, Math.max(shortestKnockMs, failingMs / 2));
  return now + Math.max(wait, ...attempts.map(({ answer }) => retryAfterOf(answer)));
};

export const afterAttempts = (before: Progress, attempts: readonly Attempt[], now: Instant): Progress => {
  if (attempts.length === 0) return before;
  const isReached = attempts.some(({ answer }) => isSuccess(answer));
  const first = attempts.filter(({ event, attempt }) => attempt === 1 && event.type !== testType);
  const after = {
    ...before,
    failures: isReached ? 0 : before.failures + first.length,
    failedCount: before.failedCount + attempts.filter(isGivenUp).length,
    attemptCount: before.attemptCount + attempts.length,
  };
  if (isReached) return { ...after, failingSince: null, knockTime: null, lastDeliveryTime: now };
  const failingSince = before.failingSince ?? now;
  const knockTime = isHeld(after) ? nextKnock(before, attempts, now - failingSince, now) : null;
  return { ...after, failingSince, knockTime };
};

/** Whether the attempts switch the webhook off. */
export const disabledBy = (
  { failingSince }: Progress,
  attempts: readonly Attempt[],
  now: Instant,
): DisabledReason | undefined => {
  if (attempts.some(({ answer }) => 'status' in answer && answer.status === 410)) return 'gone';
  return failingSince !== null && now - failingSince >= disabledAfterMs ? 'failing' : undefined;
};

export const attemptStatus = ({ answer }: Attempt): 'success' | 'failed' =>
  isSuccess(answer) ? 'success' : 'failed';

export const attemptView = (made: Attempt, format: FormatTime) => ({
  eventId: made.event.id,
  type: made.event.type,
  time: format(made.time),
  attempt: made.attempt,
  status: attemptStatus(made),
  httpStatus: 'status' in made.answer ? made.answer.status : null,
  failure: 'failure' in made.answer ? made.answer.failure : null,
  milliseconds: made.answer.ms,
  nextAttemptTime: formatOrNull(made.next, format),
});
