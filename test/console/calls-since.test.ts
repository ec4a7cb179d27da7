import { describe, expect, it } from 'vitest';
import { baseOf, withSince } from '../../console/src/tasks/calls-since.ts';

const minuteMs = 60_000;
const calls = (success: number, failed = 0, noAnswer = 0) => ({ success, failed, noAnswer });
const rows = [
  { time: 0, ...calls(5, 1, 1) },
  { time: minuteMs, ...calls(3) },
];
const sum = calls(8, 1, 1);

describe('calls since the timeline was read', () => {
  it('are counted from its own rows where they are all calls of the task, however old the overview', () => {
    const base = baseOf(rows, 9000, { at: 4000, totals: calls(6, 1, 1) });
    expect(base).toEqual({ totals: sum, exact: true });
    expect(withSince(rows, base!.totals, calls(6, 1, 1), 9000, minuteMs)).toEqual(rows);
    const later = withSince(rows, base!.totals, calls(10, 1, 2), minuteMs + 1, minuteMs);
    expect(later).toEqual([rows[0], { time: minuteMs, ...calls(5, 0, 1) }]);
  });

  it('are counted from an overview of that moment or the next where the rows begin later than the task', () => {
    const totals = calls(100, 10, 10);
    expect(baseOf(rows, 9000, { at: 4000, totals })).toBeUndefined();
    expect(baseOf(rows, 9000, { at: 8900, totals })).toEqual({ totals, exact: false });
    expect(baseOf(rows, 9000, { at: 12_000, totals })).toEqual({ totals, exact: false });
  });

  it('begin a bucket of their own when its time has come', () => {
    const now = calls(9, 1, 1);
    expect(withSince(rows, sum, now, 3 * minuteMs, minuteMs)).toEqual([
      ...rows,
      { time: 3 * minuteMs, ...calls(1) },
    ]);
  });
});
