/**
 * Writes `shared/platform/time/zone-table.ts` from the newest time zone data: `npm run zones`. The
 * package that has the data is fetched into a temporary folder, because nothing else needs it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { YearlyChange, ZoneRules } from '../shared/platform/time/zone-table.ts';
import { changeIn } from '../shared/platform/time/zones.ts';

/** `offsets` are minutes west of UTC, each until the instant in `untils`, the last one forever. */
type History = { untils: (number | null)[]; offsets: number[] };
type Data = { tz: { dataVersion: string; names: () => string[]; zone: (name: string) => History } };
type Change = { at: number; offset: number };

const firstYear = 2020;
const lastYear = 2037;
/** In these years each zone follows its yearly rule. The data lists changes up to 2499. */
const ruledYears = Array.from({ length: 200 }, (_, i) => 2300 + i);
/** Names that the data no longer has, and that users may still use. */
const formerNames: Record<string, string> = {
  'Canada/Saskatchewan': 'Canada/East-Saskatchewan',
  'US/Pacific': 'US/Pacific-New',
};

const fetched = (): Data => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'zones-'));
  try {
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options, 'moment-timezone@latest'], { stdio: 'inherit' });
    return createRequire(path.join(folder, 'package.json'))('moment-timezone');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const changesOf = ({ untils, offsets }: History): Change[] => {
  const changes = offsets.map((west, i) => ({
    at: untils[i - 1] ?? Number.NEGATIVE_INFINITY,
    offset: -west || 0,
  }));
  return changes.filter(({ offset }, i) => offset !== changes[i - 1]?.offset);
};

const isoOf = ({ at }: Change) => new Date(at).toISOString().slice(0, 16);

/** The n-th change of each year is on the same weekday, on or after the earliest of its dates. */
const yearlyOf = (years: readonly (readonly Change[])[]): YearlyChange[] =>
  (years[0] ?? []).map((first, i) => {
    const dates = years
      .flatMap((changes) => changes.slice(i, i + 1))
      .map((change) => isoOf(change).slice(5, 10));
    const [month = 0, day = 0] = (dates.sort()[0] ?? '').split('-').map(Number);
    return [month, day, new Date(first.at).getUTCDay(), isoOf(first).slice(11), first.offset];
  });

const rulesOf = (name: string, history: History): Omit<ZoneRules, 'names'> => {
  const changes = changesOf(history);
  const byYear = new Map<number, Change[]>();
  for (const change of changes) {
    const year = new Date(change.at).getUTCFullYear();
    byYear.set(year, [...(byYear.get(year) ?? []), change]);
  }
  const changesIn = (year: number) => byYear.get(year) ?? [];
  const yearly = yearlyOf(ruledYears.map(changesIn));
  const follows = (year: number) => {
    const repeated = yearly.map((change) => ({ at: changeIn(year, change), offset: change[4] }));
    return JSON.stringify(changesIn(year)) === JSON.stringify(repeated);
  };
  if (!ruledYears.every(follows)) throw new Error(`the changes of ${name} follow no yearly rule`);
  let since = lastYear + 1;
  while (since > firstYear && follows(since - 1)) since--;
  const begin = Date.UTC(firstYear);
  const listed = changes.filter(({ at }) => at >= begin && at < Date.UTC(since));
  return {
    offset: changes.findLast(({ at }) => at < begin)?.offset ?? 0,
    ...(listed.length > 0 && { changes: listed.map((change) => [isoOf(change), change.offset] as const) }),
    ...(yearly.length > 0 && { ...(since > firstYear && { since }), yearly }),
  };
};

const { tz } = fetched();
const lastChange = tz.zone('Europe/Berlin').untils.at(-2) ?? 0;
if (lastChange < Date.UTC(ruledYears.at(-1)!))
  throw new Error('the data ends before the years that show the yearly rules');
const namesOf = new Map<string, string[]>();
for (const name of tz.names().sort()) {
  const rules = JSON.stringify(rulesOf(name, tz.zone(name)));
  const names = [name, ...(formerNames[name] === undefined ? [] : [formerNames[name]])];
  namesOf.set(rules, [...(namesOf.get(rules) ?? []), ...names]);
}
const rows = [...namesOf].map(([rules, names]) => `  { "names": "${names.join(' ')}", ${rules.slice(1)},\n`);

writeFileSync(
  path.join(import.meta.dirname, '../shared/platform/time/zone-table.ts'),
  `// Written by \`npm run zones\`: see docs/adr/0004-own-zone-data.md.

/** A weekday (0 = Sunday) on or after a day of a month (1 = January), a time of UTC, and the offset from then on. */
export type YearlyChange = readonly [month: number, day: number, weekday: number, time: string, offset: number];

/** Offsets are minutes east of UTC. */
export type ZoneRules = {
  /** All names of zones with these rules, separated by spaces. */
  names: string;
  /** Before the first change. */
  offset: number;
  /** When the clock changes (\`YYYY-MM-DDTHH:MM\` in UTC), and the offset from then on. */
  changes?: readonly (readonly [at: string, offset: number])[];
  /** The first year of the yearly changes; absent: they have no first year. */
  since?: number;
  yearly?: readonly YearlyChange[];
};

/** The version of the time zone database. */
export const timeZoneData = '${tz.dataVersion}';

export const zoneTable: readonly ZoneRules[] = [
${rows.join('')}];
`,
);
