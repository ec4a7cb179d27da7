import { describe, expect, it } from 'vitest';
import { clockText, compactTime, minutesOf } from '../../../../shared/platform/time/time.ts';

it('a timestamp stands in a file name without separators', () => {
  expect(compactTime('2026-05-01 10:02:03')).toBe('20260501100203');
});

describe('the clock of a daily window', () => {
  it('counts minutes since midnight', () => {
    expect(['00:00', '00:01', '09:30', '23:59', '24:00'].map(minutesOf)).toEqual([0, 1, 570, 1439, 1440]);
  });
});

it.each([
  [0, '0:00:00'],
  [59.4, '0:00:59'],
  [59.5, '0:01:00'],
  [3599, '0:59:59'],
  [36_061, '10:01:01'],
])('%d seconds are written as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
