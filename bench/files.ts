import { forked, resultOf } from './child.ts';
import type { JobResult } from './files/job.ts';
import type { Table } from './table.ts';

const tools = ['ours', 'SheetJS', 'exceljs'];
const jobs = [
  { kind: 'parse', format: 'csv', title: 'parse CSV' },
  { kind: 'parse', format: 'xlsx', title: 'parse XLSX' },
  { kind: 'export', format: 'csv', title: 'export CSV' },
  { kind: 'export', format: 'xlsx', title: 'export XLSX' },
];
/** SheetJS holds a million rows in memory. */
const nodeOptions = ['--max-old-space-size=12000', '--expose-gc'];

export const fileSteps = (sizes: readonly number[]) => sizes.length * jobs.length * tools.length;

/** Rows a second and the growth of a process's memory, each tool in a process of its own. */
export const measureFiles = async (
  sizes: readonly number[],
  onDone: (name: string) => void,
): Promise<Table> => {
  const rows: (string | number)[][] = [];
  for (const { kind, format, title } of jobs) {
    for (const count of sizes) {
      const results: JobResult[] = [];
      for (const tool of tools) {
        const job = forked(
          new URL('files/job.ts', import.meta.url),
          [kind, tool, format, String(count)],
          nodeOptions,
        );
        results.push(await resultOf<JobResult>(job));
        onDone(`${title} ${tool} ${count}`);
      }
      const [ours, ...peers] = results.map(({ rowsPerSecond }) => rowsPerSecond) as [number, ...number[]];
      rows.push([
        title,
        count,
        ...results.flatMap(({ rowsPerSecond, peakMb }) => [rowsPerSecond, peakMb]),
        ...peers.map((peer) => ours / peer),
      ]);
    }
  }
  return {
    title: 'Files: rows a second and growth of memory in MB, side by side',
    note: 'An import takes 10,000 rows at most: more are parsed as files of 10,000. Ours checks phone numbers, sizes and duplicates besides.',
    columns: [
      'job',
      'rows',
      ...tools.flatMap((tool) => [`${tool}, rows/s`, `${tool}, MB`]),
      'ours / SheetJS',
      'ours / exceljs',
    ],
    rows,
  };
};
