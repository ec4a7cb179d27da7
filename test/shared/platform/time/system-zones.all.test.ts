import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { timeZoneData } from '../../../../shared/platform/time/zone-table.ts';
import { isTimeZone, steadyTimeAt, timeIn } from '../../../../shared/platform/time/zones.ts';

const at = (iso: string) => Date.parse(iso);

/** The compiled zones of the system, if it has them, with the version of their data. */
const systemZones = () => {
  const folder = process.env.TZDIR ?? '/usr/share/zoneinfo';
  const file = path.join(folder, 'tzdata.zi');
  if (process.platform !== 'linux' || !existsSync(file)) return undefined;
  const source = readFileSync(file, 'utf8');
  // Z name ... is a zone, L zone name another name of one.
  const names = [...source.matchAll(/^(?:Z|L \S+) (\S+)/gm)].map(([, name = '']) => name);
  return { version: /^# version (\S+)/.exec(source)?.[1], names: names.filter((name) => name !== 'Factory') };
};

const system = systemZones();

it('every zone of the system is known, in any case', () => {
  for (const name of system?.names ?? [])
    expect([name, name.toLowerCase(), name.toUpperCase()].map(isTimeZone), name).not.toContain(false);
});

it.skipIf(system?.version !== timeZoneData)(
  'every zone changes its clock when the system does, from 2024 to 2030',
  () => {
    const [from, to] = [at('2024-01-01T00:00Z'), at('2031-01-01T00:00Z')];
    const weekMs = 7 * 86_400_000;
    const weeks = Array.from({ length: Math.ceil((to - from) / weekMs) }, (_, i) => from + i * weekMs);
    for (const zone of system?.names ?? []) {
      const changes: number[] = [];
      for (let time = steadyTimeAt(from, zone).until; time < to; time = steadyTimeAt(time, zone).until)
        changes.push(time - 1000, time);
      const asked = [...weeks, ...changes].map((instant) => instant / 1000);
      const shown = execFileSync('date', ['-f', '-', '+%F %T'], {
        env: { ...process.env, TZ: zone },
        input: asked.map((seconds) => `@${seconds}\n`).join(''),
        encoding: 'utf8',
      });
      const format = timeIn(zone);
      expect(shown.trim().split('\n'), zone).toEqual(asked.map((seconds) => format(seconds * 1000)));
    }
  },
);
