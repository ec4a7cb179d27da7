import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDueFileWork, startDueWork, startExpiring } from '../../local/schedules.ts';
import { log } from '../../shared/platform/observability/log.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../shared/platform/time/time.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('file work of another process is taken over at the start only, and old files go every minute', async () => {
  const takesOver: boolean[] = [];
  const swept: unknown[] = [];
  const files = { sweep: async (...old: unknown[]) => void swept.push(old) };
  const { stop } = startDueFileWork(async (_event, _left, isTaken) => void takesOver.push(isTaken), files);
  await vi.advanceTimersByTimeAsync(minuteMs);
  await stop();
  expect(takesOver).toEqual([true, false]);
  const both = ['exports/', 'uploads/'].map((prefix) => [prefix, dayMs]);
  expect(swept).toEqual([...both, ...both]);
});

it('work goes on after an error, never twice at once, and is told when the service stops', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  const running: number[] = [];
  let [runs, timeLeft] = [0, 1];
  const { stop } = startDueWork(async (_event, left) => {
    running.push(++runs);
    await new Promise((resolve) => setTimeout(resolve, 1.5 * secondMs));
    timeLeft = left.getRemainingTimeInMillis();
    runs--;
    throw new Error('a bug');
  });
  await vi.advanceTimersByTimeAsync(4 * secondMs);
  expect([running, logged.mock.calls.length, timeLeft]).toEqual([[1, 1, 1], 2, Number.POSITIVE_INFINITY]);
  const stopped = stop();
  await vi.advanceTimersByTimeAsync(hourMs);
  await stopped;
  expect([runs, timeLeft]).toEqual([0, 0]);
});

it('expired items go every hour, by the clock in seconds', async () => {
  const removed: number[] = [];
  const { stop } = startExpiring(
    async (seconds) => removed.push(seconds),
    () => 5 * secondMs,
  );
  await vi.advanceTimersByTimeAsync(hourMs);
  await stop();
  expect(removed).toEqual([5, 5]);
});
