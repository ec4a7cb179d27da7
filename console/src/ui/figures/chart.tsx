import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { hourMs, minuteMs } from '../../../../shared/platform/time/time.ts';
import { useStore } from '../../base/store.ts';
import { momentText, numberText, percentText, shortDayText, timeInZone, timeText } from '../../i18n/i18n.ts';
import { theme } from '../page/theme.ts';
import 'uplot/dist/uPlot.min.css';
import css from './chart.module.css';

/** One stack of the bars, the lowest first. */
type Bars = { label: string; color: `--${string}`; values: readonly number[] };

type ChartData = {
  /** When each bucket begins, in milliseconds. */
  times: readonly number[];
  bucketMs: number;
  bars: readonly Bars[];
  /** A share of each bucket; absent where it has none. */
  line: { label: string; values: readonly (number | undefined)[] };
  /** Buckets with no calling hours, which are shaded. */
  closed: readonly boolean[];
  /** Every hour of a day of this zone: labels stand at its hours. Otherwise times are those of the reader. */
  zone?: string | undefined;
};

const height = 240;
const axisWidth = 52;

/** Each series on top of the series before it. Drawn from the highest to the lowest, each hides the rest. */
const stacked = (bars: readonly Bars[]): number[][] => {
  let below: number[] = [];
  return bars.map(({ values }) => {
    below = values.map((value, i) => value + (below[i] ?? 0));
    return below;
  });
};

const dataOf = ({ times, bucketMs, bars, line }: ChartData): uPlot.AlignedData => [
  times.map((time) => (time + bucketMs / 2) / 1000),
  ...stacked(bars).reverse(),
  line.values.map((value) => value ?? null),
];

