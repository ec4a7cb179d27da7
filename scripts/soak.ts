import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The random tests. Each checks at least one property of a whole service or store. */
const isRandomTest = (file: string) => /(-model|-interleavings|-property|figures)\.test\.ts$/.test(file);
const randomTests = () => readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(isRandomTest);

const help = `Runs the random tests for longer than npm run test:all does.

  npm run test:soak -- --seed 7 --runs 500

  --seed N     seed of the random numbers; a random one by default, printed so that it can be used again
  --runs N     runs of each property, 1000 by default
  --seconds N  begins no further run after about N seconds, instead of a number of runs; each property is run once at least

  npm run test:soak -- --seed 7 --runs 50 dialing-model

  Words choose the tests whose path contains one of them.

  npm run test:soak -- --throttled 300

  --throttled N  runs only this: 16 dialers and two imports for N seconds, while 30 % of all calls to AWS are
                 throttled
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    runs: { type: 'string' },
    seconds: { type: 'string' },
    throttled: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

const whole = (name: string, given: string | undefined, otherwise: number): string => {
  if (given !== undefined && !/^[1-9]\d{0,8}$/.test(given)) {
    throw new Error(`--${name} must be a whole number from 1, not "${given}"`);
  }
  return given ?? String(otherwise);
};

const run = (chosen: readonly string[], env: NodeJS.ProcessEnv): number => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--mode=all', ...chosen];
  return spawnSync(process.execPath, vitest, { stdio: 'inherit', env }).status ?? 1;
};

/** Those that contain one of the words, or all. */
const filesOf = (words: readonly string[]): string[] => {
  const chosen = randomTests().filter(
    (file) => words.length === 0 || words.some((word) => file.includes(word)),
  );
  if (chosen.length === 0) throw new Error(`no random test has a name with "${words.join('" or "')}"`);
  return chosen;
};

const soak = (): number => {
  if (values.throttled !== undefined) {
    const THROTTLED_SECONDS = whole('throttled', values.throttled, 300);
    return run(['throttled.all.test.ts'], { ...process.env, THROTTLED_SECONDS });
  }
  const files = filesOf(positionals);
  const seed = whole('seed', values.seed, 1 + Math.floor(Math.random() * 2 ** 30));
  const runs = whole('runs', values.runs, values.seconds === undefined ? 1000 : 1_000_000);
  const env: NodeJS.ProcessEnv = { ...process.env, SOAK_SEED: seed, SOAK_RUNS: runs };
  if (values.seconds !== undefined) {
    // Two files run at a time.
    env.SOAK_SECONDS = String((2 * Number(whole('seconds', values.seconds, 60))) / files.length);
  }
  const limit = values.seconds === undefined ? `${runs} runs each` : `about ${values.seconds} s`;
  process.stdout.write(
    `Soak: seed ${seed}, ${limit}. The same again: npm run test:soak -- ${['--seed', seed, ...positionals].join(' ')}\n`,
  );
  return run(files, env);
};

if (values.help) {
  process.stdout.write(help);
} else {
  try {
    process.exitCode = soak();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 2;
  }
}
