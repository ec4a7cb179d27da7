import { expect, it } from 'vitest';
import { afterOpenTime } from '../../console/src/parts/tasks/forecast.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const hourMs = 3_600_000;
const office = {
  dailyStartTime: '09:00',
  dailyEndTime: '18:00',
  weekdays: [1, 2, 3, 4, 5],
  breaks: [{ start: '12:00', end: '13:00' }],
};

it.each([
  ['within the hours', '2026-11-16T10:00', 1, '2026-11-16T11:00'],
  ['over a break', '2026-11-16T11:00', 2, '2026-11-16T14:00'],
  ['over the night', '2026-11-16T17:00', 3, '2026-11-17T11:00'],
  ['over the weekend', '2026-11-20T17:00', 2, '2026-11-23T10:00'],
])('what is left is foreseen %s', (_, from, hours, end) => {
  expect(afterOpenTime(office, at(from), hours * hourMs, 'UTC')).toBe(at(end));
});

it('what is weeks away is not foreseen, nor what never opens', () => {
  expect(afterOpenTime(office, at('2026-11-16T10:00'), 1000 * hourMs, 'UTC')).toBeUndefined();
  expect(afterOpenTime({ ...office, weekdays: [] }, at('2026-11-16T10:00'), hourMs, 'UTC')).toBeUndefined();
});
