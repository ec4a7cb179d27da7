import { type Chart, chartSvg } from '../chart.ts';
import type { Cell, Table } from '../table.ts';
import { type Load, type LoadFigures, runLoad } from './dialing-load.ts';
import { minutesOfRestore } from './restore-load.ts';
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
  { name: 'one task, every result with doNotCall', load: { clients: 72, doNotCallEvery: 1 } },
  { name: '20 tasks, MAX_CONCURRENT_CALLS', load: { clients: 640, tasks: 20, maxConcurrentCalls: 100_000 } },
];

/** Each run is a step of the progress. */
export const scaleSteps = growing.length + others.length + 1;

export type ScaleFigures = { loads: { name: string; figures: LoadFigures }[]; restoreMinutes: number };

export const measureScale = async (onStep: (name: string) => void): Promise<ScaleFigures> => {
  const loads: ScaleFigures['loads'] = [];
  for (const { name, load } of [...growing, ...others]) {
    onStep(`${name}, ${load.clients} clients`);
    loads.push({ name, figures: await runLoad(load) });
  }
  onStep('restore');
  return { loads, restoreMinutes: await minutesOfRestore() };
};

const rowOf = ({ name, figures }: ScaleFigures['loads'][number]): Cell[] => [
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

export const scaleTable = ({ loads, restoreMinutes }: ScaleFigures): Table => ({
  title: 'Load: many clients at once',
  note: [
    `A simulation in virtual time with the real stores (seed ${seed}): the figures are the same on every machine.`,
    'A read takes 4 ms, a write 6, a transaction 15, a fifth more or less. A transaction holds its items until it is answered;',
    'another write of one of them is refused meanwhile. A client is a dialer of ten lines that leases ten calls, reports each as',
    'it ends after one to three seconds, and leases again. No process shares memory with another. Lost: transactions that were',
    'refused, of all that were sent. Units: written to the hottest partition key in its busiest second, a call. Ceiling: the calls',
    'a second at which that key would have 1,000 units. The calls of a slow load begin and end in one chunk of 1,024 contacts, so its',
    'units a call are more than those of a fast load, which leaves a chunk within a second.',
    `In the same simulation, a restore of a million contacts takes ${restoreMinutes.toFixed(1)} minutes (a batch takes 1 ms more for each item, a page 1 ms for each 10 KB).`,
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
  rows: loads.map(rowOf),
});

/** Calls a second, and milliseconds, against the number of clients. */
export const scaleChart = ({ loads }: ScaleFigures): string => {
  const points = loads.filter(({ name }) => name === growing[0]!.name).map(({ figures }) => figures);
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
