import { forked, resultOf } from './child.ts';
import type { JobResult } from './files/job.ts';
import type { Cell, Table } from './table.ts';

const tools = ['ours', 'SheetJS', 'exceljs'];
/** A million rows to parse are a hundred files, and tell no more than ten do. */
const mostParsed = 100_000;
const jobs = [
  { kind: 'parse', format: 'csv', title: 'parse CSV' },
  { kind: 'parse', format: 'xlsx', title: 'parse XLSX' },
  { kind: 'export', format: 'csv', title: 'export CSV' },
  { kind: 'export', format: 'xlsx', title: 'export XLSX' },
];
type Job = (typeof jobs)[number];
/** SheetJS holds a million rows in memory. */
const nodeOptions = ['--max-old-space-size=12000', '--expose-gc'];

const sizesOf = ({ kind }: Job, sizes: readonly number[]) =>
  sizes.filter((count) => kind === 'export' || count <= mostParsed);
/** Seconds that one job takes or so, for the progress bar. */
const weightOf = (count: number) => 1 + count / 40_000;

export const fileWeight = (sizes: readonly number[]) =>
  jobs.flatMap((job) => sizesOf(job, sizes)).reduce((sum, count) => sum + tools.length * weightOf(count), 0);

/** Keeps a full run within its time whatever a peer does. */
const longestJobMs = 120_000;

/** Nothing where the tool gave up, for want of memory for one, or took too long. */
const outcomeOf = async (
  { kind, format }: Job,
  tool: string,
  count: number,
): Promise<JobResult | undefined> => {
  const args = [kind, tool, format, String(count)];
  const child = forked(new URL('files/job.ts', import.meta.url), args, nodeOptions);
  const impatient = setTimeout(() => child.kill('SIGKILL'), longestJobMs);
  const result = await resultOf<JobResult>(child).catch(() => undefined);
  clearTimeout(impatient);
  return result;
};

/** Rows a second and the growth of a process's memory, each tool in a process of its own. */
export const measureFiles = async (
  sizes: readonly number[],
  onDone: (name: string, weight: number) => void,
): Promise<Table> => {
  const rows: Cell[][] = [];
  for (const job of jobs) {
    for (const count of sizesOf(job, sizes)) {
      const results: (JobResult | undefined)[] = [];
      for (const tool of tools) {
        results.push(await outcomeOf(job, tool, count));
        onDone(`${job.title} ${tool} ${count}`, weightOf(count));
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
    note: 'An import takes 10,000 rows at most: more are parsed as files of 10,000. Ours checks phone numbers, sizes and duplicates besides. No figure: the tool took more than two minutes or more memory than there is.',
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
