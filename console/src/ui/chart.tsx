import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { locale } from '../i18n/i18n.ts';
import { useStore } from './store.ts';
import { theme } from './theme.ts';

/** One stack of the chart, the lowest first. */
export type Series = { label: string; color: `--${string}`; values: readonly number[] };

type Props = { times: readonly number[]; series: readonly Series[]; bucketMs: number };

const height = 220;

/** Each series on top of those before it: drawn from the highest to the lowest, each hides the rest. */
const stacked = (series: readonly Series[]): number[][] => {
  let below: number[] = [];
  return series.map(({ values }) => {
    below = values.map((value, i) => value + (below[i] ?? 0));
    return below;
  });
};

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Few bars stand beside each other on the left, not one bar over the whole of it. */
const leastBars = 12;

/** By the data: for a single bar the library's own bounds are years apart. */
const timeRange = ({ data: [times] }: uPlot, bucketMs: number): uPlot.Range.MinMax => {
  const bar = bucketMs / 1000;
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  return [from - bar / 2, Math.max(to + bar / 2, from + (leastBars - 0.5) * bar)];
};

const optionsFor = (width: number, series: readonly Series[], bucketMs: number): uPlot.Options => {
  const bars = uPlot.paths.bars?.({ size: [0.8, 40], radius: 0.1 });
  const axis = {
    stroke: token('--soft'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { stroke: token('--line'), width: 1 },
    font: `12px ${token('--font')}`,
  };
  const whole = new Intl.NumberFormat(locale());
  return {
    width,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: true, range: (plot) => timeRange(plot, bucketMs) },
      y: { range: (_, _min, most) => [0, Math.max(4, most * 1.08)] },
    },
    axes: [
      { ...axis, values: (_, splits, _axis, _space, step) => timeLabels(splits, step) },
      {
        ...axis,
        size: 56,
        values: (_, splits) => splits.map((v) => (Number.isInteger(v) ? whole.format(v) : '')),
      },
    ],
    series: [
      {},
      ...[...series].reverse().map(({ label, color }) => ({
        label,
        fill: token(color),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
};

const daySeconds = 86_400;

const timeLabels = (splits: readonly number[], step: number): string[] => {
  const format = new Intl.DateTimeFormat(
    locale(),
    step >= daySeconds ? { month: 'short', day: 'numeric' } : { hour: '2-digit', minute: '2-digit' },
  );
  return splits.map((second) => format.format(second * 1000));
};

/** Stacked bars over time. What it shows is also there as a table, beside it. */
export const StackedChart = ({ times, series, bucketMs }: Props) => {
  const box = useRef<HTMLDivElement>(null);
  const shade = useStore(theme);
  const drawn = useRef<uPlot | undefined>(undefined);
  const data = (): uPlot.AlignedData => {
    const middle = times.map((time) => (time + bucketMs / 2) / 1000);
    return [middle, ...stacked(series).reverse()];
  };
  useEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const plot = new uPlot(optionsFor(parent.clientWidth, series, bucketMs), data(), parent);
    drawn.current = plot;
    const watching = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    watching.observe(parent);
    return () => {
      watching.disconnect();
      plot.destroy();
      drawn.current = undefined;
    };
    // Colours and words are read when it is made.
  }, [shade, bucketMs, series.map(({ label }) => label).join()]);
  useEffect(() => drawn.current?.setData(data()), [times, series]);
  return <div class="chart" ref={box} aria-hidden="true" />;
};
