import { expect, it } from 'vitest';
import { perMinuteOf } from '../../../../shared/calls/rules/timeline.ts';
import { minuteMs } from '../../../../shared/platform/time/time.ts';

it('calls a minute are those of the last five, the first of them by its share', () => {
  const rows = [40, 6, 6, 6, 6, 4, 3].map((success, at) => ({
    ...{ time: at * minuteMs, success, failed: 0, noAnswer: 0 },
  }));
  // Half of the second minute, four whole ones and the running one.
  expect(perMinuteOf(rows, 6.5 * minuteMs)).toBe((3 + 6 + 6 + 6 + 4 + 3) / 5);
  expect(perMinuteOf([], 6.5 * minuteMs)).toBe(0);
});
