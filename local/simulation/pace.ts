import type { Instant } from '../../shared/domain/time.ts';

const secondMs = 1000;

/** Spreads calls evenly: one place in time for each, never more than the chosen number in a second. */
export class Pace {
  readonly #gapMs: number;
  #next: Instant = 0;

  constructor(callsPerSecond: number) {
    this.#gapMs = secondMs / callsPerSecond;
  }

  /** When the next call may start. Time in which nothing could be called is not caught up. */
  take(now: Instant): Instant {
    const start = Math.max(now, this.#next);
    this.#next = start + this.#gapMs;
    return start;
  }
}
