import { describe, expect, it } from 'vitest';
import { freeName } from '../../console/src/features/task-form/free-name.ts';
import { stepped } from '../../console/src/features/tasks/task/steps.ts';
import { timeToGo } from '../../console/src/parts/lists/uploads.ts';
import { changesOf, clashingFields } from '../../console/src/parts/settings/changes.ts';
import { daysFrom, rangesOf } from '../../console/src/parts/settings/days.ts';
import { allZones, presentName, zonesLike } from '../../console/src/parts/settings/zones.ts';

describe('days off', () => {
  it('are every day of a range, over the end of a month', () => {
    expect(daysFrom('2026-09-30', '2026-10-02')).toEqual(['2026-09-30', '2026-10-01', '2026-10-02']);
    expect(daysFrom('2026-10-01', '2026-10-01')).toEqual(['2026-10-01']);
    expect(daysFrom('2026-10-01', '2026-09-01')).toEqual(['2026-10-01']);
    expect(daysFrom('2026-01-01', '2036-01-01')).toHaveLength(101);
  });

  it('are shown as ranges where they follow each other', () => {
    const days = [...daysFrom('2026-10-01', '2026-10-07'), '2026-12-24', '2026-12-26'];
    expect(rangesOf(days).map((range) => [range[0], range.at(-1)])).toEqual([
      ['2026-10-01', '2026-10-07'],
      ['2026-12-24', '2026-12-24'],
      ['2026-12-26', '2026-12-26'],
    ]);
  });
});

describe('time zones', () => {
  const found = (text: string, language: 'en' | 'zh' = 'en') => zonesLike(text, language).map(({ id }) => id);

  it('are found by city, offset and Chinese name', () => {
    expect(found('berlin')).toContain('Europe/Berlin');
    expect(found('+08:00 shanghai')).toEqual(['Asia/Shanghai']);
    expect(found('中国')).toContain('Asia/Shanghai');
    expect(found('日本', 'zh')).toContain('Asia/Tokyo');
    expect(found('no such place')).toEqual([]);
  });

  it('have no outdated spelling', () => {
    expect(presentName('Asia/Calcutta')).toBe('Asia/Kolkata');
    expect(allZones().map(presentName)).toEqual(allZones());
    expect(found('kyiv')).toEqual(['Europe/Kyiv']);
  });
});

describe('a task that two people edit', () => {
  const base = { name: 'a', days: [1, 2], tries: 3 };

  it('is sent the fields that were changed', () => {
    expect(changesOf({ name: 'a', days: [1], tries: 3 }, base)).toEqual({ days: [1] });
    expect(changesOf({ ...base, days: [1, 2] }, base)).toEqual({});
  });

  it('has a conflict where both changed a field to other values', () => {
    const mine = { name: 'b', days: [1], tries: 4 };
    expect(clashingFields(mine, base, { ...base, name: 'c' })).toEqual(['name']);
    expect(clashingFields(mine, base, { ...mine, tries: 5 })).toEqual(['tries']);
    expect(clashingFields({ ...base, days: [] }, base, { ...base, name: 'c', tries: 1 })).toEqual([]);
  });
});

describe('the name that is proposed for a task', () => {
  const among = (...names: string[]) => ({
    total: names.length,
    rows: names.map((taskName) => ({ taskName })),
  });

  it('is the name of the list, with the first free number where a task has it', () => {
    expect(freeName('June', among())).toBe('June');
    expect(freeName('June', among('June renewals'))).toBe('June');
    expect(freeName('June', among('June'))).toBe('June 2');
    expect(freeName('June', among('June 3', 'June 2', 'June'))).toBe('June 4');
  });

  it('has a number above the count of the tasks where not all of them are known', () => {
    expect(freeName('June', { ...among('June 31'), total: 30 })).toBe('June 32');
  });

  it('is not too long', () => {
    const longest = '客'.repeat(100);
    expect(freeName(longest, among(longest))).toBe(`${'客'.repeat(95)} 2`);
  });
});

describe('the steps of a limit', () => {
  const up = (value: number | null) => stepped(value, true, 'callsPerMinute');
  const down = (value: number | null) => stepped(value, false, 'callsPerMinute');

  it('begin at a usual limit', () => {
    expect([up(null), down(null), stepped(null, true, 'maxConcurrentCalls')]).toEqual([60, 60, 10]);
  });

  it('begin at no less than what is being called now', () => {
    expect(stepped(null, true, 'maxConcurrentCalls', 87)).toBe(90);
    expect(stepped(null, true, 'callsPerMinute', 12)).toBe(60);
    expect(stepped(null, true, 'callsPerMinute', 230.4)).toBe(250);
  });

  it('are larger and rounder for larger limits, and lead back', () => {
    expect([1, 19, 20, 22, 95, 100, 130, 950, 1000].map(up)).toEqual([
      2, 20, 25, 25, 100, 150, 150, 1000, 1500,
    ]);
    expect([2, 20, 22, 25, 100, 130, 150, 1000, 1500].map(down)).toEqual([
      1, 19, 20, 20, 95, 100, 100, 950, 1000,
    ]);
  });

  it('end at what the service accepts', () => {
    expect([down(1), up(60_000), stepped(10_000, true, 'maxConcurrentCalls')]).toEqual([1, 60_000, 10_000]);
  });
});

describe('the time to go of an import', () => {
  const atSecond = (second: number, done: number) => timeToGo('an import', done, 1000, second * 1000);

  it('is told from one reading to another, whenever it is shown', () => {
    expect([atSecond(0, 100), atSecond(2, 150)]).toEqual([undefined, undefined]);
    // 100 rows in 4 seconds; the second look shows the same reading again.
    expect([atSecond(4, 200), atSecond(60, 200)]).toEqual([32, 32]);
    expect(atSecond(5, 600)).toBe(4);
  });

  it('is that of each import', () => {
    expect(timeToGo('another', 500, 1000, 9000)).toBeUndefined();
  });
});
