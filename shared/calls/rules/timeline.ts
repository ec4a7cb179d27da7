import { invalid } from '../../platform/rules/errors.ts';
import { dayMs, type FormatTime, hourMs, type Instant, minuteMs } from '../../platform/time/time.ts';
import { instantAt, steadyTimeAt } from '../../platform/time/zones.ts';
import { type Outcome, outcomes, toMilliseconds } from '../../tasks/rules/task-settings.ts';
import type { TaskStatus } from '../../tasks/rules/task-states.ts';

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

export const callsOf = ({ success, failed, noAnswer }: Omit<TimelineRow, 'time'>): number =>
  success + failed + noAnswer;

const minutesCounted = 5;

/** Calls a minute over the last five. A minute that began before them counts by its share. */
export const perMinuteOf = (minutes: readonly TimelineRow[], now: Instant): number => {
  const since = now - minutesCounted * bucketMs.minute;
  const calls = minutes.reduce((sum, row) => {
    const share = Math.min(1, Math.max(0, (row.time + bucketMs.minute - since) / bucketMs.minute));
    return sum + share * callsOf(row);
  }, 0);
  return calls / minutesCounted;
};

/** Calls of an outcome that ended from `time` on, or the seconds of talk in them. */
export type CountedCalls = { time: Instant; what: Outcome | 'talk'; count: number };

/** What a task did on a day. `status` is `null` if the task was deleted. */
export type TaskDay = {
  taskId: string;
  taskName: string;
  status: TaskStatus | null;
  counts: readonly CountedCalls[];
};

/** An hour of the service's clock. It is shorter if the clock changes within it. */
type ClockHour = { hour: number; from: Instant };
type ServiceDay = { date: string; hours: readonly ClockHour[]; from: Instant; until: Instant };

const nextHour = (from: Instant, zone: string): Instant => {
  const { until, offset } = steadyTimeAt(from, zone);
  return Math.min(until, from + hourMs - ((from + offset) % hourMs));
};

/** No call was counted before. The hour of a moment, a remainder, would be negative. */
const firstDate = '1970-01-01';
/** The last date whose following date also has a year of four digits. */
const lastDate = '9999-12-30';

/**
 * A day of the zone with its hours: 23 or 25 of them if the clock changes.
 * @returns undefined if there is no such day
 */
export const serviceDay = (date: string, zone: string): ServiceDay | undefined => {
  if (date < firstDate || date > lastDate) return undefined;
  const from = instantAt(`${date} 00:00:00`, zone);
  if (from === undefined) return undefined;
  const nextDate = new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
  const until = instantAt(`${nextDate} 00:00:00`, zone)!;
  const hours: ClockHour[] = [];
  for (let at = from; at < until; at = nextHour(at, zone)) {
    const hour = Math.floor(((at + steadyTimeAt(at, zone).offset) % dayMs) / hourMs);
    hours.push({ hour, from: at });
  }
  return { date, hours, from, until };
};

/** @throws ServiceError invalid, naming the field */
export const givenDay = (field: string, date: string, zone: string): ServiceDay => {
  const day = serviceDay(date, zone);
  if (day === undefined) throw invalid(field, `there is no such day from ${firstDate} to ${lastDate}`);
  return day;
};

const sumOf = (counts: readonly CountedCalls[], what: CountedCalls['what']) =>
  counts.reduce((sum, counted) => (counted.what === what ? sum + counted.count : sum), 0);

const byOutcome = (counts: readonly CountedCalls[]) => {
  const [success, failed, noAnswer] = outcomes.map((outcome) => sumOf(counts, outcome)) as [
    number,
    number,
    number,
  ];
  return { total: success + failed + noAnswer, success, failed, noAnswer };
};

const talkedCalls = (counts: readonly CountedCalls[]) => ({
  ...byOutcome(counts),
  talkDuration: toMilliseconds(sumOf(counts, 'talk')),
});

/** All calls of the day, by outcome, hour and task. The task with the most calls comes first. */
export const serviceDayAnswer = ({ date, hours, from, until }: ServiceDay, days: readonly TaskDay[]) => {
  const tasks = days.map(({ counts, ...task }) => ({
    ...task,
    counts: counts.filter(({ time }) => time >= from && time < until),
  }));
  const counts = tasks.flatMap((task) => task.counts);
  return {
    date,
    calls: talkedCalls(counts),
    hours: hours.map(({ hour, from: begin }, i) => {
      const end = hours[i + 1]?.from ?? until;
      return { hour, ...byOutcome(counts.filter(({ time }) => time >= begin && time < end)) };
    }),
    tasks: tasks
      .map(({ counts, ...task }) => ({ ...task, calls: talkedCalls(counts) }))
      .filter(({ calls }) => calls.total > 0)
      .sort((a, b) => b.calls.total - a.calls.total),
  };
};
