import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFrom, type Schedule } from '../../../shared/domain/schedule.ts';
import { isTimeZone } from '../../../shared/domain/zones.ts';
import { firstOpenMinute, isOpen, situations } from '../../support/dialing/slow-schedule.ts';

const at = (iso: string) => Date.parse(iso);
const minute = 60_000;
const day = 24 * 60 * minute;
const daily = (dailyStartTime: string, dailyEndTime: string, rules: Partial<Schedule> = {}): Schedule => ({
  dailyStartTime,
  dailyEndTime,
  ...rules,
});
const opening = (schedule: Schedule, from: string, zone = 'UTC') => {
  const instant = openFrom(schedule, at(from), zone);
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

describe('a schedule', () => {
  it('opens when a slow look at every minute says so', () => {
    const daysLookedThrough = 2;
    fc.assert(
      fc.property(situations, ({ from, schedule }) => {
        const found = openFrom(schedule, from, 'UTC');
        const expected = firstOpenMinute(schedule, from, daysLookedThrough);
        if (expected !== undefined || found === undefined) {
          expect(found).toBe(expected);
        } else {
          expect(found).toBeGreaterThanOrEqual(from + daysLookedThrough * day);
          expect([isOpen(schedule, found - 1), isOpen(schedule, found)]).toEqual([false, true]);
        }
      }),
      { numRuns: Number(process.env.SCHEDULE_RUNS ?? 50) },
    );
  });

  it('is open now from its start until before its end', () => {
    const evening = daily('20:00', '24:00');
    expect(opening(evening, '2026-05-01T23:59:59.999Z')).toBe('2026-05-01T23:59:59.999Z');
    expect(opening(evening, '2026-05-02T00:00:00Z')).toBe('2026-05-02T20:00:00.000Z');
    expect(opening(daily('00:00', '24:00'), '2026-05-02T00:00:00.001Z')).toBe('2026-05-02T00:00:00.001Z');
  });

  it("goes by its own zone, else by the service's", () => {
    const morning = daily('09:00', '12:00');
    expect(opening(morning, '2026-05-01T00:00Z', 'Asia/Shanghai')).toBe('2026-05-01T01:00:00.000Z');
    const own = { ...morning, timeZone: 'Asia/Kathmandu' };
    expect(opening(own, '2026-05-01T00:00Z', 'Asia/Shanghai')).toBe('2026-05-01T03:15:00.000Z');
  });

  it('keeps to weekdays, leaves out dates and breaks off', () => {
    const rules = {
      weekdays: [1, 2, 3, 4, 5],
      excludedDates: ['2026-05-01', '2026-05-04'],
      breaks: [
        { start: '12:00', end: '13:00' },
        { start: '09:00', end: '09:15' },
      ],
    };
    const office = daily('09:00', '18:00', rules);
    expect(opening(office, '2026-04-30T17:59Z')).toBe('2026-04-30T17:59:00.000Z');
    expect(opening(office, '2026-04-30T18:00Z')).toBe('2026-05-05T09:15:00.000Z');
    expect(opening(office, '2026-05-05T12:00Z')).toBe('2026-05-05T13:00:00.000Z');
  });

  it('has no hour that the clock jumps over, and opens at the jump when it would have begun within', () => {
    const zone = { timeZone: 'Europe/Berlin' };
    expect(opening(daily('02:15', '02:45', zone), '2026-03-29T00:00Z')).toBe('2026-03-30T00:15:00.000Z');
    expect(opening(daily('02:15', '04:00', zone), '2026-03-29T00:30Z')).toBe('2026-03-29T01:00:00.000Z');
  });

  it('is open both times in an hour that the clock shows twice', () => {
    const night = daily('02:15', '02:45', { timeZone: 'Europe/Berlin' });
    expect(opening(night, '2026-10-25T00:00Z')).toBe('2026-10-25T00:15:00.000Z');
    expect(opening(night, '2026-10-25T00:45Z')).toBe('2026-10-25T01:15:00.000Z');
    expect(opening(night, '2026-10-25T01:45Z')).toBe('2026-10-26T01:15:00.000Z');
  });

  it('finds no opening in 400 days where there is none', () => {
    expect(
      openFrom(daily('09:00', '18:00', { weekdays: [] }), at('2026-01-01T00:00Z'), 'UTC'),
    ).toBeUndefined();
    const covered = daily('09:00', '10:00', { breaks: [{ start: '09:00', end: '10:00' }] });
    expect(openFrom(covered, at('2026-01-01T00:00Z'), 'Europe/Berlin')).toBeUndefined();
  });
});

describe('a time zone', () => {
  it('is an IANA name and no offset', () => {
    expect(['UTC', 'Asia/Kolkata', 'America/Argentina/Ushuaia'].map(isTimeZone)).toEqual([true, true, true]);
    expect(['Mars/Olympus', '+02:00', '-05', '', 'Europe/Berlin ', 'local'].some(isTimeZone)).toBe(false);
  });

  it('has no name that means several: an abbreviation is none, though platforms read CST as Chicago', () => {
    expect(['CST', 'cst', 'IST', 'BST', 'PST', 'JST', 'SystemV/CST6CDT'].some(isTimeZone)).toBe(false);
    expect(['EST', 'gmt', 'PRC', 'CST6CDT', 'Japan'].every(isTimeZone)).toBe(true);
  });
});
