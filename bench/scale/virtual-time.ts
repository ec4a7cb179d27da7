import timers from 'node:timers/promises';

type Event = { at: number; order: number; resume: () => void };

/** The earliest event first; of the same time, in the order in which they were set. */
const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

class EventHeap {
  readonly #events: Event[] = [];

  get size(): number {
    return this.#events.length;
  }

  push(event: Event): void {
    const events = this.#events;
    let at = events.push(event) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(event, events[parent]!); parent = (at - 1) >> 1) {
      events[at] = events[parent]!;
      at = parent;
    }
    events[at] = event;
  }

  pop(): Event | undefined {
    const events = this.#events;
    const first = events[0];
    const last = events.pop();
    if (last === undefined || events.length === 0) return first;
    let at = 0;
    for (let child = 1; child < events.length; child = 2 * at + 1) {
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++;
      if (!isBefore(events[child]!, last)) break;
      events[at] = events[child]!;
      at = child;
    }
    events[at] = last;
    return first;
  }
}

/** Mulberry32: the same numbers from the same seed on every machine. */
const randomFrom = (seed: number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/**
 * Time that passes only when all code waits for it. When nothing is left to run, the clock goes to the next event. So a run
 * takes as long as its code, and its figures depend on the seed alone, not on the machine. While it runs, the pauses of
 * the stores (`backoff`) take virtual time, and `Math.random` begins with the seed.
 */
export class VirtualTime {
  readonly #events = new EventHeap();
  readonly #seed: number;
  #order = 0;
  /** In milliseconds from the start. */
  now = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  sleep = (ms: number): Promise<void> =>
    new Promise((resume) => {
      this.#events.push({ at: this.now + ms, order: this.#order++, resume });
    });

  async run<T>(job: () => Promise<T>): Promise<T> {
    const [pause, random] = [timers.setTimeout, Math.random];
    timers.setTimeout = ((ms: number) => this.sleep(ms)) as never;
    Math.random = randomFrom(this.#seed);
    let isOver = false;
    try {
      const result = job().finally(() => {
        isOver = true;
      });
      result.catch(() => {});
      for (;;) {
        // Everything that does not wait for the clock has run by then.
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
