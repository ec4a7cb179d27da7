import { dayMs, type FormatTime, type Instant, secondMs, timeIn } from './time.ts';

/** A period in which a zone's offset from UTC does not change; `until` is excluded. */
export type SteadyTime = { until: Instant; offset: number };

/** The memory is bounded, because names also come from contacts. */
const zonesAtMost = 1000;
const daysAtMost = 1000;

/** The clock of one zone. Asking the platform takes microseconds, so each day is asked only once. */
class Zone {
  readonly #format: FormatTime;
  readonly #days = new Map<Instant, SteadyTime[]>();

  /** @throws RangeError when the zone is no IANA name */
  constructor(name: string) {
    this.#format = timeIn(name);
  }

  steadyAt(instant: Instant): SteadyTime {
    const day = Math.floor(instant / dayMs) * dayMs;
    let steady = this.#days.get(day);
    if (steady === undefined) {
      if (this.#days.size >= daysAtMost) this.#days.clear();
      steady = this.#steadyTimesOf(day);
      this.#days.set(day, steady);
    }
    return steady.find(({ until }) => instant < until) as SteadyTime;
  }

  /** Clocks are never changed twice within a day of UTC. */
  #steadyTimesOf(day: Instant): SteadyTime[] {
    const next = day + dayMs;
    const [before, after] = [this.#offsetAt(day), this.#offsetAt(next)];
    const wholeDay = { until: next, offset: after };
    return before === after ? [wholeDay] : [{ until: this.#changeOn(day, before), offset: before }, wholeDay];
  }

  #changeOn(day: Instant, before: number): Instant {
    let [low, high] = [day, day + dayMs];
    while (high - low > secondMs) {
      const middle = low + Math.floor((high - low) / 2 / secondMs) * secondMs;
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  #offsetAt(instant: Instant): number {
    return (
      Date.parse(`${this.#format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / secondMs) * secondMs
    );
  }
}

const zones = new Map<string, Zone | undefined>();

const zoneOf = (name: string): Zone | undefined => {
  if (zones.has(name)) return zones.get(name);
  if (zones.size >= zonesAtMost) zones.clear();
  const zone = zoneNamed(name);
  zones.set(name, zone);
  return zone;
};

const zoneNamed = (name: string): Zone | undefined => {
  // Newer platforms also accept offsets such as +02:00 as names.
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Zone(name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

/** All IANA names of three letters. */
const shortNames = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/i;
/** Abbreviations that platforms accept too, but that have several meanings: CST would be Chicago, BST Dhaka. */
const isForeign = (name: string) =>
  (/^[a-z]{3}$/i.test(name) && !shortNames.test(name)) || /^SystemV\//i.test(name);

/** Whether the text is an IANA name. */
export const isTimeZone = (name: string): boolean => !isForeign(name) && zoneOf(name) !== undefined;

/**
 * The first instant at which a clock of the zone shows that time, `YYYY-MM-DD HH:MM:SS`; where the clock skips it, the
 * moment of the change. `undefined`: there is no such date or time. @throws RangeError when the zone is not an IANA name
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

/** The zone's offset at an instant, and how long it certainly holds: a day at most. @throws RangeError when the zone is not an IANA name */
export const steadyTimeAt = (instant: Instant, name: string): SteadyTime => {
  const zone = zoneOf(name);
  if (zone === undefined) throw new RangeError(`${name} is not a time zone`);
  return zone.steadyAt(instant);
};
