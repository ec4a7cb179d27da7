import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serviceDay, serviceDayAnswer } from '../../../../shared/calls/rules/timeline.ts';
import { hourMs } from '../../../../shared/platform/time/time.ts';
import { timeIn } from '../../../../shared/platform/time/zones.ts';

const hoursOf = (date: string, zone: string) => serviceDay(date, zone)?.hours.map(({ hour }) => hour);
const all = Array.from({ length: 24 }, (_, hour) => hour);

describe('the hours of a day', () => {
  it.each(['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Apia'])(
    'are 24 in %s, each beginning on the hour of its clock',
    (zone) => {
      const day = serviceDay('2026-05-04', zone)!;
      expect(day.hours.map(({ hour }) => hour)).toEqual(all);
      expect(day.hours.map(({ from }) => timeIn(zone)(from))).toEqual(
        all.map((hour) => `2026-05-04 ${String(hour).padStart(2, '0')}:00:00`),
      );
      expect(timeIn(zone)(day.until)).toBe('2026-05-05 00:00:00');
    },
  );

  it('are 23 or 25 where the clock changes', () => {
    expect(hoursOf('2026-03-29', 'Europe/Berlin')).toEqual(all.filter((hour) => hour !== 2));
    expect(hoursOf('2026-10-25', 'Europe/Berlin')).toEqual([0, 1, 2, ...all.slice(2)]);
    // Its day begins at one o'clock.
    expect(hoursOf('2024-09-08', 'America/Santiago')).toEqual(all.slice(1));
    // Half an hour is skipped, or comes twice.
    const [shorter, longer] = ['2026-10-04', '2026-04-05'].map(
      (date) => serviceDay(date, 'Australia/Lord_Howe')!,
    );
    expect([shorter!.hours.length, longer!.hours.length]).toEqual([24, 25]);
    const clocks = [shorter!, longer!].map(({ hours }) =>
      hours.slice(1, 4).map(({ from }) => timeIn('Australia/Lord_Howe')(from).slice(11, 16)),
    );
    expect(clocks).toEqual([
      ['01:00', '02:30', '03:00'],
      ['01:00', '01:30', '02:00'],
    ]);
    expect([shorter!, longer!].map(({ from, until }) => (until - from) / hourMs)).toEqual([23.5, 24.5]);
  });

  it('begin where the clock changes within one', () => {
    const { hours } = serviceDay('2020-10-04', 'Antarctica/Casey')!;
    const clocks = hours.slice(0, 3).map(({ from }) => timeIn('Antarctica/Casey')(from).slice(11, 16));
    expect(clocks).toEqual(['00:00', '03:01', '04:00']);
  });

  it('are those of a clock on every date that is known, in every zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const [min, max] = [new Date('1970-01-01'), new Date('9999-12-30')];
    const dates = fc.date({ min, max, noInvalidDate: true }).map((day) => day.toISOString().slice(0, 10));
    fc.assert(
      fc.property(dates, zones, (date, zone) => {
        const { hours, from, until } = serviceDay(date, zone)!;
        for (const [at, { hour, from: begin }] of hours.entries()) {
          expect(all).toContain(hour);
          expect(begin).toBeGreaterThanOrEqual(at === 0 ? from : hours[at - 1]!.from + 1);
          expect(begin).toBeLessThan(until);
        }
      }),
      {
        examples: [
          ['1970-01-01', 'Asia/Shanghai'],
          ['1970-01-01', 'Africa/Monrovia'],
          ['9999-12-30', 'UTC'],
        ],
      },
    );
  });

  it('are unknown for a date that does not exist, or that no clock of ours can show', () => {
    for (const date of ['2026-02-30', '2026-13-01', 'x', '0000-01-01', '1969-12-31', '9999-12-31'])
      expect(serviceDay(date, 'UTC')).toBeUndefined();
  });
});

describe('the calls of a day', () => {
  it('are those from its first moment to its last, in the hour they ended in', () => {
    const day = serviceDay('2026-10-25', 'Europe/Berlin')!;
    const at = (time: number) => ({ time, what: 'success' as const, count: 1 });
    const counts = [at(day.from - 1), at(day.from), at(day.until - 1), at(day.until)];
    // The hour from two to three comes twice.
    const twice = day.hours.filter(({ hour }) => hour === 2).map(({ from }) => at(from));
    const task = { taskId: 'a', taskName: 'A', status: 1 as const };
    const other = { taskId: 'b', taskName: 'B', status: null };
    const answer = serviceDayAnswer(day, [
      { ...task, counts },
      { ...other, counts: [...twice, { time: day.from, what: 'talk', count: 0.1 + 0.2 }] },
      { ...task, taskId: 'c', counts: [at(day.until)] },
    ]);
    const calls = { total: 2, success: 2, failed: 0, noAnswer: 0 };
    expect(answer.calls).toEqual({ ...calls, total: 4, success: 4, talkDuration: 0.3 });
    expect(answer.tasks).toEqual([
      { ...task, calls: { ...calls, talkDuration: 0 } },
      { ...other, calls: { ...calls, talkDuration: 0.3 } },
    ]);
    expect(answer.hours.map(({ total }) => total)).toEqual([1, 0, 1, 1, ...Array(20).fill(0), 1]);
  });
});
