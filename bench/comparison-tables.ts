import type { Comparison } from './comparison.ts';
import { trigramName } from './postgres-operations.ts';
import type { Cell, Table } from './table.ts';

const thousands = new Intl.NumberFormat('en');

const rowsOf = ({ ours, naive, postgres }: Comparison): Cell[][] =>
  ours.map(({ name, usage }) => {
    const other = naive.get(name);
    const explained = postgres.get(name);
    const trigrams = postgres.get(trigramName(name));
    return [
      name,
      usage.rcu,
      usage.wcu,
      usage.depth,
      usage.calls,
      usage.bytes / 1024,
      other?.rcu,
      other?.wcu,
      other?.calls,
      explained?.buffers,
      explained?.ms,
      trigrams?.buffers,
      trigrams?.ms,
    ];
  });

const sizeTable = (comparison: Comparison): Table => ({
  title: `Operations at ${thousands.format(comparison.count)} contacts`,
  columns: [
    'operation',
    'RCU',
    'WCU',
    'calls in a row',
    'calls',
    'KB of items',
    'naive RCU',
    'naive WCU',
    'naive calls',
    'PG buffers',
    'PG ms',
    'trigram buffers',
    'trigram ms',
  ],
  rows: rowsOf(comparison),
});

const ratio = (large: number | undefined, small: number | undefined): Cell =>
  large === undefined || small === undefined || small === 0 ? undefined : large / small;

const growthTable = (small: Comparison, large: Comparison): Table => ({
  title: `Growth from ${thousands.format(small.count)} to ${thousands.format(large.count)} contacts`,
  note: 'How many times more an operation costs at the larger size. Units are RCU and WCU together. A WCU counts as five RCU, as it is priced.',
  columns: ['operation', 'ours, units', 'naive, units', 'PG buffers', 'PG time', 'naive / ours'],
  rows: large.ours.map((ours, i) => {
    const { name } = ours;
    const before = small.ours[i]!;
    return [
      name,
      ratio(unitsOf(ours.usage), unitsOf(before.usage)),
      ratio(unitsOf(large.naive.get(name)), unitsOf(small.naive.get(name))),
      ratio(large.postgres.get(name)?.buffers, small.postgres.get(name)?.buffers),
      ratio(large.postgres.get(name)?.ms, small.postgres.get(name)?.ms),
      ratio(unitsOf(large.naive.get(name)), unitsOf(ours.usage)),
    ];
  }),
});

/** A write unit is priced as five read units. */
export const unitsOf = (usage: { rcu: number; wcu: number } | undefined): number | undefined =>
  usage && usage.rcu + 5 * usage.wcu;

export const comparisonTables = (comparisons: readonly Comparison[]): Table[] => [
  ...comparisons.map(sizeTable),
  growthTable(comparisons[0]!, comparisons.at(-1)!),
];
