import { type Chart, chartSvg, type Series } from './chart.ts';
import type { Comparison } from './comparison.ts';
import { unitsOf } from './comparison-tables.ts';
import { trigramName } from './postgres-operations.ts';

type Drawn = { file: string; title: string; operation: string };

const drawn: readonly Drawn[] = [
  { file: 'list-last-page', title: 'List: the last page of 20', operation: 'list, last page' },
  {
    file: 'search-4-digits',
    title: 'Search for four digits of the phone number',
    operation: 'search, 4 digits',
  },
  { file: 'add', title: 'Add a contact', operation: 'add' },
  { file: 'lease', title: 'Lease of ten calls', operation: 'lease of 10' },
  { file: 'recall', title: 'Recall of all failed contacts', operation: 'recall of all failed' },
];

const chartOf = ({ title, operation }: Drawn, comparisons: readonly Comparison[]): Chart => {
  const series = (
    name: string,
    className: string,
    figureOf: (comparison: Comparison) => number | undefined,
  ): Series[] => {
    const points = comparisons.flatMap((comparison) => {
      const y = figureOf(comparison);
      return y === undefined ? [] : { x: comparison.count, y };
    });
    return points.length === 0 ? [] : [{ name, className, points }];
  };
  return {
    title,
    xLabel: 'contacts in the data source',
    yLabel: 'units (DynamoDB), buffers (PostgreSQL)',
    series: [
      ...series('naive', 'naive', ({ naive }) => unitsOf(naive.get(operation))),
      ...series('PostgreSQL', 'postgres', ({ postgres }) => postgres.get(operation)?.buffers),
      ...series('… trigrams', 'trigrams', ({ postgres }) => postgres.get(trigramName(operation))?.buffers),
      ...series('ours', 'ours', ({ ours }) => unitsOf(ours.find(({ name }) => name === operation)?.usage)),
    ],
  };
};

/** By file name, in the order in which the page shows them. */
export const drawCharts = (comparisons: readonly Comparison[]) =>
  drawn.map((each) => ({ ...each, file: `${each.file}.svg`, svg: chartSvg(chartOf(each, comparisons)) }));
