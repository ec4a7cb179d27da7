import { execFileSync } from 'node:child_process';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/run/longest-first.ts';

/** A hang ends, also on a loaded machine, which takes several times as long. The soak takes as long as it is told to. */
const timeout = process.env.SOAK_SEED === undefined ? 900_000 : 24 * 3600_000;

/** What `npm test` samples changes with each commit, and is always the same for one. */
const sampleOfCommit = () => {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' });
    return String(Number.parseInt(commit.slice(0, 4), 16));
  } catch {
    return '0';
  }
};

/** `--mode all` is `npm run test:all`; test/support/run/extent.ts says what else hangs on it. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: mode === 'all' ? [] : ['test/**/*.all.test.ts'],
    globalSetup: ['test/support/run/global-setup.ts'],
    env: {
      TEST_EXTENT: mode,
      TEST_SAMPLE: process.env.TEST_SAMPLE ?? sampleOfCommit(),
      // Requests are logged at INFO; a test run shows only what went wrong inside.
      POWERTOOLS_LOG_LEVEL: 'ERROR',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      // Where a proxy's certificates are set, Node reads them at every start, a tenth of a second; no process
      // that a test starts calls another machine.
      NODE_EXTRA_CA_CERTS: '',
    },
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 120_000 } },
    // One fewer than the cores, the default, would leave a small CI machine with a single one.
    maxWorkers: 2,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // In MB. Most of what a test makes is gone before the next: collected less often, a quarter of the time is saved.
    // Both cores have a worker: threads that help each other collect would only get in each other's way.
    // Nearly all code runs for a short time: compiled cheaply at once and optimised late, a tenth of the time is saved.
    execArgv: [
      '--max-semi-space-size=32',
      '--single-threaded-gc',
      '--always-sparkplug',
      '--interrupt-budget=400000',
    ],
    reporters: ['default', './test/support/run/summary-reporter.ts'],
  },
}));
