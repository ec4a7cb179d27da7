import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with one plain line, `N passed, N failed`, which scripts can read. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed++;
        if (test.result().state === 'failed') failed++;
      }
      if (module.state() === 'failed' && module.errors().length > 0) failed++;
    }
    process.on('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`));
  }
}
