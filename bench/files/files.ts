import { forked, resultOf } from '../child.ts';
import type { Cell, Table } from '../table.ts';
import type { JobResult } from './job.ts';

const tools = ['ours', 'SheetJS', 'exceljs'];
/** A million rows to parse are a hundred files, which show no more than ten files. */
const mostParsed = 100_000;
const jobs = [
  { kind: 'parse', format: 'csv', title: 'parse CSV' },
  { kind: 'parse', format: 'xlsx', title: 'parse XLSX' },
  { kind: 'export', format: 'csv', title: 'export CSV' },
  { kind: 'export', format: 'xlsx', title: 'export XLSX' },
];
type Job = (typeof jobs)[number];
/** SheetJS keeps a million rows in memory. */
const nodeOptions = ['--max-old-space-size=12000', '--expose-gc'];

const sizesOf = ({ kind }: Job, sizes: readonly number[]) =>
  sizes.filter((count) => kind === 'export' || count <= mostParsed);

/** Milliseconds for one job, so that a slow tool does not delay a full run. */
const longestJobMs = 120_000;

/** @returns undefined if the tool failed, for example for lack of memory, or took too long */
const outcomeOf = async (
  { kind, format }: Job,
  tool: string,
  count: number,
): Promise<JobResult | undefined> => {
  const args = [kind, tool, format, String(count)];
  const child = forked(new URL('job.ts', import.meta.url), args, nodeOptions);
  const impatient = setTimeout(() => child.kill('SIGKILL'), longestJobMs);
  const result = await resultOf<JobResult>(child).catch(() => undefined);
  clearTimeout(impatient);
  return result;
};

/** Rows a second and growth of memory, each tool in its own process. */
export const measureFiles = async (
  sizes: readonly number[],
  onDone: (name: string) => void,
): Promise<Table> => {
  const rows: Cell[][] = [];
  for (const job of jobs) {
    for (const count of sizesOf(job, sizes)) {
      const results: (JobResult | undefined)[] = [];
      for (const tool of tools) {
        results.push(await outcomeOf(job, tool, count));
        onDone(`${job.title} ${tool} ${count}`);
      }
      const [ours, ...peers] = results;
      rows.push([
        job.title,
        count,
        ...results.flatMap((result) => [result?.rowsPerSecond, result?.grownMb]),
        ...peers.map((peer) => peer && ours && ours.rowsPerSecond / peer.rowsPerSecond),
      ]);
    }
  }
  return {
    title: 'Files: rows a second and growth of memory in MB, side by side',
    note: 'An import takes at most 10,000 rows, so more rows are parsed as files of 10,000. Our reader also checks phone numbers, sizes and duplicates. No figure: the tool took more than two minutes, or more memory than the machine has.',
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
