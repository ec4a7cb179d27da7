import { canMeasure, forgetPeak, memoryNow, peakMemory } from '../../test/support/service/process-usage.ts';
import { exporters } from './exporters.ts';
import { contactFile, parsers } from './parsers.ts';

/** Runs in its own process: `job.ts <export|parse> <tool> <format> <rows>`. */
export type JobResult = {
  rowsPerSecond: number;
  /** Peak growth of memory. Linux only. */
  grownMb: number | undefined;
};

const [kind, tool, format, rows] = process.argv.slice(2) as [string, string, string, string];
const count = Number(rows);

/** Loaded before the measurement begins. */
const libraries: Record<string, () => Promise<unknown>> = {
  ours: async () => parsers['ours xlsx']!(await contactFile('xlsx', 1), 1),
  SheetJS: () => import('xlsx'),
  exceljs: () => import('exceljs'),
};

const jobOf = async (): Promise<() => Promise<number>> => {
  const key = `${tool} ${format}`;
  if (kind === 'export') return () => exporters[key]!(count);
  const file = await contactFile(format);
  return () => parsers[key]!(file, count);
};

await libraries[tool]?.();
const job = await jobOf();
globalThis.gc?.();
const { pid } = process;
// Not the resource usage of the process, because its peak includes that of the parent process.
if (canMeasure) forgetPeak(pid);
const before = canMeasure ? memoryNow(pid) : undefined;
const start = performance.now();
const done = await job();
const elapsed = performance.now() - start;
if (done < count) throw new Error(`${kind} ${tool} ${format}: ${done} of ${count} rows`);
process.send!({
  rowsPerSecond: count / (elapsed / 1000),
  grownMb: before === undefined ? undefined : peakMemory(pid) - before,
} satisfies JobResult);
process.disconnect();
