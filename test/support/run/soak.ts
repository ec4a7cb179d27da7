/**
 * Random tests are short and the same every time in `npm test`; `npm run test:soak` runs them for as long and from
 * the seed that it is given. See scripts/soak.ts.
 */
const { SOAK_SEED, SOAK_RUNS, SOAK_SECONDS } = process.env;

const isSoak = SOAK_SEED !== undefined;

/** Parameters of a property that is tried `usual` times in `npm test`. */
export const randomRuns = (usual: number) => ({
  seed: Number(SOAK_SEED ?? 20_261),
  numRuns: Number(SOAK_RUNS ?? usual),
  ...(SOAK_SECONDS === undefined ? {} : { interruptAfterTimeLimit: Number(SOAK_SECONDS) * 1000 }),
});

/** How many contacts take part in a test that shows the same with few, only less often. */
export const sizeOf = (usual: number, long: number) => (isSoak && SOAK_SECONDS === undefined ? long : usual);

/** Of a test whose length the soak decides; elsewhere it ends long before. */
export const soakTimeoutMs = isSoak ? 24 * 3600_000 : 300_000;
