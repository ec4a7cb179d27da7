import type { ComponentChildren } from 'preact';
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
import { looks, OutcomeLabel } from '../ui/outcome.tsx';
import { Table } from '../ui/table.tsx';
import { Toggle } from '../ui/toggle.tsx';
import './calls-chart.css';
import { callsOf } from './pace.ts';
import { shareText, zoneOf } from './task-words.ts';
import { useTimeline } from './use-pace.ts';

const CallsPlot = lazy(async () => (await import('../ui/chart.tsx')).CallsPlot, 240);

/** From the lowest bar to the highest: what it shows, and where a row has it. */
const shown = [
  ['reached', 'success'],
  ['noAnswer', 'noAnswer'],
  ['failed', 'failed'],
] as const;

const rateOf = (row: TimelineRow) => (callsOf(row) === 0 ? undefined : row.success / callsOf(row));

/** Every bucket from the first call to `until`, those without calls too. */
export const callsByBucket = (rows: readonly TimelineRow[], bucket: Bucket, until: number): TimelineRow[] => {
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
  bars: shown.map(([outcome, name]) => ({
    label: t.outcome[outcome],
    color: looks[outcome].color,
    values: rows.map((row) => row[name]),
  })),
  line: { label: t.task.connectRate, values: rows.map(rateOf) },
  closed: rows.map(({ time }) => isClosed(time)),
});

type CallsCardProps = {
  title: string;
  rows: readonly TimelineRow[];
  bucket: Bucket;
  /** Said where there are no calls. */
  none: string;
  tools?: ComponentChildren;
  note?: string | false;
  isClosed?: (time: number) => boolean;
};

/** Calls by outcome in each bucket, as a chart or as a table. */
export const CallsCard = ({ title, rows, bucket, none, tools, note, isClosed }: CallsCardProps) => {
  const t = useWords();
  const [asTable, setAsTable] = useState(false);
  const plot = () => (
    <>
      <CallsPlot {...chartOf(rows, bucket, t, isClosed)} />
      <div class="chart-key row wrap">
        {shown.map(([outcome]) => (
          <OutcomeLabel key={outcome} outcome={outcome} />
        ))}
        <span class="key row">{t.task.connectRate}</span>
        {isClosed && rows.some(({ time }) => isClosed(time)) && (
          <span class="key closed row">{t.task.closedHours}</span>
        )}
      </div>
    </>
  );
  const table = () => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-scroll short" tabIndex={0} aria-label={title}>
      <Table
        rows={rows.filter((row) => callsOf(row) > 0).reverse()}
        idOf={({ time }) => time}
        columns={[
          {
            title: bucket === 'hour' ? t.task.bucketHour : t.task.bucketMinute,
            cell: ({ time }) => momentText(time),
          },
          ...shown.map(([outcome, name]) => ({
            title: t.outcome[outcome],
            class: 'number',
            cell: (row: TimelineRow) => numberText(row[name]),
          })),
          { title: t.task.connectRate, class: 'number', cell: (row) => shareText(rateOf(row)) },
        ]}
      />
    </section>
  );
  const turn = (
    <button type="button" class="text-button bare" onClick={() => setAsTable(!asTable)}>
      {asTable ? t.common.asChart : t.common.asTable}
    </button>
  );
  return (
    <Card
      title={title}
      tools={
        <>
          {tools}
          {turn}
        </>
      }
    >
      {note && <p class="sub">{note}</p>}
      <div class="chart-place">
        {rows.length === 0 ? <p class="chart-empty faint">{none}</p> : asTable ? table() : plot()}
      </div>
    </Card>
  );
};

/** Calls of a task over time: minutes while it is young, hours after that, unless the reader chooses. */
export const CallsChart = ({ task }: { task: TaskOverview }) => {
  const t = useWords();
  const now = Date.now();
  const isYoung = task.startTime !== null && now - instantOf(task.startTime) < spanMs.minute;
  const [chosen, setBucket] = useState<Bucket | undefined>();
  const bucket = chosen ?? (isYoung ? 'minute' : 'hour');
  const timeline = useTimeline(task, bucket);
  const until = task.endTime === null ? now : instantOf(task.endTime);
  const rows = callsByBucket(timeline.rows, bucket, until);
  const zone = zoneOf(task);
  const isClosed = (time: number) => {
    const opens = openFrom(task as Schedule, time, zone);
    return opens === undefined || opens >= time + bucketMs[bucket];
  };
  const none = bucket === 'minute' && task.calls.total > 0 ? t.task.noRecent : t.task.noCalls;
  return (
    <CallsCard
      title={t.task.calls}
      rows={rows}
      bucket={bucket}
      none={timeline.isPending ? '' : none}
      isClosed={isClosed}
      tools={
        <Toggle
          label={t.task.calls}
          value={bucket}
          options={[
            { value: 'hour', label: t.task.byHour },
            { value: 'minute', label: t.task.byMinute },
          ]}
          onValue={setBucket}
        />
      }
    />
  );
};
