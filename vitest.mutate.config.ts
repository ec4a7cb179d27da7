import config from './vitest.config.ts';

/** Also of `*.all.test.ts`, with samples as in `npm test`. */
const base = config({ mode: 'test', command: 'serve' });

/** Of `npm run mutate`, which says in MUTATE_TESTS which tests are to find the mutants of MUTATE_CODE. */
export default {
  test: {
    ...base.test,
    include: (process.env.MUTATE_TESTS ?? '').split(','),
    globalSetup: ['test/support/run/mutation-setup.ts'],
    setupFiles: ['test/support/run/mutated-code.ts'],
    reporters: ['default'],
    // Stryker runs the tests in threads, which take no options of the engine.
    execArgv: [],
  },
};
