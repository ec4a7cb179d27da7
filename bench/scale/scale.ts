import type { Cell, Table } from '../table.ts';
import { type AddsFigures, runAdds } from './adds-load.ts';
import { measureDeliveries } from './deliveries-load.ts';
import { type Load, type LoadFigures, runLoad } from './dialing-load.ts';
import { type ListFigures, type ListLoad, runList } from './list-load.ts';
import { minutesOfRestore } from './restore-load.ts';
import { seed } from './world.ts';

type Case = { name: string; load: Load };

/** Calls a second, in leases of ten. */
const growing: Case[] = [50, 75, 100, 150, 300, 600, 1000].map((asked) => ({
  name: 'one task',
  load: { asked },
}));
const single: Case[] = [100, 300, 500].map((asked) => ({
  name: 'one task, leases of one',
  load: { asked, leaseOf: 1 },
}));
const others: Case[] = [
  {
    name: 'one task with limits and a brake',
    load: {
      asked: 900,
      settings: {
        maxConcurrentCalls: 10_000,
        callsPerMinute: 60_000,
        pauseWhen: { failedPercent: 90, calls: 200 },
      },
    },
  },
  { name: 'one task, every result with doNotCall', load: { asked: 235, doNotCallEvery: 1 } },
  { name: '20 tasks, MAX_CONCURRENT_CALLS', load: { asked: 2_200, tasks: 20, maxConcurrentCalls: 100_000 } },
];
const loads: Case[] = [...growing, ...single, ...others];

/** Contacts a second, added one by one to one list. */
const adds = [20, 50, 100, 150, 200, 400, 1000];

/** The mapping of the stream gathers changes for a second. Without that there are more batches. */
const lists: ListLoad[] = [
  { writers: 4, asked: 300, gatheredMs: 1_000 },
  { writers: 16, asked: 1_250, gatheredMs: 1_000 },
  { writers: 64, asked: 4_000, gatheredMs: 1_000 },
  { writers: 4, asked: 300, gatheredMs: 0 },
  { writers: 16, asked: 1_250, gatheredMs: 0 },
];

export type ScaleFigures = {
  loads: { name: string; figures: LoadFigures }[];
  adds: AddsFigures[];
  lists: ListFigures[];
  deliveriesPerSecond: number;
  restoreMinutes: number;
};

export const measureScale = async (onStep: (name: string) => void): Promise<ScaleFigures> => {
  const measured: Pick<ScaleFigures, 'loads' | 'adds' | 'lists'> = { loads: [], adds: [], lists: [] };
  for (const { name, load } of loads) {
    onStep(`${name}, ${load.asked} calls a second`);
    measured.loads.push({ name, figures: await runLoad(load) });
  }
  for (const asked of adds) {
    onStep(`${asked} contacts a second`);
    measured.adds.push(await runAdds(asked));
  }
  for (const load of lists) {
    onStep(`events of ${load.asked} calls a second`);
    measured.lists.push(await runList(load));
  }
  onStep('deliveries');
  const deliveriesPerSecond = await measureDeliveries();
  onStep('restore');
  return { ...measured, deliveriesPerSecond, restoreMinutes: await minutesOfRestore() };
};

const rowOf = ({ name, figures }: ScaleFigures['loads'][number]): Cell[] => [
  name,
  figures.asked,
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

const loadTable = (measured: ScaleFigures['loads']): Table => ({
  title: 'Load: many processes at once',
  note: [
    `A simulation in virtual time with the real stores (seed ${seed}): the figures are the same on every machine.`,
    'A read takes 4 ms, a write 6, a transaction 15, a fifth more or less. A transaction holds its items until it is answered;',
    'another write of one of them is refused meanwhile. Lease requests come by chance (a Poisson process, which waits for no answer), for',
    'ten calls each where nothing else is said. Each call is reported when it ends, after one to three seconds. No process shares memory',
    'with another. Lost: transactions that were refused, of all that were sent. Units: written to the hottest partition key in its busiest',
    'second, a call. Ceiling: the calls a second at which that key would have 1,000 units. The calls of a slow load begin and end in one',
    'chunk of 1,024 contacts, so its units a call are more than those of a fast load, which leaves a chunk within a second.',
  ].join(' '),
  columns: [
    'load',
    'calls a second: asked',
    'made',
    'lost, %',
    'lease p50, ms',
    'lease p99',
    'result p50',
    'result p99',
    'hottest key',
    'units a call',
    'ceiling',
  ],
  rows: measured.map(rowOf),
});

const addsTable = (measured: readonly AddsFigures[]): Table => ({
  title: 'Load: single contacts added to one list',
  note: [
    'The same simulation. Contacts come by chance, each is added by a process of its own. Turned away: answered with 429',
    '`TOO_MANY_CHANGES`. Milliseconds of all requests, also those that were turned away.',
  ].join(' '),
  columns: [
    'contacts a second: asked',
    'added',
    'turned away, %',
    'lost, %',
    'calls to the table',
    'WCU',
    'p50, ms',
    'p99',
  ],
  rows: measured.map((figures) => [
    figures.asked,
    figures.added,
    figures.turnedAwayPercent,
    figures.lostPercent,
    figures.calls,
    figures.units,
    figures.ms.p50,
    figures.ms.p99,
  ]),
});

const listsTable = (measured: readonly ListFigures[]): Table => ({
  title: 'Load: the list of events',
  note: [
    'The same simulation. Each call ends and settles its contact: two events. Each writer has a shard of the stream, and gets what',
    'has come within the time in the third column (1,000 ms on AWS), or 100 changes. Wasted: the units of writes that were refused, of all units. All writers share the key',
    '`EVENTS#SHEETS`; its units are those of its busiest second, of 1,000 that a key takes. Milliseconds from the stream to the list.',
  ].join(' '),
  columns: [
    'writers',
    'calls a second: asked',
    'gathered, ms',
    'listed',
    'units a call',
    'wasted, %',
    'units of `EVENTS#SHEETS`',
    'p50, ms',
    'p99',
  ],
  rows: measured.map((figures) => [
    figures.writers,
    figures.asked,
    figures.gatheredMs,
    figures.listed,
    figures.units,
    figures.wastedPercent,
    figures.sharedUnits,
    figures.ms.p50,
    figures.ms.p99,
  ]),
});

const othersTable = ({ deliveriesPerSecond, restoreMinutes }: ScaleFigures): Table => ({
  title: 'Load: deliveries and a restore',
  note: 'The same simulation. A batch takes 1 ms more for each item, a page 1 ms for each 10 KB.',
  columns: ['what', 'figure'],
  rows: [
    ['events a second that one webhook sends to a receiver of 100 ms', deliveriesPerSecond],
    ['minutes of a restore of a million contacts', restoreMinutes],
  ],
});

export const scaleTables = (measured: ScaleFigures): Table[] => [
  loadTable(measured.loads),
  addsTable(measured.adds),
  listsTable(measured.lists),
  othersTable(measured),
];
