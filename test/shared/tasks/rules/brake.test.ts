import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brakeCause, type RecentCalls, withCalls } from '../../../../shared/tasks/rules/limits.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const none = { calls: 0, failed: 0 };
const brakes = fc.record({
  failedPercent: fc.integer({ min: 1, max: 100 }),
  calls: fc.integer({ min: 10, max: 30 }),
});
const countsOf = (calls: readonly boolean[]) => ({
  calls: calls.length,
  failed: calls.filter((isFailed) => isFailed).length,
});

describe('the brake of a task', () => {
  it('judges the last calls, each by itself, however many there were', () => {
    fc.assert(
      fc.property(brakes, fc.array(fc.boolean(), { maxLength: 80 }), fc.nat(10), (brake, calls, before) => {
        const base = { calls: before, failed: Math.floor(before / 2) };
        let recent: RecentCalls | undefined;
        calls.forEach((_, i) => {
          const { calls: made, failed } = countsOf(calls.slice(0, i + 1));
          const now = { calls: base.calls + made, failed: base.failed + failed };
          recent = withCalls(recent, base, now, brake);
          const last = calls.slice(Math.max(0, i + 1 - brake.calls), i + 1);
          const isTooMuch =
            last.length === brake.calls && (countsOf(last).failed / brake.calls) * 100 >= brake.failedPercent;
          expect(brakeCause(recent, brake) !== undefined).toBe(isTooMuch);
        });
      }),
      randomRuns(100),
    );
  });

  it('loses no call of results that are counted together, whoever brings the window up to date', () => {
    const steps = fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }), { maxLength: 12 });
    fc.assert(
      fc.property(brakes, steps, (brake, counted) => {
        let recent: RecentCalls | undefined;
        for (const [i] of counted.entries())
          recent = withCalls(recent, none, countsOf(counted.slice(0, i + 1).flat()), brake);
        const { calls, failed } = countsOf(counted.flat());
        expect(recent?.window.length ?? 0).toBe(Math.min(calls, brake.calls));
        if (calls <= brake.calls)
          expect([...(recent?.window ?? '')].filter((c) => c === '1').length).toBe(failed);
      }),
      randomRuns(100),
    );
  });

  it('takes nothing from counts that were read earlier, and begins anew from another base', () => {
    const brake = { failedPercent: 50, calls: 10 };
    const ten = withCalls(undefined, none, { calls: 10, failed: 5 }, brake);
    expect(brakeCause(ten, brake)).toEqual({
      reasonCode: 'TOO_MANY_FAILED',
      figures: { failed: 5, calls: 10, failedPercent: 50 },
      text: '5 of the last 10 calls failed; the task pauses itself at 50 %',
    });
    expect(withCalls(ten, none, { calls: 9, failed: 5 }, brake)).toBe(ten);
    const resumed = withCalls(ten, { calls: 10, failed: 5 }, { calls: 11, failed: 6 }, brake);
    expect(resumed).toMatchObject({ from: 10, window: '1' });
    expect(brakeCause(resumed, brake)).toBeUndefined();
  });
});
