import { expect, it } from 'vitest';
import { busiestMinutes } from '../../../../shared/calls/rules/timeline.ts';
import { minuteMs } from '../../../../shared/platform/time/time.ts';

it('the busiest minutes are the five with the most calls together', () => {
  const rows = [9, 1, 1, 1, 2, 3, 3, 3, 3].map((success, at) => ({
    ...{ time: at * minuteMs, success, failed: 0, noAnswer: 0 },
  }));
  expect(busiestMinutes(rows)).toEqual(rows.slice(0, 5));
  expect(busiestMinutes(rows.slice(1))).toEqual(rows.slice(4));
});
