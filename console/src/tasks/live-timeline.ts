import { useEffect } from 'preact/hooks';
import type { TaskOverview } from '../../../client/answers.ts';
import { instantOf } from '../i18n/format.ts';
import { type Base, baseOf, isMore, type Totals, withSince } from './calls-since.ts';
import { useTimeline } from './queries.ts';
import { everyMs, liveMs, units } from './reading.ts';

export type Bucket = 'hour' | 'minute';
const bucketMs = { hour: 3_600_000, minute: 60_000 } as const;

const totalsOf = ({ calls: { success, failed, noAnswer } }: TaskOverview): Totals => ({
  success,
  failed,
  noAnswer,
});

/** By what was read: it is kept as long, also while another bucket or another screen is shown. */
const bases = new WeakMap<object, Base & { readAt: number }>();

/**
 * Calls over time, as fresh as the overview `task` of the instant `at`: what has come since the timeline was read
 * follows from its counts. The timeline itself is read again when there is something new, and rarely.
 */
export const useLiveTimeline = (task: TaskOverview, at: number, bucket: Bucket) => {
  const timeline = useTimeline(task.id, bucket);
  const { dataUpdatedAt, isPlaceholderData } = timeline;
  const data = isPlaceholderData ? undefined : timeline.data;
  const now = totalsOf(task);
  const rows = (data?.rows ?? []).map((row) => ({ ...row, time: instantOf(row.time) }));
  const known = data && bases.get(data);
  const base = known ?? baseOf(rows, dataUpdatedAt, { at, totals: now });
  useEffect(() => {
    if (data === undefined) return;
    const age = at - dataUpdatedAt;
    // Nobody looked at the task for so long after the reading that nothing is known of its moment.
    const isForgotten = known === undefined && !base?.exact && age > 2 * liveMs;
    const hasNews = base !== undefined && (!base.exact || isMore(now, base.totals));
    if (isForgotten || (hasNews && age >= everyMs(units.timeline, task))) return void timeline.refetch();
    // Read again, and the same: no call ended meanwhile.
    const isSame = known !== undefined && known.readAt !== dataUpdatedAt && !isMore(now, known.totals);
    if (base) bases.set(data, { ...base, exact: base.exact || isSame, readAt: dataUpdatedAt });
  }, [at, data, dataUpdatedAt]);
  return {
    isPending: timeline.isPending || isPlaceholderData,
    rows: withSince(rows, base?.totals ?? now, now, at, bucketMs[bucket]),
    bucketMs: bucketMs[bucket],
  };
};
