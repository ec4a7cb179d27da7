import { expect, it } from 'vitest';
import { cursorBehind, cursorOf, cursorText } from '../../../../shared/events/rules/service-event.ts';
import { dayMs, hourMs } from '../../../../shared/platform/time/time.ts';

const now = Date.UTC(2026, 0, 31);

it('a cursor is read as it was written', () => {
  const cursor = { page: 123, index: 45, time: now, sheet: now, sheetIndex: 4000 };
  expect(cursorOf(cursorText(cursor), now)).toEqual(cursor);
});

it('a cursor of release 0.5 has read no sheet', () => {
  const [page, index, time] = [now - dayMs, 45, now];
  const text = [page, index, time].map((number) => number.toString(36)).join('-');
  expect(cursorOf(text, now)).toEqual({ page, index, time, sheet: 0, sheetIndex: 0 });
});

it.each([
  '',
  'x',
  '1-2',
  '1-2-3-4',
  '1-2-3-4-5-6',
  'A-1-zzzzzzzz',
  ' 1-1-zzzzzzzz',
  '1--zzzzzzzz',
  `${'1'.repeat(12)}-1-zzzzzzzz`,
])('the cursor %j is refused', (text) => {
  expect(() => cursorOf(text, now)).toThrow('after: must be "now", or "next" of an earlier answer');
});

it('a cursor lives as long as the events behind it, and an hour', () => {
  const oldest = cursorBehind({ page: 0, index: 0 }, 0, now);
  expect(oldest.time).toBe(now - 30 * dayMs);
  expect(cursorBehind(oldest, now, now).time).toBe(now);
  expect(cursorOf(cursorText(oldest), now + hourMs)).toMatchObject(oldest);
  expect(() => cursorOf(cursorText(oldest), now + hourMs + 1)).toThrow('the cursor is older than the list');
});
