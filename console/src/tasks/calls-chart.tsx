import { useState } from 'preact/hooks';
import type { TaskOverview } from '../../../client/answers.ts';
import { openFrom, type Schedule } from '../../../shared/domain/schedule.ts';
import {
  type Bucket,
  bucketMs,
  bucketOf,
  spanMs,
  type TimelineRow,
} from '../../../shared/domain/tasks/timeline.ts';
import { instantOf, momentText, numberText } from '../i18n/format.ts';
import { type Dictionary, useWords } from '../i18n/i18n.ts';
import { Card } from '../ui/card.tsx';
import type { ChartData } from '../ui/chart.tsx';
import { lazy } from '../ui/lazy.tsx';
import { OutcomeLabel } from '../ui/outcome.tsx';
import { Toggle } from '../ui/toggle.tsx';
import './calls-chart.css';
import { callsOf } from './pace.ts';
import { shareText, zoneOf } from './task-words.ts';
import { useTimeline } from './use-pace.ts';

const CallsPlot = lazy(async () => (await import('../ui/chart.tsx')).CallsPlot, 240);

const rateOf = (row: TimelineRow) => (callsOf(row) === 0 ? undefined : row.success / callsOf(row));

/** Every bucket from the first call to `until`, those without calls too. */
const filled = (rows: readonly TimelineRow[], bucket: Bucket, until: number): TimelineRow[] => {
  const [first, last] = [rows[0]?.time, bucketOf(bucket, until)];
  if (first === undefined) return [];
  const known = new Map(rows.map((row) => [row.time, row]));
  const length = Math.max(1, Math.round((last - first) / bucketMs[bucket]) + 1);
  return Array.from({ length }, (_, i) => {
    const time = first + i * bucketMs[bucket];
    return known.get(time) ?? { time, success: 0, failed: 0, noAnswer: 0 };
  });
};

export const chartOf = (
  rows: readonly TimelineRow[],
  bucket: Bucket,
  t: Dictionary,
  isClosed: (time: number) => boolean = () => false,
): ChartData => ({
  times: rows.map(({ time }) => time),
  bucketMs: bucketMs[bucket],
  bars: [
    { label: t.outcome.reached, color: '--reached', values: rows.map((row) => row.success) },
    { label: t.outcome.noAnswer, color: '--no-answer', values: rows.map((row) => row.noAnswer) },
    { label: t.outcome.failed, color: '--failed', values: rows.map((row) => row.failed) },
  ],
  line: { label: t.task.connectRate, values: rows.map(rateOf) },
  closed: rows.map(({ time }) => isClosed(time)),
});

/** Calls by outcome in each bucket, as a chart or as a table. */
export const CallsFigure = ({
  title,
  rows,
  bucket,
  asTable,
  isClosed,
}: {
  title: string;
  rows: readonly TimelineRow[];
  bucket: Bucket;
  asTable: boolean;
  isClosed?: (time: number) => boolean;
}) => {
  const t = useWords();
  if (!asTable) {
    return (
      <>
        <CallsPlot {...chartOf(rows, bucket, t, isClosed)} />
        <div class="chart-key row wrap">
          <OutcomeLabel outcome="reached" />
          <OutcomeLabel outcome="noAnswer" />
          <OutcomeLabel outcome="failed" />
          <span class="key row">{t.task.connectRate}</span>
          {isClosed && rows.some(({ time }) => isClosed(time)) && (
            <span class="key closed row">{t.task.closedHours}</span>
          )}
        </div>
      </>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-scroll short" tabIndex={0} aria-label={title}>
      <table class="table">
        <thead>
          <tr>
            <th>{bucket === 'hour' ? t.task.bucketHour : t.task.bucketMinute}</th>
            {(['reached', 'noAnswer', 'failed'] as const).map((outcome) => (
              <th key={outcome} class="number">
                {t.outcome[outcome]}
              </th>
            ))}
            <th class="number">{t.task.connectRate}</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter((row) => callsOf(row) > 0)
            .reverse()
            .map((row) => (
              <tr key={row.time}>
                <td>{momentText(row.time)}</td>
                <td class="number">{numberText(row.success)}</td>
                <td class="number">{numberText(row.noAnswer)}</td>
                <td class="number">{numberText(row.failed)}</td>
                <td class="number">{shareText(rateOf(row))}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
};

/** Calls of a task over time: minutes while it is young, hours after that, unless the reader chooses. */
export const CallsChart = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const now = Date.now();
  const isYoung = task.startTime !== null && now - instantOf(task.startTime) < spanMs.minute;
  const [chosen, setBucket] = useState<Bucket | undefined>();
  const [asTable, setAsTable] = useState(false);
  const bucket = chosen ?? (isYoung ? 'minute' : 'hour');
  const timeline = useTimeline(task, bucket);
  const until = task.endTime === null ? now : instantOf(task.endTime);
  const rows = filled(timeline.rows, bucket, until);
  const zone = zoneOf(task);
  const isClosed = (time: number) => {
    const opens = openFrom(task as Schedule, time, zone);
    return opens === undefined || opens >= time + bucketMs[bucket];
  };
  return (
    <Card
      title={t.task.calls}
      tools={
        <>
          <Toggle
            label={t.task.calls}
            value={bucket}
            options={[
              { value: 'hour', label: t.task.byHour },
              { value: 'minute', label: t.task.byMinute },
            ]}
            onValue={setBucket}
          />
          <button
            type="button"
            class="text-button bare"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? t.common.asChart : t.common.asTable}
          </button>
        </>
      }
    >
      <div class="chart-place">
        {rows.length === 0 ? (
          <p class="chart-empty faint">
            {timeline.isPending
              ? ''
              : bucket === 'minute' && task.calls.total > 0
                ? t.task.noRecent
                : t.task.noCalls}
          </p>
        ) : (
          <CallsFigure
            title={t.task.calls}
            rows={rows}
            bucket={bucket}
            asTable={asTable}
            isClosed={isClosed}
          />
        )}
      </div>
    </Card>
  );
};
