import { type Chart, chartSvg } from '../chart.ts';
import type { Cell, Table } from '../table.ts';
import { type Load, type LoadFigures, runLoad } from './dialing-load.ts';
import { seed } from './world.ts';

type Case = { name: string; load: Load };

/** A dialer of ten lines makes about three calls a second. */
const growing: Case[] = [8, 32, 96, 160, 320].map((clients) => ({ name: 'one task', load: { clients } }));
const others: Case[] = [
  {
    name: 'one task with limits and a brake',
    load: {
      clients: 260,
      settings: {
        maxConcurrentCalls: 10_000,
        callsPerMinute: 60_000,
        pauseWhen: { failedPercent: 90, calls: 200 },
      },
    },
  },
  { name: '20 tasks, MAX_CONCURRENT_CALLS', load: { clients: 640, tasks: 20, maxConcurrentCalls: 100_000 } },
];

/** Each run is a step of the progress. */
export const scaleSteps = growing.length + others.length;

export type ScaleFigures = { name: string; figures: LoadFigures }[];

export const measureScale = async (onStep: (name: string) => void): Promise<ScaleFigures> => {
  const measured: ScaleFigures = [];
  for (const { name, load } of [...growing, ...others]) {
    onStep(`${name}, ${load.clients} clients`);
    measured.push({ name, figures: await runLoad(load) });
  }
  return measured;
};

const rowOf = ({ name, figures }: ScaleFigures[number]): Cell[] => [
  name,
  figures.clients,
  figures.callsPerSecond,
  figures.lostPercent,
  figures.lease.p50,
  figures.lease.p99,
  figures.result.p50,
  figures.result.p99,
  figures.hottestKey,
  figures.hottestUnits,
  figures.ceiling,
];

export const scaleTable = (measured: ScaleFigures): Table => ({
  title: 'Load: many clients at once',
  note: [
    `A simulation in virtual time with the real stores (seed ${seed}): the figures are the same on every machine.`,
    'A read takes 4 ms, a write 6, a transaction 15, a fifth more or less. A transaction holds its items until it is answered;',
    'another write of one of them is refused meanwhile. A client is a dialer of ten lines that leases ten calls, reports each as',
    'it ends after one to three seconds, and leases again. No process shares memory with another. Lost: transactions that were',
    'refused, of all that were sent. Units: written to the hottest partition key in its busiest second, a call. Ceiling: the calls',
    'a second at which that key would have 1,000 units.',
  ].join(' '),
  columns: [
    ...[
      'load',
      'clients',
      'calls a second',
      'lost, %',
      'lease p50, ms',
      'lease p99',
      'result p50',
      'result p99',
    ],
    ...['hottest key', 'units a call', 'ceiling'],
  ],
  rows: measured.map(rowOf),
});

/** Calls a second, and milliseconds, against the number of clients. */
export const scaleChart = (measured: ScaleFigures): string => {
  const points = measured.filter(({ name }) => name === growing[0]!.name).map(({ figures }) => figures);
  const series = (name: string, className: string, of: (figures: LoadFigures) => number) => ({
    name,
    className,
    points: points.map((figures) => ({ x: figures.clients, y: of(figures) })),
  });
  const chart: Chart = {
    title: 'One task: load against the number of clients',
    xLabel: 'clients of ten lines',
    yLabel: 'calls a second, ms, percent',
    series: [
      series('calls a second', 'ours', ({ callsPerSecond }) => callsPerSecond),
      series('result p99, ms', 'postgres', ({ result }) => result.p99),
      series('lease p99, ms', 'trigrams', ({ lease }) => lease.p99),
      series('lost, %', 'naive', ({ lostPercent }) => lostPercent),
    ],
  };
  return chartSvg(chart);
};
