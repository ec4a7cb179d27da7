import { useState } from 'preact/hooks';
import type { TaskOverview } from '../../../client/answers.ts';
import { momentText, numberText } from '../i18n/format.ts';
import { useWords } from '../i18n/i18n.ts';
import type { Series } from '../ui/chart.tsx';
import { lazy } from '../ui/lazy.tsx';
import { OutcomeLabel } from '../ui/outcome.tsx';
import { Toggle } from '../ui/toggle.tsx';
import { useLiveTimeline } from './live-timeline.ts';
import './calls-chart.css';

const StackedChart = lazy(async () => (await import('../ui/chart.tsx')).StackedChart, 220);

/** Calls by outcome over time, as a chart and as a table. */
export const CallsChart = ({ task, at }: { task: TaskOverview; at: number }) => {
  const t = useWords();
  const [bucket, setBucket] = useState<'hour' | 'minute'>('hour');
  const [asTable, setAsTable] = useState(false);
  const timeline = useLiveTimeline(task, at, bucket);
  const rows = timeline.rows;
  const series: Series[] = [
    { label: t.outcome.reached, color: '--reached', values: rows.map((row) => row.success) },
    { label: t.outcome.noAnswer, color: '--no-answer', values: rows.map((row) => row.noAnswer) },
    { label: t.outcome.failed, color: '--failed', values: rows.map((row) => row.failed) },
  ];
  return (
    <section class="card padded" aria-labelledby="calls-title">
      <div class="card-title">
        <h2 id="calls-title">{t.task.calls}</h2>
        <div class="card-tools">
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
            class="text-button"
            aria-pressed={asTable}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? t.common.asChart : t.common.asTable}
          </button>
        </div>
      </div>
      <div class="chart-place">
        {rows.length === 0 && <p class="chart-empty faint">{timeline.isPending ? '' : t.task.noCalls}</p>}
        {rows.length > 0 && !asTable && (
          <>
            <StackedChart times={rows.map(({ time }) => time)} series={series} bucketMs={timeline.bucketMs} />
            <div class="chart-key">
              <OutcomeLabel outcome="reached" />
              <OutcomeLabel outcome="noAnswer" />
              <OutcomeLabel outcome="failed" />
            </div>
          </>
        )}
        {rows.length > 0 && asTable && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <section class="table-scroll short" tabIndex={0} aria-label={t.task.calls}>
            <table class="table">
              <thead>
                <tr>
                  <th>{bucket === 'hour' ? t.task.bucketHour : t.task.bucketMinute}</th>
                  <th class="number">{t.outcome.reached}</th>
                  <th class="number">{t.outcome.noAnswer}</th>
                  <th class="number">{t.outcome.failed}</th>
                </tr>
              </thead>
              <tbody>
                {[...rows].reverse().map((row) => (
                  <tr key={row.time}>
                    <td>{momentText(row.time)}</td>
                    <td class="number">{numberText(row.success)}</td>
                    <td class="number">{numberText(row.noAnswer)}</td>
                    <td class="number">{numberText(row.failed)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </div>
    </section>
  );
};