/** A colour as it is shown now: a token names a colour for light and a colour for dark. */
const colorOf = (name: string): string => {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.color = `var(${name})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

/** The time of each label; the day too where it is another than that of the label before. */
const timeLabels = (splits: readonly number[]): string[] =>
  splits.map((second, i) => {
    const day = shortDayText(second * 1000);
    const isNew = i === 0 || day !== shortDayText((splits[i - 1] as number) * 1000);
    return isNew ? `${timeText(second * 1000)}\n${day}` : timeText(second * 1000);
  });

const labelWidth = 64;
const stepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336].map((hours) => hours * hourMs),
];

/** The buckets that have a label, as far apart as the labels are wide; the first and the last where it would be fewer. */
const labelled = ({ times, bucketMs, zone }: ChartData, width: number): number[] => {
  const room = width / times.length / bucketMs;
  const step = stepsMs.find((ms) => ms >= bucketMs && ms * room >= labelWidth) ?? Number.POSITIVE_INFINITY;
  const clockAt = (time: number, i: number) =>
    zone === undefined ? time - new Date(time).getTimezoneOffset() * minuteMs : i * bucketMs;
  const round = times.filter((time, i) => clockAt(time, i) % step === 0);
  const shown = round.length > 1 ? round : [times[0], times.at(-1)];
  return [...new Set(shown)].map((time = 0) => time / 1000);
};

const shadeClosed = (plot: uPlot, { times, bucketMs, closed }: ChartData): void => {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colorOf('--sunken');
  times.forEach((time, i) => {
    if (!closed[i]) return;
    const [from, to] = [time, time + bucketMs].map((ms) => plot.valToPos(ms / 1000, 'x', true));
    ctx.fillRect(from as number, bbox.top, (to as number) - (from as number), bbox.height);
  });
  ctx.restore();
};

type Pointed = { at: number; left: number; width: number };

const pointedIn = ({ cursor: { idx, left = -1 }, over, width }: uPlot): Pointed | undefined =>
  idx == null || left < 0 ? undefined : { at: idx, left: left + over.offsetLeft, width };

/** What the bucket under the pointer holds. */
const Tip = ({ times, bars, line, zone, at, left, width }: ChartData & Pointed) => {
  const time = times[at];
  if (time === undefined) return null;
  const share = line.values[at];
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
  return (
    <div class={`${css.chartTip} popup`} style={side}>
      <strong>{zone === undefined ? momentText(time) : timeInZone(time, zone)}</strong>
      {bars.map(({ label, values }) => (
        <div key={label}>{`${label}: ${numberText(values[at] ?? 0)}`}</div>
      ))}
      <div>{`${line.label}: ${share === undefined ? '–' : percentText(share)}`}</div>
    </div>
  );
};

type Point = (pointed: Pointed | undefined) => void;

/** The index of the only value, if there is one. */
const singleIn = (values: ArrayLike<number | null | undefined> = []): number[] => {
  const known = Array.from(values).flatMap((value, i) => (value == null ? [] : [i]));
  return known.length === 1 ? known : [];
};

const optionsFor = (width: number, shown: () => ChartData, point: Point): uPlot.Options => {
  const { bars, bucketMs, zone } = shown();
  const paths = uPlot.paths.bars?.({ size: [0.8, 40] });
  const axis = {
    stroke: colorOf('--soft'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { stroke: colorOf('--line'), width: 1 },
    font: `12px ${getComputedStyle(document.body).fontFamily}`,
  };
  const bar = bucketMs / 1000;
  return {
    width,
    height,
    // The last label is as wide as the others.
    padding: [10, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { range: ({ data: [times] }) => [(times[0] ?? 0) - bar / 2, (times.at(-1) ?? 0) + bar / 2] },
      y: { range: (_, _min, most) => [0, Math.max(4, most * 1.08)] },
      share: { range: () => [0, 1] },
    },
    axes: [
      {
        ...axis,
        size: 48,
        splits: ({ width }) => labelled(shown(), width - axisWidth * 2),
        values: (_, splits) =>
          zone === undefined ? timeLabels(splits) : splits.map((second) => timeInZone(second * 1000, zone)),
      },
      {
        ...axis,
        size: axisWidth,
        values: (_, splits) => splits.map((v) => (Number.isInteger(v) ? numberText(v) : '')),
      },
      {
        ...axis,
        scale: 'share',
        side: 1,
        size: axisWidth,
        grid: { show: false },
        values: (_, splits) => splits.map(percentText),
      },
    ],
    series: [
      {},
      ...[...bars].reverse().map(({ color }) => ({
        fill: colorOf(color),
        width: 0,
        points: { show: false },
        ...(paths === undefined ? {} : { paths }),
      })),
      {
        ...{ scale: 'share', stroke: colorOf('--accent'), width: 2, spanGaps: true },
        points: {
          ...{ size: 11, width: 2, stroke: colorOf('--surface'), fill: colorOf('--accent') },
          // Dense points are left to their line; a single one has none.
          filter: (plot, series, show) => (show ? null : singleIn(plot.data[series])),
        },
      },
    ],
    hooks: {
      drawClear: [(plot) => shadeClosed(plot, shown())],
      setCursor: [(plot) => point(pointedIn(plot))],
    },
  };
};

/** Stacked bars and a share over time. What it shows is also there as a table, beside it. */
export const CallsPlot = (props: ChartData) => {
  const box = useRef<HTMLDivElement>(null);
  const [pointed, point] = useState<Pointed | undefined>();
  const shade = useStore(theme);
  const shown = useRef(props);
  shown.current = props;
  const drawn = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    const parent = box.current;
    if (parent === null) return;
    const options = optionsFor(parent.clientWidth, () => shown.current, point);
    const plot = new uPlot(options, dataOf(shown.current), parent);
    drawn.current = plot;
    const watching = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    watching.observe(parent);
    return () => {
      watching.disconnect();
      plot.destroy();
    };
    // Colours and words are read when it is made.
  }, [shade, props.bucketMs, props.line.label]);
  useEffect(() => drawn.current?.setData(dataOf(props)), [JSON.stringify(props)]);
  return (
    <div class={css.chart} ref={box} aria-hidden="true">
      {pointed && <Tip {...props} {...pointed} />}
    </div>
  );
};
