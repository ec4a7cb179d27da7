import { describe, expect, it } from 'vitest';
import { clockText, compactTime, minutesOf, timeIn } from '../../../shared/domain/time.ts';
import { instantAt } from '../../../shared/domain/zones.ts';

const at = (iso: string) => Date.parse(iso);

describe('timestamps', () => {
  it.each([
    ['UTC', '2026-05-01T10:00:00.999Z', '2026-05-01 10:00:00'],
    ['Etc/UTC', '2026-05-01T10:00:00.999Z', '2026-05-01 10:00:00'],
    ['Asia/Shanghai', '2026-05-01T16:00:00Z', '2026-05-02 00:00:00'],
    ['Asia/Kolkata', '2026-01-01T00:00:00Z', '2026-01-01 05:30:00'],
    ['Pacific/Auckland', '2026-12-31T11:00:00Z', '2027-01-01 00:00:00'],
    ['America/New_York', '2026-01-01T04:59:59Z', '2025-12-31 23:59:59'],
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29 01:59:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25 02:30:00'],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25 02:30:00'],
    ['UTC', '1970-01-01T00:00:00Z', '1970-01-01 00:00:00'],
  ])('in %s show %s as %s', (zone, instant, shown) => {
    expect(timeIn(zone)(at(instant))).toBe(shown);
  });

  it('know no zone that is not there', () => {
    expect(() => timeIn('Mars/Olympus')).toThrow(RangeError);
    expect(() => timeIn('')).toThrow(RangeError);
  });

  it('stand in file names without separators', () => {
    expect(compactTime('2026-05-01 10:02:03')).toBe('20260501100203');
  });
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

describe('the instant that a clock shows', () => {
  it.each([
    ['2026-05-01 10:00:00', 'UTC', '2026-05-01T10:00:00Z'],
    ['2026-05-01 10:00:00', 'Asia/Shanghai', '2026-05-01T02:00:00Z'],
    ['2026-12-31 23:59:59', 'America/Los_Angeles', '2027-01-01T07:59:59Z'],
    // Shown twice: the first time.
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    // Skipped: when the clock is put forward.
    ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T01:00:00Z'],
  ])('%s in %s is %s', (shown, zone, iso) => {
    expect(instantAt(shown, zone)).toBe(Date.parse(iso));
  });

  it.each(['2026-02-30 10:00:00', '2026-05-01 24:00:00', '2026-13-01 10:00:00', '2026-05-01 10:60:00'])(
    'is none at %s',
    (shown) => expect(instantAt(shown, 'UTC')).toBeUndefined(),
  );
});
