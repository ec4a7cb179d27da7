import fc from 'fast-check';

/**
 * How much is tested, decided in this one place. `npm test` tries a sample of what is many (faults,
 * runs, contacts), `npm run test:all` and the soak try all of it. vitest.config.ts sets TEST_EXTENT
 * and TEST_SAMPLE, and leaves `*.all.test.ts` to `npm run test:all`. scripts/soak.ts sets the
 * others: random tests run for as long and from the seed that it is given.
 */
const { TEST_EXTENT, TEST_SAMPLE, SOAK_SEED, SOAK_RUNS, SOAK_SECONDS } = process.env;

export const isWhole = TEST_EXTENT === 'all';

/** How many take part, or are tried: a sample in `npm test`. */
export const sizeOf = (sample: number, whole: number) => (isWhole ? whole : sample);

/**
 * Of a row of faults, whether the `i`th is tried: one of `step` in `npm test`. Each commit has a
 * sample of its own, and `TEST_SAMPLE=7 npm test` takes another. All are tried by `npm run
 * test:all`, so no sample fails that does not fail there.
 */
export const isInSample = (i: number, step: number) => isWhole || (Number(TEST_SAMPLE) + i) % step === 0;

/** No run begins after the limit. A run that has begun comes to its end, however long it takes. */
const untilTime = (seconds: number) => ({
  skipAllAfterTimeLimit: Math.max(1, seconds) * 1000,
  // Of the million runs. Skipped runs are an end and no failure, if one run at least was made.
  maxSkipsPerRun: 0.001,
  reporter: <T>(run: fc.RunDetails<T>) => {
    if (run.failed && (run.counterexample !== null || run.numRuns === 0))
      throw new Error(fc.defaultReportMessage(run), { cause: run.errorInstance });
  },
});

/** Parameters of a property. Outside the soak the seed is fixed, so that no run fails by chance. */
export const randomRuns = (sample: number, whole = sample, seed = 20_261) => ({
  seed: Number(SOAK_SEED ?? seed),
  numRuns: Number(SOAK_RUNS ?? sizeOf(sample, whole)),
  ...(SOAK_SECONDS === undefined ? {} : untilTime(Number(SOAK_SECONDS))),
});
