import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** The random tests: each checks at least one property of a whole service or store. */
const files = [
  'test/shared/store/dialing/dialing-model.test.ts',
  'test/shared/store/dialing/dialing-interleavings.test.ts',
  'test/functions/contact/contacts-model.test.ts',
  'test/functions/task/tasks-model.test.ts',
];
/** Tests of many concurrent requests and of a failure at every call: too long for `--seconds`. */
const longFiles = [
  'test/shared/store/dialing/dialing-races.test.ts',
  'test/shared/store/dialing/recall.test.ts',
  'test/shared/store/preflight/preflight-property.test.ts',
  'test/shared/store/dialing/call-order.test.ts',
  'test/shared/store/contacts/contacts.test.ts',
  'test/shared/store/imports/imported-contacts.test.ts',
  // Here on every engine; npm test takes the embedded one.
  'test/functions',
  // Here the rules of AWS for every kind of stage.
  'test/lib/stack.test.ts',
  // Here every kind of failure at every call; npm test takes one kind for each call.
  'test/faults/every-call.test.ts',
  // Here every proof of a condition; npm test takes the pairs of operations.
  'test/faults/overtaken.test.ts',
];
const throttledFile = 'test/faults/throttled.test.ts';

const help = `Runs the random tests for longer than npm test does.

  npm run test:soak -- --seed 7 --runs 500

  --seed N     seed of the random numbers; a random one by default, printed so that it can be used again
  --runs N     runs of each property, 1000 by default
  --seconds N  ends after about N seconds instead of a number of runs

  npm run test:soak -- --throttled 300

  --throttled N  runs only this: 16 dialers and two imports for N seconds, while 30 % of all calls to AWS are
                 throttled
`;

const { values } = parseArgs({
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
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...chosen];
  return spawnSync(process.execPath, vitest, { stdio: 'inherit', env }).status ?? 1;
};

const soak = (): number => {
  // vitest passes over a file that is not there.
  const missing = [...files, ...longFiles, throttledFile].filter((file) => !existsSync(file));
  if (missing.length > 0) throw new Error(`there is no ${missing.join(', ')}`);
  if (values.throttled !== undefined) {
    const THROTTLED_SECONDS = whole('throttled', values.throttled, 300);
    return run([throttledFile], { ...process.env, THROTTLED_SECONDS });
  }
  const seed = whole('seed', values.seed, 1 + Math.floor(Math.random() * 2 ** 30));
  const runs = whole('runs', values.runs, values.seconds === undefined ? 1000 : 1_000_000);
  const env: NodeJS.ProcessEnv = { ...process.env, SOAK_SEED: seed, SOAK_RUNS: runs };
  if (values.seconds !== undefined) {
    // Two files run at a time.
    env.SOAK_SECONDS = String((2 * Number(whole('seconds', values.seconds, 60))) / files.length);
  }
  const limit = values.seconds === undefined ? `${runs} runs each` : `about ${values.seconds} s`;
  process.stdout.write(`Soak: seed ${seed}, ${limit}. The same again: npm run test:soak -- --seed ${seed}\n`);
  const chosen = values.seconds === undefined ? [...files, ...longFiles] : files;
  return run(chosen, env);
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
