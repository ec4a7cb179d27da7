import { forked, resultOf } from './child.ts';
import type { HostileReading } from './files/hostile-job.ts';
import type { Table } from './table.ts';

/** About the seconds it takes, for the progress bar. */
export const hostileWeight = 60;

/** What the reader spends on each hostile file, beside an honest file of the same kind and size. */
export const measureHostile = async (onDone: (name: string, weight: number) => void): Promise<Table> => {
  const job = forked(new URL('files/hostile-job.ts', import.meta.url), [], ['--expose-gc']);
  const readings = await resultOf<HostileReading[]>(job);
  onDone('hostile files', hostileWeight);
  return {
    title: 'Hostile files: processor time and growth of memory, beside an honest file of the same size',
    note: 'Processor seconds include the process that reads XLS, XLSB and ODS. That process is ended at 10 s or 256 MB. MB is the growth of the reader itself (Linux only).',
    columns: ['file', 'KB', 'outcome', 'seconds', 'MB', 'honest, seconds', 'honest, MB'],
    rows: readings.map(({ name, bytes, hostile, honest }) => [
      name,
      bytes / 1000,
      hostile.outcome,
      hostile.seconds,
      hostile.megabytes,
      honest.seconds,
      honest.megabytes,
    ]),
  };
};
