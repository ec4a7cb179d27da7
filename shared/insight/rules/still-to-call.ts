import {
  callableFrom,
  type HourFacts,
  type LastingHold,
  type Place,
  type WaitReason,
} from '../../dialing/rules/waits.ts';
import type { Instant } from '../../platform/time/time.ts';

/** Contacts that wait for one reason, and when the first and the last of them can be called. */
export type WaitRow = {
  /** `null`: contacts that were not looked at. */
  reason: WaitReason | null;
  count: number;
  /** `null` if the hours never open. */
  from: Instant | null;
  to: Instant | null;
};

/** Contacts that can be called from the same moment on. */
type Waiting = { reason: WaitReason; count: number; from: Instant | null; to: Instant | null };

const earliest = (a: Instant | null, b: Instant | null) =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
const latest = (a: Instant | null, b: Instant | null) =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

/** All contacts that a task still has to call and that are not in a call. */
export class StillToCall {
  readonly #facts: HourFacts;
  readonly #now: Instant;
  readonly #waiting: Waiting[] = [];
  #callable = 0;
  #unread = 0;

  constructor(facts: HourFacts, now: Instant) {
    this.#facts = facts;
    this.#now = now;
  }

  get callable(): number {
    return this.#callable;
  }

  get waiting(): readonly Waiting[] {
    return this.#waiting;
  }

  /** Adds contacts at a place. @returns what they wait for; `now` if they can be called */
  addPlace(place: Place, count = 1): LastingHold | 'now' {
    const when = callableFrom(this.#facts, place, this.#now);
    this.add(when, count);
    return when;
  }

  add(when: LastingHold | 'now', count = 1): void {
    if (count <= 0) return;
    if (when === 'now') this.#callable += count;
    else this.#waiting.push({ reason: when.reason, count, from: when.until, to: when.until });
  }

  /**
   * Contacts that were not looked at yet. `zones`: the clocks that may apply to them, an empty one
   * for the task's. While one of them is open, any contact may be callable.
   */
  addFresh(count: number, zones: readonly string[]): void {
    if (count <= 0) return;
    const holds = zones.map((zone) =>
      callableFrom(this.#facts, { due: this.#now, reason: 'HOURS', zone }, this.#now),
    );
    if (holds.includes('now')) {
      this.add('now', count);
      return;
    }
    const openings = holds.map((hold) => (hold === 'now' ? null : hold.until));
    const from = openings.reduce(earliest, null);
    const to = openings.reduce(latest, null);
    this.#waiting.push({ reason: 'HOURS', count, from, to });
  }

  /** Contacts in line behind those that were read. */
  addUnread(count: number): void {
    this.#unread += Math.max(0, count);
  }

  /** By reason, the first to end first, and contacts that were not looked at last. */
  rows(): WaitRow[] {
    const rows = new Map<WaitReason, WaitRow>();
    for (const { reason, count, from, to } of this.#waiting) {
      const row = rows.get(reason) ?? { reason, count: 0, from: null, to: null };
      rows.set(reason, {
        reason,
        count: row.count + count,
        from: earliest(row.from, from),
        to: latest(row.to, to),
      });
    }
    const never = Number.POSITIVE_INFINITY;
    const known = [...rows.values()].sort((a, b) => (a.from ?? never) - (b.from ?? never));
    return this.#unread === 0
      ? known
      : [...known, { reason: null, count: this.#unread, from: null, to: null }];
  }
}
