import { expect, it } from 'vitest';
import { dayMs, hourMs, secondMs } from '../../../../shared/domain/time.ts';
import {
  type Answer,
  afterAttempts,
  attempted,
  isHeld,
  newProgress,
  testType,
} from '../../../../shared/domain/webhooks/progress.ts';

const now = 1_700_000_000_000;
const none = newProgress({ page: 0, index: 0, time: now }, now);
const failed: Answer = { status: 500, ms: 1 };
const made = (type: string, attempt = 1, answer = failed) =>
  attempted({ event: { id: 'one', type, time: '', data: {} }, attempt }, answer, now, 0);
const event = 'task.deleted';

it('only first attempts of events hold a webhook', () => {
  expect(isHeld(afterAttempts(none, Array(5).fill(made(event)), now))).toBe(true);
  expect(isHeld(afterAttempts(none, Array(4).fill(made(event)), now))).toBe(false);
  expect(isHeld(afterAttempts(none, Array(5).fill(made(event, 2)), now))).toBe(false);
  expect(isHeld(afterAttempts(none, Array(5).fill(made(testType)), now))).toBe(false);
});

it('a receiver may ask for up to a day', () => {
  const next = (retryAfterMs: number) => made(event, 1, { status: 503, retryAfterMs, ms: 1 }).next! - now;
  expect([0, hourMs, dayMs, 9 * dayMs].map(next)).toEqual([5 * secondMs, hourMs, dayMs, dayMs]);
});

it('an attempt that a client asked for does not change when a held webhook is tried next', () => {
  const held = { ...none, failures: 5, failingSince: now, knockTime: now + hourMs };
  expect(afterAttempts(held, [made(testType)], now).knockTime).toBe(now + hourMs);
  const { knockTime } = afterAttempts({ ...held, knockTime: now }, [made(event, 2)], now);
  expect(knockTime).toBe(now + 5 * secondMs);
});
