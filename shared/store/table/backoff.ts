import timers from 'node:timers/promises';

const baseMs = 10;
const capMs = 800;

/** Full jitter: a random pause below a bound that doubles with each try. */
export const backoff = (tries: number) =>
  timers.setTimeout(Math.random() * Math.min(capMs, baseMs * 2 ** Math.min(tries, 10)));
