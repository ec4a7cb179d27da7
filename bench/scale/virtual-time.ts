import timers from 'node:timers/promises';

type Event = { at: number; resume: () => void };

/** Events by time, the next one at the end. Events of the same time are in order of addition. */
class EventList {
  readonly #events: Event[] = [];

  /** Searches from the end, because most events are soon. */
  push(event: Event): void {
    let at = this.#events.length;
    while (at > 0 && this.#events[at - 1]!.at <= event.at) at--;
    this.#events.splice(at, 0, event);
  }

  pop(): Event | undefined {
    return this.#events.pop();
  }
}

/** Mulberry32: the same numbers from the same seed on every machine. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/**
 * Time that passes only when all code waits for it. When nothing is left to run, the clock goes to
 * the next event. So a run takes as long as its code, and its figures depend on the seed alone, not
 * on the machine. While it runs, the pauses of the stores (`backoff`) take virtual time, and
 * `Math.random` begins with the seed.
 */
export class VirtualTime {
  readonly #events = new EventList();
  readonly #seed: number;
  /** Milliseconds from the start. */
  now = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  sleep = (ms: number): Promise<void> =>
    new Promise((resume) => {
      this.#events.push({ at: this.now + ms, resume });
    });

  async run<T>(job: () => Promise<T>): Promise<T> {
    const pause = timers.setTimeout;
    const random = Math.random;
    timers.setTimeout = ((ms: number) => this.sleep(ms)) as never;
    Math.random = randomFrom(this.#seed);
    let isOver = false;
    try {
      const result = job().finally(() => {
        isOver = true;
      });
      result.catch(() => {});
      for (;;) {
        // All code that does not wait for the clock has run by then.
        await new Promise((resolve) => setImmediate(resolve));
        if (isOver) return await result;
        const next = this.#events.pop();
        if (next === undefined) throw new Error('everything waits, and for nothing');
        this.now = next.at;
        next.resume();
      }
    } finally {
      timers.setTimeout = pause;
      Math.random = random;
    }
  }
}
