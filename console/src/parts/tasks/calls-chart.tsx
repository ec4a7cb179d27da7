import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { TaskOverview } from '../../../../client/client.ts';
import {
  type Bucket,
  bucketMs,
  bucketOf,
  buckets,
  callsOf,
  spanMs,
  type TimelineRow,
} from '../../../../shared/calls/rules/timeline.ts';
import { openFrom, type Schedule } from '../../../../shared/platform/time/schedule.ts';
import { callsPath } from '../../base/paths.ts';
import { instantOf, momentText, numberText, timeInZone, useWords } from '../../i18n/i18n.ts';
import { Toggle } from '../../ui/fields/field.tsx';
import { Chart } from '../../ui/figures/chart.tsx';
import { colors, OutcomeLabel, standingOf } from '../../ui/figures/figures.tsx';
import { Table } from '../../ui/lists/table.tsx';
import { agedWords, Card } from '../../ui/page/page.tsx';
import css from './calls-chart.module.css';
import { type Timeline, useTimelines } from './queries.ts';
import { connectRateText } from './task-words.ts';

/** From the lowest bar to the highest. */
const shown = ['success', 'noAnswer', 'failed'] as const;

/** Every bucket from the first call to `until`, those without calls too. */
const callsByBucket = (rows: readonly TimelineRow[], bucket: Bucket, until: number): TimelineRow[] => {
  const [first, last] = [rows[0]?.time, bucketOf(bucket, until)];
  if (first === undefined) return [];
  const known = new Map(rows.map((row) => [row.time, row]));
  const length = Math.max(1, Math.round((last - first) / bucketMs[bucket]) + 1);
  return Array.from({ length }, (_, i) => {
    const time = first + i * bucketMs[bucket];
    return known.get(time) ?? { time, success: 0, failed: 0, noAnswer: 0 };
  });
};

type Props = {
  title: string;
  rows: readonly TimelineRow[];
  bucket: Bucket;
  /** Said where there are no calls. */
  none: string;
  tools?: ComponentChildren;
  note?: string | false;
  /** Said where the calls could not be read. */
  age?: string | undefined;
  isClosed?: (time: number) => boolean;
  /** The rows are the hours of a day of this zone. */
  zone?: string;
  /** Calls of the same hours of the day before. */
  before?: readonly number[] | undefined;
};

/** Calls by outcome in each bucket, as a chart or as a table. */
export const CallsCard = ({
  title,
  rows,
  bucket,
  none,
  tools,
  note,
  age,
  isClosed = () => false,
  zone,
  before,
}: Props) => {
  const t = useWords();
  const [asTable, setAsTable] = useState(false);
  const closed = rows.map(({ time }) => isClosed(time));
  const rateOf = (row: TimelineRow) =>
    callsOf(row) === 0 ? undefined : connectRateText({ success: row.success, total: callsOf(row) }, t);
  const chart = () => (
    <>
      <Chart
        times={rows.map(({ time }) => time)}
        bucketMs={bucketMs[bucket]}
        parts={shown.map((outcome) => ({
          label: t.outcome[outcome],
          color: colors[standingOf(outcome)],
          values: rows.map((row) => row[outcome]),
        }))}
        note={{ label: t.task.connectRate, values: rows.map(rateOf) }}
        before={before && { label: t.today.dayBefore, values: before }}
        closed={closed}
        zone={zone}
      />
      <div class={`${css.chartKey} row wrap`}>
        {shown.map((outcome) => (
          <OutcomeLabel key={outcome} outcome={outcome} />
        ))}
        {before && <span class={`${css.key} before row`}>{t.today.dayBefore}</span>}
        {closed.includes(true) && <span class={`${css.key} row`}>{t.task.closedHours}</span>}
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
            title: t.task.bucket[bucket],
            cell: ({ time }) => (zone === undefined ? momentText(time) : timeInZone(time, zone)),
          },
          ...shown.map((outcome) => ({
            title: t.outcome[outcome],
            class: 'number',
            cell: (row: TimelineRow) => numberText(row[outcome]),
          })),
          {
            title: t.task.connectRate,
            class: 'number',
            cell: (row) => rateOf(row) ?? '–',
          },
        ]}
      />
    </section>
  );
  return (
    <Card
      title={title}
      tools={
        <>
          {tools}
          <button type="button" class="text-button bare" onClick={() => setAsTable(!asTable)}>
            {asTable ? t.common.asChart : t.common.asTable}
          </button>
        </>
      }
    >
      {note && <p class="sub">{note}</p>}
      {age && (
        <p class="sub why" role="status">
          {age}
        </p>
      )}
      <div class={css.chartRoom}>
        {rows.length === 0 ? <p class={`${css.chartEmpty} faint`}>{none}</p> : asTable ? table() : chart()}
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
  const [timeline] = useTimelines([task], bucket) as [Timeline];
  const until = task.endTime === null ? now : instantOf(task.endTime);
  const isClosed = (time: number) => {
    const opens = openFrom(task as Schedule, time, task.timeZone);
    return opens === undefined || opens >= time + bucketMs[bucket];
  };
  const none = bucket === 'minute' && task.calls.total > 0 ? t.task.noRecent : t.task.noCalls;
  return (
    <CallsCard
      title={t.task.callsOverTime}
      rows={callsByBucket(timeline.data ?? [], bucket, until)}
      bucket={bucket}
      none={timeline.data === undefined ? '' : none}
      age={agedWords(timeline, t)}
      isClosed={isClosed}
      tools={
        <>
          <Link href={callsPath(task.id)}>{t.calls.all}</Link>
          <Toggle
            label={t.task.callsOverTime}
            value={bucket}
            options={buckets.map((value) => ({ value, label: t.task.byBucket[value] }))}
            onValue={setBucket}
          />
        </>
      }
    />
  );
};
