import { useEffect, useState } from 'preact/hooks';
import type { TaskOverview } from '../../../client/answers.ts';
import { instantOf } from '../i18n/format.ts';
import { useTimeline } from './queries.ts';
import { everyMs, units } from './reading.ts';

export type Bucket = 'hour' | 'minute';
/** Calls by outcome from `time` on, an instant. */
export type CallsOf = { time: number; success: number; failed: number; noAnswer: number };
type Totals = Omit<CallsOf, 'time'>;

const bucketMs = { hour: 3_600_000, minute: 60_000 } as const;

const totalsOf = ({ calls: { success, failed, noAnswer } }: TaskOverview): Totals => ({
  success,
  failed,
  noAnswer,
});

/** The rows with the calls that have ended since they were read, which are those of the bucket at `at`. */
export const withSince = (
  rows: readonly CallsOf[],
  since: Totals,
  now: Totals,
  at: number,
  lengthMs: number,
): CallsOf[] => {
  const more = {
    success: now.success - since.success,
    failed: now.failed - since.failed,
    noAnswer: now.noAnswer - since.noAnswer,
  };
  if (more.success + more.failed + more.noAnswer <= 0) return [...rows];
  const last = rows.at(-1);
  const time = Math.max(last?.time ?? 0, Math.floor(at / lengthMs) * lengthMs);
  const same = last?.time === time ? last : { success: 0, failed: 0, noAnswer: 0 };
  const current = {
    time,
    success: same.success + more.success,
    failed: same.failed + more.failed,
    noAnswer: same.noAnswer + more.noAnswer,
  };
  return [...(same === last ? rows.slice(0, -1) : rows), current];
};

/**
 * Calls over time, as fresh as the overview `task` of the instant `at`: what has come since the timeline was read
 * follows from its counts. The timeline itself is read again when there is something new, and rarely.
 */
export const useLiveTimeline = (task: TaskOverview, at: number, bucket: Bucket) => {
  const timeline = useTimeline(task.id, bucket);
  const { dataUpdatedAt, data } = timeline;
  const [since, setSince] = useState({ readAt: 0, totals: totalsOf(task) });
  const now = totalsOf(task);
  useEffect(() => {
    if (dataUpdatedAt !== since.readAt) setSince({ readAt: dataUpdatedAt, totals: now });
    else if (at - dataUpdatedAt >= everyMs(units.timeline, task) && isMore(now, since.totals)) {
      void timeline.refetch();
    }
  }, [at, dataUpdatedAt]);
  const rows = (data?.rows ?? []).map((row) => ({ ...row, time: instantOf(row.time) }));
  const base = since.readAt === dataUpdatedAt ? since.totals : now;
  return {
    isPending: timeline.isPending,
    rows: withSince(rows, base, now, at, bucketMs[bucket]),
    bucketMs: bucketMs[bucket],
  };
};

const isMore = (now: Totals, before: Totals) =>
  now.success + now.failed + now.noAnswer > before.success + before.failed + before.noAnswer;
