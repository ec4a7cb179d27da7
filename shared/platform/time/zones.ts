import { dayMs, type FormatTime, type Instant, minuteMs, minutesOf } from './time.ts';
import { type YearlyChange, type ZoneRules, zoneTable } from './zone-table.ts';

/** A period in which a zone's offset from UTC does not change; `until` is excluded. */
export type SteadyTime = { until: Instant; offset: number };

const daysOfWeek = 7;
const spanMs = 365 * dayMs;
/** The memory is bounded, because dates also come from requests. */
const spansAtMost = 100;

/** When a change that repeats every year happens. */
export const changeIn = (year: number, [month, day, weekday, time]: YearlyChange): Instant => {
  const date = new Date(0);
  // Unlike `Date.UTC`, this knows the years before 100.
  date.setUTCFullYear(year, month - 1, day);
  const daysAhead = (weekday - date.getUTCDay() + daysOfWeek) % daysOfWeek;
  return date.getTime() + daysAhead * dayMs + minutesOf(time) * minuteMs;
};

/** The clock of one zone. The offsets of a period are computed once. */
class Zone {
  readonly rules: ZoneRules;
  readonly #spans = new Map<number, SteadyTime[]>();

  constructor(rules: ZoneRules) {
    this.rules = rules;
  }

  steadyAt(instant: Instant): SteadyTime {
    const span = Math.floor(instant / spanMs);
    let steady = this.#spans.get(span);
    if (steady === undefined) {
      if (this.#spans.size >= spansAtMost) this.#spans.clear();
      steady = this.#steadyTimesOf(span);
      this.#spans.set(span, steady);
    }
    return steady.find(({ until }) => instant < until) as SteadyTime;
  }

  /** A span lies in at most two years, and borders on changes of the years beside them. */
  #steadyTimesOf(span: number): SteadyTime[] {
    const year = new Date(span * spanMs).getUTCFullYear();
    const { offset, changes = [], since = year - 1, yearly = [] } = this.rules;
    const years = [year - 1, year, year + 1, year + 2].filter((each) => each >= since);
    const all: { at: Instant; offset: number }[] = [
      { at: Number.NEGATIVE_INFINITY, offset },
      ...changes.map(([at, after]) => ({ at: Date.parse(`${at}Z`), offset: after })),
      ...years.flatMap((each) => yearly.map((change) => ({ at: changeIn(each, change), offset: change[4] }))),
    ];
    return all.map((change, i) => ({
      until: all[i + 1]?.at ?? Number.POSITIVE_INFINITY,
      offset: change.offset * minuteMs,
    }));
  }
}

const zonesOf = (table: readonly ZoneRules[]): ReadonlyMap<string, Zone> => {
  const zones = new Map<string, Zone>();
  for (const rules of table) {
    const zone = new Zone(rules);
    for (const name of `${rules.names} ${rules.names.toLowerCase()}`.split(' ')) zones.set(name, zone);
  }
  return zones;
};

let known: { table: readonly ZoneRules[]; zones: ReadonlyMap<string, Zone> } | undefined;

const zoneNamed = (name: string): Zone | undefined => {
  // The console begins with the zone of its service, and fetches the other zones when it needs
  // them.
  if (known?.table !== zoneTable) known = { table: zoneTable, zones: zonesOf(zoneTable) };
  return known.zones.get(name) ?? known.zones.get(name.toLowerCase());
};

/** @throws RangeError when the zone is not an IANA name */
const zoneOf = (name: string): Zone => {
  const zone = zoneNamed(name);
  if (zone === undefined) throw new RangeError(`${name} is not a time zone`);
  return zone;
};

/** The rules of one zone alone. @throws RangeError when the zone is not an IANA name */
export const rulesOf = (name: string): ZoneRules => ({ ...zoneOf(name).rules, names: name });

/** Whether the text is an IANA name. */
export const isTimeZone = (name: string): boolean => zoneNamed(name) !== undefined;

/**
 * The zone's offset at an instant, and how long it holds.
 * @throws RangeError when the zone is not an IANA name
 */
export const steadyTimeAt = (instant: Instant, name: string): SteadyTime => zoneOf(name).steadyAt(instant);

/** @throws RangeError when the zone is not an IANA name */
export const timeIn = (name: string): FormatTime => {
  const zone = zoneOf(name);
  return (instant) =>
    new Date(instant + zone.steadyAt(instant).offset).toISOString().slice(0, 19).replace('T', ' ');
};

/**
 * The first instant at which a clock of the zone shows that time, `YYYY-MM-DD HH:MM:SS`. If the
 * clock skips it, the moment of the change.
 * @returns undefined if there is no such date or time
 * @throws RangeError when the zone is not an IANA name
 */
export const instantAt = (shown: string, name: string): Instant | undefined => {
  const iso = shown.replace(' ', 'T');
  const asUtc = Date.parse(`${iso}Z`);
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, iso.length) !== iso) return undefined;
  for (let from = asUtc - dayMs; ; ) {
    const { until, offset } = steadyTimeAt(from, name);
    const instant = Math.max(from, asUtc - offset);
    if (instant < until) return instant;
    from = until;
  }
};
