import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAlwaysOpen,
  nextDayFrom,
  openFrom,
  openUntil,
  type Schedule,
  withinDatesFrom,
} from '../../../../shared/platform/time/schedule.ts';
import { firstOpenMinute, isOpen, situations } from '../../../support/dialing/slow-schedule.ts';
import { randomRuns } from '../../../support/run/extent.ts';

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
      fc.property(situations, fc.boolean(), ({ from, schedule, ownZone }, hasOwnZone) => {
        const zone = hasOwnZone ? ownZone : schedule.timeZone;
        const found = openFrom(schedule, from, 'UTC', zone);
        const expected = firstOpenMinute(schedule, from, daysLookedThrough, zone);
        if (expected !== undefined || found === undefined) {
          expect(found).toBe(expected);
        } else {
          expect(found).toBeGreaterThanOrEqual(from + daysLookedThrough * day);
          expect([isOpen(schedule, found - 1, zone), isOpen(schedule, found, zone)]).toEqual([false, true]);
        }
      }),
      randomRuns(50),
    );
  });

  it('is open now from its start until before its end', () => {
    const evening = daily('20:00', '24:00');
    expect(opening(evening, '2026-05-01T23:59:59.999Z')).toBe('2026-05-01T23:59:59.999Z');
    expect(opening(evening, '2026-05-02T00:00:00Z')).toBe('2026-05-02T20:00:00.000Z');
    expect(opening(daily('00:00', '24:00'), '2026-05-02T00:00:00.001Z')).toBe('2026-05-02T00:00:00.001Z');
  });

  it('opens at its first date and never again from its last one on', () => {
    const dates = { callFrom: '2026-05-04 10:30', callUntil: '2026-05-05 09:30' };
    const days = daily('09:00', '18:00', dates);
    expect(opening(days, '2026-05-01T12:00Z')).toBe('2026-05-04T10:30:00.000Z');
    expect(opening(days, '2026-05-04T18:00Z')).toBe('2026-05-05T09:00:00.000Z');
    expect(opening(days, '2026-05-05T09:29:59.999Z')).toBe('2026-05-05T09:29:59.999Z');
    expect(opening(days, '2026-05-05T09:30Z')).toBeUndefined();
    expect(withinDatesFrom(days, at('2026-05-05T09:30Z'), 'UTC')).toBeUndefined();
    expect(opening(daily('00:00', '24:00', { callUntil: '2026-05-01 00:00' }), '2026-05-01T00:00Z')).toBe(
      undefined,
    );
    const farAhead = daily('00:00', '24:00', { callFrom: '2030-01-01 00:00' });
    expect(opening(farAhead, '2026-05-01T00:00Z', 'Asia/Tokyo')).toBe('2029-12-31T15:00:00.000Z');
  });

  it('begins and ends when a clock first shows its dates, or jumps over them', () => {
    const berlin = (dates: object) => daily('00:00', '24:00', { timeZone: 'Europe/Berlin', ...dates });
    // 02:00 to 03:00 is skipped on 29 March, and shown twice on 25 October.
    expect(opening(berlin({ callFrom: '2026-03-29 02:30' }), '2026-03-28T00:00Z')).toBe(
      '2026-03-29T01:00:00.000Z',
    );
    expect(opening(berlin({ callFrom: '2026-10-25 02:30' }), '2026-10-24T00:00Z')).toBe(
      '2026-10-25T00:30:00.000Z',
    );
    const until = berlin({ callUntil: '2026-10-25 02:30' });
    expect(opening(until, '2026-10-25T00:29:59Z')).toBe('2026-10-25T00:29:59.000Z');
    expect(opening(until, '2026-10-25T00:30Z')).toBeUndefined();
  });

  it("keeps to the service's hours, whatever its own are", () => {
    const callingHours = { start: '08:00', end: '21:00' };
    const always = daily('00:00', '24:00', { callingHours });
    expect(opening(always, '2026-05-01T21:00Z')).toBe('2026-05-02T08:00:00.000Z');
    const evening = daily('19:00', '23:00', { callingHours, breaks: [{ start: '20:00', end: '21:00' }] });
    expect(opening(evening, '2026-05-01T19:59Z')).toBe('2026-05-01T19:59:00.000Z');
    expect(opening(evening, '2026-05-01T20:00Z')).toBe('2026-05-02T19:00:00.000Z');
    expect(opening(daily('21:00', '24:00', { callingHours }), '2026-05-01T00:00Z')).toBeUndefined();
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

  it('finds an opening within 400 days', () => {
    const [from, open] = [at('2026-01-01T00:00Z'), at('2026-01-01T09:00Z')];
    const closedFor = (days: number) => {
      const dates = Array.from({ length: days }, (_, i) => new Date(from + i * day).toISOString());
      return daily('09:00', '18:00', { excludedDates: dates.map((date) => date.slice(0, 10)) });
    };
    expect(openFrom(closedFor(399), from, 'UTC')).toBe(open + 399 * day);
    expect(openFrom(closedFor(400), from, 'UTC')).toBeUndefined();
  });

  it('finds no opening in 400 days where there is none', () => {
    expect(
      openFrom(daily('09:00', '18:00', { weekdays: [] }), at('2026-01-01T00:00Z'), 'UTC'),
    ).toBeUndefined();
    const covered = daily('09:00', '10:00', { breaks: [{ start: '09:00', end: '10:00' }] });
    expect(openFrom(covered, at('2026-01-01T00:00Z'), 'Europe/Berlin')).toBeUndefined();
  });
});

it('a schedule is always open where nothing closes it', () => {
  const always = { ...daily('00:00', '24:00'), callFrom: '2026-05-01 09:00' };
  const everyDay = { weekdays: [1, 2, 3, 4, 5, 6, 7], callingHours: { start: '00:00', end: '24:00' } };
  for (const rules of [{}, everyDay]) expect(isAlwaysOpen({ ...always, ...rules })).toBe(true);
  for (const rules of [
    { dailyStartTime: '00:01' },
    { dailyEndTime: '23:59' },
    { weekdays: [1, 2, 3, 4, 5, 6] },
    { excludedDates: ['2026-05-01'] },
    { breaks: [{ start: '12:00', end: '13:00' }] },
    { callingHours: { start: '08:00', end: '24:00' } },
    { callingHours: { start: '00:00', end: '21:00' } },
  ])
    expect(isAlwaysOpen({ ...always, ...rules }), JSON.stringify(rules)).toBe(false);
});

it.each([
  ['a break', '2026-11-16T10:00', '2026-11-16T12:00'],
  ['the end of the day', '2026-11-16T13:00', '2026-11-16T18:00'],
  ['the end of the task', '2026-11-20T13:00', '2026-11-20T15:30'],
])('hours are open until %s', (_, from, until) => {
  const office = {
    ...{ dailyStartTime: '09:00', dailyEndTime: '18:00', breaks: [{ start: '12:00', end: '12:10' }] },
    callUntil: '2026-11-20 15:30',
  };
  expect(openUntil(office, Date.parse(`${from}Z`), 'UTC')).toBe(Date.parse(`${until}Z`));
});

it.each([
  ['UTC', '2026-05-01T17:00Z', '2026-05-02T00:00Z'],
  ['Asia/Shanghai', '2026-05-01T17:00Z', '2026-05-02T16:00Z'],
  ['America/New_York', '2026-05-01T03:00Z', '2026-05-01T04:00Z'],
])('the next day in %s begins after %s at %s', (zone, from, begins) => {
  expect(nextDayFrom(at(from), zone)).toBe(at(begins));
});
