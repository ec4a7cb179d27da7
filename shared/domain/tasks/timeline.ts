import { type FormatTime, hourMs, type Instant, minuteMs } from '../time.ts';

export const buckets = ['hour', 'minute'] as const;
export type Bucket = (typeof buckets)[number];

export const bucketMs: Record<Bucket, number> = { hour: hourMs, minute: minuteMs };
/** How far back a timeline goes: 30 days of hours, 3 hours of minutes. */
export const spanMs: Record<Bucket, number> = { hour: 30 * 24 * hourMs, minute: 3 * hourMs };

/** The calls that ended within one bucket, which begins at `time`. */
export type TimelineRow = { time: Instant; success: number; failed: number; noAnswer: number };

export const bucketOf = (bucket: Bucket, instant: Instant): Instant =>
  Math.floor(instant / bucketMs[bucket]) * bucketMs[bucket];

export const timelineRow = ({ time, success, failed, noAnswer }: TimelineRow, format: FormatTime) => ({
  time: format(time),
  total: success + failed + noAnswer,
  success,
  failed,
  noAnswer,
});
