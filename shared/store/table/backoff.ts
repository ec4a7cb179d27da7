import timers from 'node:timers/promises';

const baseMs = 10;
const capMs = 800;

/** Full jitter: between nothing and a bound that doubles with each attempt. */
export const backoff = (attempt: number) =>
  timers.setTimeout(Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 10)));
