import { expect, it } from 'vitest';
import {
  type Answer,
  afterAttempts,
  attempted,
  disabledBy,
  isHeld,
  mayKnock,
  newProgress,
  testType,
} from '../../../../shared/events/rules/progress.ts';
import {
  changeWebhook,
  createWebhook,
  disableWebhook,
  signingSecrets,
  webhookView,
} from '../../../../shared/events/rules/webhook.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../shared/platform/time/time.ts';
import { timeIn } from '../../../../shared/platform/time/zones.ts';

const now = 1_700_000_000_000;
const none = newProgress({ page: 0, index: 0, time: now }, now);
const failed: Answer = { status: 500, ms: 1 };
const made = (type: string, attempt = 1, answer = failed, random = 0) =>
  attempted({ event: { id: 'one', type, time: '', data: {} }, attempt }, answer, now, random);
const event = 'task.deleted';

it('only first attempts of events hold a webhook', () => {
  expect(isHeld(afterAttempts(none, Array(5).fill(made(event)), now))).toBe(true);
  expect(isHeld(afterAttempts(none, Array(4).fill(made(event)), now))).toBe(false);
  expect(isHeld(afterAttempts(none, Array(5).fill(made(event, 2)), now))).toBe(false);
  expect(isHeld(afterAttempts(none, Array(5).fill(made(testType)), now))).toBe(false);
});

it('a delay is up to a tenth longer, and a receiver may ask for up to a day', () => {
  expect(made(event, 2, failed, 1).next! - now).toBe(5.5 * minuteMs);
  const next = (retryAfterMs: number) => made(event, 1, { status: 503, retryAfterMs, ms: 1 }).next! - now;
  expect([0, hourMs, dayMs, 9 * dayMs].map(next)).toEqual([5 * secondMs, hourMs, dayMs, dayMs]);
});

it('an attempt that a client asked for does not change when a held webhook is tried next', () => {
  const held = { ...none, failures: 5, failingSince: now, knockTime: now + hourMs };
  expect(afterAttempts(held, [made(testType)], now).knockTime).toBe(now + hourMs);
  const { knockTime } = afterAttempts({ ...held, knockTime: now }, [made(event, 2)], now);
  expect(knockTime).toBe(now + 5 * secondMs);
});

it('a held webhook is tried at least every hour, and a test that fails is no event that was given up', () => {
  const held = { ...none, failures: 5, failingSince: now - 4 * dayMs, knockTime: now };
  const after = afterAttempts(held, [made(event, 10), made(testType)], now);
  expect(after).toMatchObject({ knockTime: now + hourMs, failedCount: 1, attemptCount: 2 });
  expect([hourMs - 1, hourMs].map((ms) => mayKnock(after, now + ms))).toEqual([false, true]);
});

it('a receiver that says 410, or has failed for five days, is given up', () => {
  const failing = { ...none, failingSince: now };
  const after = (ms: number, answer = failed) => disabledBy(failing, [made(event, 1, answer)], now + ms);
  expect([after(5 * dayMs - 1), after(5 * dayMs)]).toEqual([undefined, 'failing']);
  expect([after(0, { status: 410, ms: 1 }), disabledBy(none, [], now)]).toEqual(['gone', undefined]);
});

it('earlier failures count until a webhook is switched on or gets another address', () => {
  const url = 'https://example.com';
  const settings = { url, taskIds: [], expandCall: false, description: '' };
  const webhook = createWebhook(settings, 'one', 'first', now);
  const off = disableWebhook(webhook, 'failing');
  const later = now + 1;
  const resumeTimes = [
    changeWebhook(webhook, { url: `${url}/2` }, later),
    changeWebhook(off, { enabled: true }, later),
    changeWebhook(webhook, { url, enabled: true }, later),
    changeWebhook(off, { url: `${url}/2` }, later),
  ].map(({ resumeTime }) => resumeTime - now);
  expect(resumeTimes).toEqual([1, 1, 0, 0]);
  const reasons = [{}, { enabled: true }, { enabled: false }].map(
    (changes) => changeWebhook(off, changes, later).disabledReason,
  );
  expect(reasons).toEqual(['failing', undefined, undefined]);
  const failing = { ...none, failingSince: now };
  const stateOf = (resumeTime: number) =>
    webhookView({ ...webhook, resumeTime }, failing, 0, timeIn('UTC')).state;
  expect([stateOf(now), stateOf(later)]).toEqual(['failing', 'ok']);
});

it('the secret before signs for one more day, and the one before that not at all', () => {
  const settings = { url: '', taskIds: [], expandCall: false, description: '' };
  const first = createWebhook(settings, 'one', 'first', now - 1);
  const second = changeWebhook(first, { secret: 'second' }, now);
  const third = changeWebhook(second, { secret: 'third' }, now);
  expect(signingSecrets(second, now + dayMs - 1)).toEqual(['second', 'first']);
  expect(signingSecrets(second, now + dayMs)).toEqual(['second']);
  expect(signingSecrets(third, now)).toEqual(['third', 'second']);
  expect(changeWebhook(second, { description: 'x' }, now + dayMs).secrets).toEqual(second.secrets);
});
