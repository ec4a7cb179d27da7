import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { type FaultRow, faultTable } from '../faults/fault-table.ts';

const slowestShown = 10;

const tookMs = (module: TestModule): number => {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
};

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Ends the run with its slowest files and one plain line, `N passed, N failed`, which scripts can read. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]) {
    let passed = 0;
    let failed = errors.length;
    const faultRows: FaultRow[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { faultRow } = test.meta();
        if (faultRow !== undefined) faultRows.push(faultRow);
        if (test.result().state === 'passed') passed++;
        if (test.result().state === 'failed') failed++;
      }
      if (module.state() === 'failed' && module.errors().length > 0) failed++;
    }
    const slowest = modules
      .map((module) => ({ file: relative(process.cwd(), module.moduleId), ms: tookMs(module) }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, slowestShown)
      .map(({ file, ms }) => `${seconds(ms).padStart(9)}  ${file}`);
    process.on('exit', () => {
      if (faultRows.length > 0) process.stdout.write(`\n${faultTable(faultRows)}\n`);
      if (slowest.length > 1) process.stdout.write(`\nSlowest files\n${slowest.join('\n')}\n\n`);
      process.stdout.write(`${passed} passed, ${failed} failed\n`);
    });
  }
}
