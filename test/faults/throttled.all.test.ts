import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { log } from '../../shared/platform/observability/log.ts';
import { ThrottledLoad, wholeLoad } from '../support/faults/throttled-load.ts';

/** `npm run test:soak -- --throttled 300` gives it five minutes. */
const seconds = Number(process.env.THROTTLED_SECONDS ?? 0);
/** Elsewhere fewer dialers, and so many results, are enough, however long they take. */
const size = seconds > 0 ? wholeLoad : { dialers: 4, rowsOfFile: 5, ahead: 10 };
const resultsAtLeast = 8;

beforeAll(() => {
  vi.spyOn(log, 'error').mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
});

it(
  'loses nothing and tries a bounded number of times while 30 % of all calls are throttled',
  async () => {
    const load = await ThrottledLoad.start(size);
    try {
      const end = Date.now() + seconds * 1000;
      await load.run(() => (seconds > 0 ? Date.now() >= end : load.seen.results >= resultsAtLeast));
      const { calls, tries, mostTries } = load.line;
      const { requests, repeated, phones, results } = load.seen;
      if (seconds > 0) {
        console.log(
          `${seconds} s: ${phones} contacts imported, ${results} results, ${requests} requests, ${repeated} of them sent again; ${calls} calls in ${tries} tries, ${(tries / calls).toFixed(2)} each, ${mostTries} at most`,
        );
      }
      expect(mostTries).toBeLessThanOrEqual(3);
      // No try but the first of a call, or one after a throttled one: that share of all is not to
      // be exceeded.
      expect(tries).toBeLessThan(calls / (1 - 0.3) + 10);
      await load.settle();
    } finally {
      await load.close();
    }
  },
  24 * 3600_000,
);
