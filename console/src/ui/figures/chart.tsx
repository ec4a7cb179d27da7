import { useState } from 'preact/hooks';
import { hourMs, minuteMs } from '../../../../shared/platform/time/time.ts';
import { momentText, numberText, shortDayText, timeInZone, timeText } from '../../i18n/i18n.ts';
import css from './chart.module.css';

/** One part of each bar, the lowest first. */
type Part = { label: string; color: `--${string}`; values: readonly number[] };

export type ChartData = {
  /** When each bucket begins, in milliseconds. */
  times: readonly number[];
  bucketMs: number;
  parts: readonly Part[];
  /** What is said of a bucket below its parts, and below its time where every bucket has a label. */
  note?: { label: string; values: readonly (string | undefined)[] } | undefined;
  /** Buckets with no calling hours, which are shaded. */
  closed?: readonly boolean[];
  /** The same buckets of the day before, which stand behind. */
  before?: { label: string; values: readonly number[] } | undefined;
  /** The buckets are the hours of a day of this zone. Otherwise times are those of the reader. */
  zone?: string | undefined;
  isSmall?: boolean;
};

/** So that one call does not look like all that can be. */
const leastTop = 5;
const linesAtMost = 4;

/** Round figures from below to above the highest bar. */
const linesOf = (most: number): number[] => {
  const raw = Math.max(leastTop, most) / linesAtMost;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = Math.max(1, ([1, 2, 5].find((each) => each * power >= raw) ?? 10) * power);
  return Array.from({ length: Math.ceil(Math.max(leastTop, most) / step) }, (_, i) => (i + 1) * step);
};

const labelsAtMost = { usual: 13, small: 8 };
const stepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336].map((hours) => hours * hourMs),
];

/** The buckets that have a label, at round times; the first and the last where it would be fewer. */
const labelled = ({ times, bucketMs, zone, isSmall }: ChartData): number[] => {
  const span = times.length * bucketMs;
  const most = labelsAtMost[isSmall ? 'small' : 'usual'];
  const step = stepsMs.find((ms) => ms >= bucketMs && span / ms <= most) ?? Number.POSITIVE_INFINITY;
  const clockAt = (time: number, i: number) =>
    zone === undefined ? time - new Date(time).getTimezoneOffset() * minuteMs : i * bucketMs;
  const round = times.flatMap((time, i) => (clockAt(time, i) % step === 0 ? [i] : []));
  return round.length > 1 ? round : [...new Set([0, times.length - 1])];
};

const Ticks = (data: ChartData) => {
  const { times, note, zone } = data;
  const shown = labelled(data);
  const isEach = shown.length === times.length;
  const words = (i: number): string => {
    const time = times[i] as number;
    const clock = zone === undefined ? timeText(time) : timeInZone(time, zone);
    const day = shortDayText(time);
    const before = times[shown[shown.indexOf(i) - 1] ?? -1];
    const isNewDay = before === undefined ? day !== shortDayText(Date.now()) : day !== shortDayText(before);
    if (zone === undefined && isNewDay) return `${clock}\n${day}`;
    return isEach && note ? `${clock}\n${note.values[i] ?? ''}` : clock;
  };
  return (
    <div class={css.ticks}>
      {times.map((time, i) => (
        <span key={time} class={`${css.tick} ${shown.indexOf(i) % 2 === 1 ? 'odd' : ''}`}>
          {shown.includes(i) && <span>{words(i)}</span>}
        </span>
      ))}
    </div>
  );
};

/** What the bucket under the pointer holds. */
const Tip = ({ times, parts, note, before, zone, at }: ChartData & { at: number }) => {
  const time = times[at];
  if (time === undefined) return null;
  const side = at > times.length / 2 ? 'right' : 'left';
  const room = side === 'left' ? at + 1 : times.length - at;
  return (
    <div class={`${css.tip} popup`} style={{ [side]: `${(100 * room) / times.length}%` }}>
      <strong>{zone === undefined ? momentText(time) : timeInZone(time, zone)}</strong>
      {[...parts, ...(before ? [before] : [])].map(({ label, values }) => (
        <div key={label}>{`${label}: ${numberText(values[at] ?? 0)}`}</div>
      ))}
      {note?.values[at] && <div>{`${note.label}: ${note.values[at]}`}</div>}
    </div>
  );
};

/** Stacked bars over time. What they show is also there as a table, beside them. */
export const Chart = (data: ChartData) => {
  const { times, parts, closed, before, isSmall } = data;
  const [at, point] = useState<number | undefined>();
  const sums = times.map((_, i) => parts.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));
  const lines = linesOf(Math.max(0, ...sums, ...(before?.values ?? [])));
  // A small one has room for the figures above its bars instead of lines.
  const whole = isSmall ? 78 : 100;
  const percent = (value = 0) => `${(whole * value) / (lines.at(-1) as number)}%`;
  return (
    <div
      class={isSmall ? `${css.chart} small` : css.chart}
      aria-hidden="true"
      onPointerLeave={() => point(undefined)}
    >
      <div class={css.plot}>
        {!isSmall &&
          lines.map((value) => (
            <div key={value} class={css.line} style={{ bottom: percent(value) }}>
              <span>{numberText(value)}</span>
            </div>
          ))}
        <div class={css.columns}>
          {times.map((time, i) => (
            <div
              key={time}
              class={`${css.column} ${closed?.[i] ? 'closed' : ''}`}
              onPointerEnter={() => point(i)}
            >
              {before && <span class={css.before} style={{ height: percent(before.values[i]) }} />}
              <span class={css.stack}>
                {isSmall && sums[i] ? <b>{numberText(sums[i])}</b> : null}
                {[...parts]
                  .reverse()
                  .map(({ label, color, values }) =>
                    values[i] ? (
                      <i key={label} style={{ height: percent(values[i]), background: `var(${color})` }} />
                    ) : null,
                  )}
              </span>
            </div>
          ))}
        </div>
        {at !== undefined && <Tip {...data} at={at} />}
      </div>
      <Ticks {...data} />
    </div>
  );
};
