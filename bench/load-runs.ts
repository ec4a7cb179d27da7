import { readFile, writeFile } from 'node:fs/promises';
import type { Table } from './table.ts';

/** The results of the long commands, each from its last run of full length. The file is beside the charts. */
const file = new URL('../docs/performance/load-runs.json', import.meta.url);

type Figures = Record<string, string | number>;
type Runs = Record<string, { date: string; figures: Figures }>;

const keptRuns = async (): Promise<Runs> => JSON.parse(await readFile(file, 'utf8')) as Runs;

export const keepRun = async (command: string, figures: Figures): Promise<void> => {
  const date = new Date().toISOString().slice(0, 10);
  const runs: Runs = { ...(await keptRuns()), [command]: { date, figures } };
  await writeFile(file, `${JSON.stringify(runs, null, 2)}\n`);
};

export const loadRuns = async (): Promise<Table> => ({
  title: 'Load that outgrows the machine, and load for long',
  note: 'These commands run separately, because they take five minutes and half an hour. The figures are from the last run of each.',
  columns: ['command', 'date', 'figure', 'value'],
  rows: Object.entries(await keptRuns()).flatMap(([command, { date, figures }]) =>
    Object.entries(figures).map(([figure, value]) => [command, date, figure, String(value)]),
  ),
});
