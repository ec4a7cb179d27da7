import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type FaultRow, faultTable } from '../faults/fault-table.ts';

const slowestShown = 10;
const failuresShown = 10;
const failureLines = 12;

const tookMs = (module: TestModule): number => {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
};

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const fileOf = (module: TestModule) => relative(process.cwd(), module.moduleId);

/** A failed test with the beginning of its errors, for those who see only the end of the output. */
const failureOf = (test: TestCase): string => {
  const errors = test.result().errors ?? [];
  const lines = errors.flatMap(({ message, stack }) => (stack ?? message).split('\n').slice(0, failureLines));
  return [`${fileOf(test.module)} > ${test.fullName}`, ...lines.map((line) => `    ${line}`)].join('\n');
};

/**
 * Ends the run with its slowest files, what failed, and one plain line, `N passed, N failed`, which
 * scripts can read.
 */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    let passed = 0;
    let failed = errors.length;
    const failures: string[] = [];
    const faultRows: FaultRow[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { faultRow } = test.meta();
        if (faultRow !== undefined) faultRows.push(faultRow);
        if (test.result().state === 'passed') passed++;
        if (test.result().state === 'failed') {
          failed++;
          failures.push(failureOf(test));
        }
      }
      if (module.state() === 'failed' && module.errors().length > 0) failed++;
    }
    const slowest = modules
      .map((module) => ({ file: fileOf(module), ms: tookMs(module) }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, slowestShown)
      .map(({ file, ms }) => `${seconds(ms).padStart(9)}  ${file}`);
    process.on('exit', () => {
      if (faultRows.length > 0) process.stdout.write(`\n${faultTable(faultRows)}\n`);
      if (slowest.length > 1) process.stdout.write(`\nSlowest files\n${slowest.join('\n')}\n\n`);
      if (failures.length > 0)
        process.stdout.write(`\nFailed\n${failures.slice(0, failuresShown).join('\n')}\n\n`);
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    });
  }
}
