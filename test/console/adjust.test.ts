import { describe, expect, it } from 'vitest';
import { stepped } from '../../console/src/features/tasks/task/steps.ts';

describe('the steps of a limit', () => {
  const up = (value: number | null) => stepped(value, true, 'callsPerMinute');
  const down = (value: number | null) => stepped(value, false, 'callsPerMinute');

  it('begin at a usual limit', () => {
    expect([up(null), down(null), stepped(null, true, 'maxConcurrentCalls')]).toEqual([60, 60, 10]);
  });

  it('begin at no less than what is being called now', () => {
    expect(stepped(null, true, 'maxConcurrentCalls', 87)).toBe(90);
    expect(stepped(null, true, 'callsPerMinute', 12)).toBe(60);
    expect(stepped(null, true, 'callsPerMinute', 230.4)).toBe(250);
  });

  it('are larger and rounder for larger limits, and lead back', () => {
    expect([1, 19, 20, 22, 95, 100, 130, 950, 1000].map(up)).toEqual([
      2, 20, 25, 25, 100, 150, 150, 1000, 1500,
    ]);
    expect([2, 20, 22, 25, 100, 130, 150, 1000, 1500].map(down)).toEqual([
      1, 19, 20, 20, 95, 100, 100, 950, 1000,
    ]);
  });

  it('end at what the service accepts', () => {
    expect([down(1), up(60_000), stepped(10_000, true, 'maxConcurrentCalls')]).toEqual([1, 60_000, 10_000]);
  });
});
