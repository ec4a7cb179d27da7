import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zoneTable } from '../../../../shared/platform/time/zone-table.ts';
import { instantAt, isTimeZone, steadyTimeAt, timeIn } from '../../../../shared/platform/time/zones.ts';
import { randomRuns } from '../../../support/run/extent.ts';

const at = (iso: string) => Date.parse(iso);
const tableNames = zoneTable.flatMap(({ names }) => names.split(' '));

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
    // Clocks that are no longer changed since 2026. Older data has them an hour off.
    ['America/Vancouver', '2026-12-15T12:00:00Z', '2026-12-15 05:00:00'],
    ['America/Edmonton', '2026-12-15T12:00:00Z', '2026-12-15 06:00:00'],
    ['Africa/Casablanca', '2026-12-15T12:00:00Z', '2026-12-15 12:00:00'],
    // In the first year of the yearly changes.
    ['Africa/Cairo', '2023-06-01T10:00:00Z', '2023-06-01 13:00:00'],
    // After the last listed year the last rule is repeated.
    ['Europe/Berlin', '2099-03-29T00:59:59Z', '2099-03-29 01:59:59'],
    ['Europe/Berlin', '2099-03-29T01:00:00Z', '2099-03-29 03:00:00'],
    ['Pacific/Auckland', '2400-04-01T13:59:59Z', '2400-04-02 02:59:59'],
    ['Pacific/Auckland', '2400-04-01T14:00:00Z', '2400-04-02 02:00:00'],
    ['America/Vancouver', '2099-01-01T12:00:00Z', '2099-01-01 05:00:00'],
    // Before the first listed year the first rule or offset holds.
    ['Europe/Berlin', '1970-07-01T10:00:00Z', '1970-07-01 12:00:00'],
    ['Asia/Almaty', '1970-07-01T10:00:00Z', '1970-07-01 16:00:00'],
    ['Europe/London', '0001-07-01T10:00:00Z', '0001-07-01 11:00:00'],
  ])('in %s show %s as %s', (zone, instant, shown) => {
    expect(timeIn(zone)(at(instant))).toBe(shown);
  });

  it('know no zone that is not there', () => {
    expect(() => timeIn('Mars/Olympus')).toThrow(RangeError);
    expect(() => timeIn('')).toThrow(RangeError);
  });
});

describe('the instant that a clock shows', () => {
  it.each([
    ['2026-05-01 10:00:00', 'UTC', '2026-05-01T10:00:00Z'],
    ['2026-05-01 10:00:00', 'Asia/Shanghai', '2026-05-01T02:00:00Z'],
    ['2026-12-31 23:59:59', 'America/Los_Angeles', '2027-01-01T07:59:59Z'],
    // Shown twice: the first time.
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    // First shown an hour after the clock was put back.
    ['2026-10-25 03:00:00', 'Europe/Berlin', '2026-10-25T02:00:00Z'],
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

describe('a time zone', () => {
  it('is an IANA name and no offset', () => {
    expect(['UTC', 'Asia/Kolkata', 'America/Argentina/Ushuaia'].map(isTimeZone)).toEqual([true, true, true]);
    expect(['Mars/Olympus', '+02:00', '-05', '', 'Europe/Berlin ', 'local'].some(isTimeZone)).toBe(false);
  });

  it('has no name that means several: an abbreviation is none, though platforms read CST as Chicago', () => {
    expect(['CST', 'cst', 'IST', 'BST', 'PST', 'JST', 'SystemV/CST6CDT'].some(isTimeZone)).toBe(false);
    expect(['EST', 'gmt', 'PRC', 'CST6CDT', 'Japan'].every(isTimeZone)).toBe(true);
  });

  it('has every name that the platform knows, in any case', () => {
    const onlyHere = ['US/Pacific-New', 'Canada/East-Saskatchewan'];
    const names = [...onlyHere, ...tableNames, ...Intl.supportedValuesOf('timeZone')];
    for (const name of names)
      expect([name, name.toLowerCase(), name.toUpperCase()].map(isTimeZone), name).not.toContain(false);
  });
});

describe('every zone', () => {
  const zones = fc.constantFrom(...zoneTable.map(({ names }) => names.split(' ')[0]!));
  const instants = fc.integer({ min: at('2019-01-01T00:00Z') / 1000, max: at('2061-01-01T00:00Z') / 1000 });
  /** A random instant, often within three hours of a change of the clock. */
  const situations = fc
    .tuple(zones, instants, fc.option(fc.integer({ min: -10_800, max: 10_800 })))
    .map(([zone, seconds, distance]) => {
      const { until } = steadyTimeAt(seconds * 1000, zone);
      const isNear = distance !== null && Number.isFinite(until);
      return { zone, instant: isNear ? until + distance * 1000 : seconds * 1000 };
    });

  it('shows a time that leads back to its instant, the first one where the clock shows it twice', () => {
    const shows = ({ zone, instant }: { zone: string; instant: number }) => {
      const shown = timeIn(zone)(instant);
      const first = instantAt(shown, zone) as number;
      expect(timeIn(zone)(first)).toBe(shown);
      const { until, offset } = steadyTimeAt(first, zone);
      expect(instant).toBe(first < instant ? first + offset - steadyTimeAt(until, zone).offset : first);
    };
    fc.assert(fc.property(situations, shows), randomRuns(500));
  });

  it('passes a time that its clock skips at the moment of the change', () => {
    const passes = ({ zone, instant }: { zone: string; instant: number }) => {
      const asked = timeIn('UTC')(instant);
      const found = instantAt(asked, zone) as number;
      const shown = timeIn(zone)(found);
      if (shown === asked) return;
      expect(shown > asked).toBe(true);
      expect(timeIn(zone)(found - 1) < asked).toBe(true);
      expect(steadyTimeAt(found - 1, zone).until).toBe(found);
    };
    /** Local times near the change, as if they were UTC. */
    const local = situations.map(({ zone, instant }) => ({
      zone,
      instant: instant + steadyTimeAt(instant, zone).offset,
    }));
    fc.assert(fc.property(local, passes), randomRuns(500));
  });
});
